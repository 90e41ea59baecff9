//! A mail, and what it looks like on its way.

use std::time::{Duration, SystemTime};

use glasshouse_domain::{EmailAddress, Timestamp};
use lettre::message::Mailbox;
use lettre::message::header::{ContentType, Header, HeaderName, HeaderValue};
use lettre::{Address, Message};

use crate::error::SendError;

/// A mail of plain text.
#[derive(Debug, Clone)]
pub struct Mail {
    /// The house's number of the mail. With the time, it makes the mail's ID: one that arrives twice is
    /// recognised.
    pub id: i64,
    /// When it was written.
    pub written_at: Timestamp,
    /// Who gets it.
    pub recipient: EmailAddress,
    /// The subject.
    pub subject: String,
    /// The text.
    pub body: String,
}

/// Keeps automatic replies, such as out-of-office notes, from being sent back (RFC 3834).
#[derive(Clone)]
struct AutoSubmitted;

impl Header for AutoSubmitted {
    fn name() -> HeaderName {
        HeaderName::new_from_ascii_str("Auto-Submitted")
    }

    fn parse(_: &str) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        Ok(Self)
    }

    fn display(&self) -> HeaderValue {
        HeaderValue::new(Self::name(), "auto-generated".to_owned())
    }
}

impl Mail {
    /// The message in the format of the Internet.
    pub(crate) fn message(&self, from: &Mailbox) -> Result<Message, SendError> {
        let unusable = |error: &dyn std::fmt::Display| SendError::Permanent(error.to_string());
        let recipient: Address = self
            .recipient
            .as_str()
            .parse()
            .map_err(|error| unusable(&error))?;
        let (id, micros) = (self.id, self.written_at.as_micros());
        let since_1970 = Duration::from_micros(micros.unsigned_abs());
        Message::builder()
            .from(from.clone())
            .to(Mailbox::new(None, recipient))
            .subject(self.subject.clone())
            .date(SystemTime::UNIX_EPOCH + since_1970)
            .message_id(Some(format!("<{id}.{micros}@{}>", from.email.domain())))
            .header(AutoSubmitted)
            .header(ContentType::TEXT_PLAIN)
            .body(self.body.clone())
            .map_err(|error| unusable(&error))
    }
}
