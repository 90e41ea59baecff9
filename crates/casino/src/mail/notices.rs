//! Which events an account's owner is told about by mail.
//!
//! A notice is queued where the event is recorded. Failed attempts cause none, because anybody could
//! have mails sent with them.

use glasshouse_domain::{NoticeTopic, SecurityEventKind, Timestamp, UserId};
use glasshouse_persistence::Transaction;
use glasshouse_persistence::accounts::RequestOrigin;

use crate::error::CasinoError;
use crate::mail::message::{Message, Notice, Occasion};
use crate::mail::outbox::queue;

/// What a user is told when a security event is recorded: the table that new kinds are added to.
fn occasion_of(kind: SecurityEventKind, origin: &RequestOrigin) -> Option<Occasion> {
    use SecurityEventKind as Kind;
    match kind {
        Kind::SignedIn => origin.is_new_device.then_some(Occasion::NewDevice),
        Kind::PasswordChanged => Some(Occasion::PasswordChanged),
        Kind::PasswordReset => Some(Occasion::PasswordReset),
        Kind::PasswordRecovered => Some(Occasion::PasswordRecovered),
        Kind::EmailChanged => Some(Occasion::EmailChanged),
        Kind::EmailRemoved => Some(Occasion::EmailRemoved),
        Kind::SessionEnded => Some(Occasion::SessionEnded),
        Kind::OtherSessionsEnded => Some(Occasion::OtherSessionsEnded),
        Kind::SessionsEndedByHouse => Some(Occasion::SessionsEndedByHouse),
        Kind::AuthenticatorEnabled => Some(Occasion::AuthenticatorEnabled),
        Kind::AuthenticatorRemoved => Some(Occasion::AuthenticatorRemoved),
        Kind::PasskeyAdded => Some(Occasion::PasskeyAdded),
        Kind::PasskeyRemoved => Some(Occasion::PasskeyRemoved),
        Kind::RecoveryCodeUsed => Some(Occasion::RecoveryCodeUsed),
        Kind::RecoveryCodesReplaced => Some(Occasion::RecoveryCodesReplaced),
        Kind::SecondFactorReset => Some(Occasion::SecondFactorReset),
        Kind::DataExported => Some(Occasion::DataExported),
        Kind::AccountClosed => Some(Occasion::AccountClosed),
        // A closed account has no address.
        Kind::AccountReopened
        | Kind::SignInFailed
        | Kind::SignedOut
        | Kind::Confirmed
        | Kind::ConfirmationFailed
        | Kind::SecondFactorFailed
        | Kind::ConfirmationCodeFailed
        | Kind::PasskeyFailed => None,
    }
}

/// The topic of an optional notice.
const fn topic_of(occasion: &Occasion) -> Option<NoticeTopic> {
    match occasion {
        Occasion::SessionEnded | Occasion::OtherSessionsEnded => Some(NoticeTopic::Sessions),
        Occasion::WithdrawalSent(_)
        | Occasion::WithdrawalReturned(_)
        | Occasion::WithdrawalRejected { .. } => Some(NoticeTopic::Withdrawals),
        Occasion::NewDevice
        | Occasion::PasswordChanged
        | Occasion::PasswordReset
        | Occasion::PasswordRecovered
        | Occasion::EmailChanged
        | Occasion::EmailRemoved
        | Occasion::AuthenticatorEnabled
        | Occasion::AuthenticatorRemoved
        | Occasion::PasskeyAdded
        | Occasion::PasskeyRemoved
        | Occasion::RecoveryCodeUsed
        | Occasion::RecoveryCodesReplaced
        | Occasion::SecondFactorReset
        | Occasion::SessionsEndedByHouse
        | Occasion::DataExported
        | Occasion::AccountClosed
        | Occasion::WithdrawalRequested(_) => None,
    }
}

/// Queues the notice of a security event, if there is one and the user has a verified address.
pub(crate) fn notify_of_event(
    transaction: &mut Transaction<'_, '_>,
    user: UserId,
    kind: SecurityEventKind,
    origin: &RequestOrigin,
    at: Timestamp,
) -> Result<(), CasinoError> {
    match occasion_of(kind, origin) {
        Some(occasion) => notify(transaction, user, occasion, origin, at),
        None => Ok(()),
    }
}

/// Queues a notice, if the user has a verified address and wants it.
pub(crate) fn notify(
    transaction: &mut Transaction<'_, '_>,
    user: UserId,
    occasion: Occasion,
    origin: &RequestOrigin,
    at: Timestamp,
) -> Result<(), CasinoError> {
    let Some(verified) = transaction.verified_address(user)? else {
        return Ok(());
    };
    if let Some(topic) = topic_of(&occasion)
        && transaction
            .declined_notices(user)?
            .iter()
            .any(|declined| declined == topic.as_str())
    {
        return Ok(());
    }
    let Some(found) = transaction.user(user)? else {
        return Ok(());
    };
    let message = Message::Notice(Notice {
        username: found.username,
        occasion,
        at_micros: at.as_micros(),
        device: origin.device.clone(),
        address: origin.address.clone(),
    });
    queue(transaction, user, &verified.address, &message, at)
}
