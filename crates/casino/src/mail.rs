//! Mails: queued in the transaction of what they tell about, and sent by a background task
//! (`docs/adr/0024-mails-are-queued-with-what-they-tell.md`).

pub(crate) mod deliver;
pub(crate) mod message;
pub(crate) mod notices;
pub(crate) mod outbox;
pub(crate) mod texts;

pub use deliver::{deliver_due_mails, deliver_mails, purge_mails};
