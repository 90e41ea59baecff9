//! The way that mails take.

use std::path::PathBuf;

use lettre::message::Mailbox;

use crate::error::{MailSetUpError, SendError};
use crate::folder::Folder;
use crate::mail::Mail;
use crate::smtp::Smtp;

/// Sends mails over SMTP or into a folder.
pub struct Mailer {
    from: Mailbox,
    way: Way,
}

enum Way {
    Smtp(Box<Smtp>),
    Folder(Folder),
}

impl Mailer {
    /// Sends mails over SMTP, to a server given as `smtps://USER:PASSWORD@HOST`. Does not connect yet.
    ///
    /// # Errors
    /// If the URL or the sender cannot be used.
    pub fn over_smtp(url: &str, from: &str) -> Result<Self, MailSetUpError> {
        let way = Way::Smtp(Box::new(Smtp::new(url)?));
        let from = sender(from)?;
        Ok(Self { from, way })
    }

    /// Writes mails into a folder, which is made when it is needed.
    ///
    /// # Errors
    /// If the sender cannot be used.
    pub fn into_folder(folder: PathBuf, from: &str) -> Result<Self, MailSetUpError> {
        let way = Way::Folder(Folder::new(folder));
        let from = sender(from)?;
        Ok(Self { from, way })
    }

    /// Connects to the SMTP server and signs in, without sending anything. There is nothing to connect to
    /// for mails that are written into a folder.
    ///
    /// # Errors
    /// If the server cannot be reached or refuses the sign-in.
    pub async fn try_connection(&self) -> Result<(), SendError> {
        match &self.way {
            Way::Smtp(smtp) => smtp.try_connection().await,
            Way::Folder(_) => Ok(()),
        }
    }

    /// Sends a mail.
    ///
    /// # Errors
    /// [`SendError::Permanent`] if it is useless to try again.
    pub async fn send(&self, mail: &Mail) -> Result<(), SendError> {
        let message = mail.message(&self.from)?;
        match &self.way {
            Way::Smtp(smtp) => smtp.send(message).await,
            Way::Folder(folder) => folder.write(mail, message.formatted()).await,
        }
    }
}

fn sender(text: &str) -> Result<Mailbox, MailSetUpError> {
    text.parse().map_err(|_| MailSetUpError::Sender)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sender_is_an_address_with_an_optional_name() {
        for valid in ["casino@example.com", "The House <casino@example.com>"] {
            assert!(sender(valid).is_ok(), "{valid}");
        }
        for invalid in [
            "",
            "casino",
            "a@example.com, b@example.com",
            "a@example.com\r\nBcc: b@c.de",
        ] {
            assert!(sender(invalid).is_err(), "{invalid:?}");
        }
    }
}
