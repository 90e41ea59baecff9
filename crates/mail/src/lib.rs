//! Sends mails: over SMTP, or as files in a folder if there is no SMTP server.
//!
//! This crate must not know what the mails are about, players, or the database.

mod error;
mod folder;
mod mail;
mod mailer;
mod smtp;

pub use error::{MailSetUpError, SendError};
pub use mail::Mail;
pub use mailer::Mailer;
