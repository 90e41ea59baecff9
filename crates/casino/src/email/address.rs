//! A user's own e-mail address: ask to verify one, remove it, and choose the notices sent to it.

use glasshouse_domain::{EmailAddress, NoticeTopic, SecurityEventKind, Timestamp, UserId};
use glasshouse_persistence::accounts::RequestOrigin;
use glasshouse_persistence::email::PendingVerification;
use glasshouse_persistence::{DatabaseError, Scope, Transaction, queries};

use crate::accounts::security_events::{add_event, count_event};
use crate::email::link_token::{hash_of, new_token};
use crate::error::{CasinoError, EmailRefusal, Fault};
use crate::house::House;
use crate::mail::message::{Message, VERIFICATION_VALIDITY};
use crate::mail::outbox::queue;

/// A user's address and notices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmailSettings {
    /// The verified address.
    pub address: Option<EmailAddress>,
    /// The address that waits for its link to be followed.
    pub pending: Option<EmailAddress>,
    /// The optional notices that the user does not want.
    pub declined: Vec<NoticeTopic>,
}

/// Reads a user's address and notices.
///
/// # Errors
/// On a fault.
pub async fn read_email(house: &House, user: UserId) -> Result<EmailSettings, CasinoError> {
    let now = house.now();
    let (verified, pending, declined) = house
        .database
        .read::<_, DatabaseError, _>(move |connection| {
            let verified = queries::verified_address(connection, user)?;
            let pending = queries::verification_of(connection, user)?;
            let declined = queries::declined_notices_of(connection, user)?;
            Ok((verified, pending, declined))
        })
        .await?;
    let pending = pending.filter(|pending| now < expiry(pending));
    Ok(EmailSettings {
        address: verified.map(|verified| verified.address),
        pending: pending.map(|pending| pending.address),
        declined: declined
            .iter()
            .filter_map(|topic| NoticeTopic::parse(topic))
            .collect(),
    })
}

/// When the link of a verification expires.
pub(crate) fn expiry(pending: &PendingVerification) -> Timestamp {
    pending.requested_at.saturating_add(VERIFICATION_VALIDITY)
}

/// Sends a link to an address, which becomes the user's once the link is followed. Until then, the
/// address in use stays. Whether the address belongs to another account is only looked at when the link
/// is followed, so nothing here depends on it. The caller has checked the password.
///
/// # Errors
/// On a fault.
pub async fn request_email(
    house: &House,
    user: UserId,
    address: EmailAddress,
) -> Result<(), CasinoError> {
    let token = new_token()?;
    let at = house.now();
    house
        .database
        .write::<_, CasinoError, _>(Scope::nobody(), move |transaction| {
            add_verification(transaction, user, &address, &token, at)
        })
        .await
}

/// Stores what a link verifies, and queues the mail with the link.
pub(crate) fn add_verification(
    transaction: &mut Transaction<'_, '_>,
    user: UserId,
    address: &EmailAddress,
    token: &str,
    at: Timestamp,
) -> Result<(), CasinoError> {
    let missing = || CasinoError::corrupt("a user who asks for a mail");
    let username = transaction.user(user)?.ok_or_else(missing)?.username;
    let token_hash = hash_of(token).ok_or_else(|| Fault::Entropy("a link's token".to_owned()))?;
    let pending = PendingVerification {
        user,
        address: address.clone(),
        requested_at: at,
    };
    transaction.request_verification(&pending, &token_hash)?;
    let message = Message::VerifyAddress {
        username,
        token: token.to_owned(),
    };
    queue(transaction, user, address, &message, at)
}

/// Removes the user's address, to which a last mail is sent, and the one that waits for its link. The
/// caller has checked the password.
///
/// # Errors
/// [`EmailRefusal::NoAddress`], or a fault.
pub async fn remove_email(
    house: &House,
    user: UserId,
    origin: RequestOrigin,
) -> Result<(), CasinoError> {
    let kind = SecurityEventKind::EmailRemoved;
    let at = house.now();
    let was_verified = house
        .database
        .write::<_, CasinoError, _>(Scope::nobody(), move |transaction| {
            transaction.lock_user(user)?;
            let was_pending = transaction.withdraw_verification(user)?;
            if transaction.verified_address(user)?.is_none() {
                return if was_pending {
                    Ok(false)
                } else {
                    Err(EmailRefusal::NoAddress.into())
                };
            }
            // While the address is still there, so that it is told.
            add_event(transaction, user, kind, &origin, at)?;
            transaction.remove_verified_address(user, at)?;
            // A link that was sent to this address must not be worth anything any more.
            transaction.withdraw_recovery(user)?;
            Ok(true)
        })
        .await?;
    if was_verified {
        count_event(kind);
    }
    Ok(())
}

/// Sets whether the user wants notices of a topic.
///
/// # Errors
/// On a fault.
pub async fn set_notice(
    house: &House,
    user: UserId,
    topic: NoticeTopic,
    is_wanted: bool,
) -> Result<(), CasinoError> {
    house
        .database
        .write::<_, CasinoError, _>(Scope::nobody(), move |transaction| {
            Ok(transaction.set_notice(user, topic.as_str(), is_wanted)?)
        })
        .await
}
