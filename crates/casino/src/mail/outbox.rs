//! Queues mails in the transaction of what they tell about.

use glasshouse_domain::{EmailAddress, Timestamp, UserId};
use glasshouse_persistence::Transaction;
use glasshouse_persistence::email::NewMail;

use crate::error::CasinoError;
use crate::mail::message::Message;

/// Adds a mail to the transaction of what it tells about.
pub(crate) fn queue(
    transaction: &mut Transaction<'_, '_>,
    user: UserId,
    recipient: &EmailAddress,
    message: &Message,
    at: Timestamp,
) -> Result<(), CasinoError> {
    let content = serde_json::to_string(message)
        .map_err(|error| CasinoError::corrupt(format!("a mail cannot be written: {error}")))?;
    transaction.add_mail(&NewMail {
        user,
        kind: message.kind(),
        recipient: recipient.as_str().to_owned(),
        content,
        at,
        expires_at: at.saturating_add(message.deadline()),
    })?;
    Ok(())
}
