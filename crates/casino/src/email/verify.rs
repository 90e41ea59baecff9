//! Verifies an address with the link that was sent to it.

use glasshouse_domain::{SecurityEventKind, Timestamp, UserId};
use glasshouse_persistence::accounts::RequestOrigin;
use glasshouse_persistence::email::PendingVerification;
use glasshouse_persistence::{DatabaseError, Scope, Transaction, queries};

use crate::accounts::security_events::{add_event, count_event};
use crate::email::address::expiry;
use crate::email::link_token::hash_of;
use crate::error::{CasinoError, EmailRefusal};
use crate::house::House;
use crate::limits::rules::rewrite_rules;
use crate::mail::message::Message;
use crate::mail::outbox::queue;

/// What following a link has led to. Both are committed: a refusal must not undo the exclusion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Verified,
    Refused,
    /// Another account has verified the same mailbox at the same time.
    Overtaken,
}

/// Follows the link of a verification: the address becomes its user's, in place of an earlier one, which
/// is told. If it belongs to another account it is refused, which only a mail to the address explains.
/// If the other account is excluded, this one becomes so as well: excluded players cannot play on by
/// registering again.
///
/// # Errors
/// [`EmailRefusal::LinkUnusable`], [`EmailRefusal::AddressRefused`], or a fault.
pub async fn verify_email(
    house: &House,
    token: &str,
    origin: RequestOrigin,
) -> Result<(), CasinoError> {
    let hash = hash_of(token).ok_or(EmailRefusal::LinkUnusable)?;
    let found = find(house, hash.clone()).await?;
    let mut outcome = follow(house, &found, &hash, &origin).await?;
    if outcome == Outcome::Overtaken {
        // The other account is found now.
        outcome = follow(house, &found, &hash, &origin).await?;
    }
    if outcome != Outcome::Verified {
        return Err(EmailRefusal::AddressRefused.into());
    }
    count_event(SecurityEventKind::EmailChanged);
    Ok(())
}

async fn find(house: &House, hash: String) -> Result<PendingVerification, CasinoError> {
    let found = house
        .database
        .read::<_, DatabaseError, _>(move |connection| {
            queries::verification_by_token(connection, &hash)
        })
        .await?;
    found.ok_or_else(|| EmailRefusal::LinkUnusable.into())
}

async fn follow(
    house: &House,
    found: &PendingVerification,
    hash: &str,
    origin: &RequestOrigin,
) -> Result<Outcome, CasinoError> {
    let (found, hash, origin) = (found.clone(), hash.to_owned(), origin.clone());
    let at = house.now();
    // The account's lock is needed for its exclusion.
    let followed = house
        .database
        .write::<_, CasinoError, _>(Scope::player(found.user), move |transaction| {
            let user = found.user;
            let is_closed = transaction
                .lock_user(user)?
                .is_none_or(|user| user.closed_at.is_some());
            let changed_at = transaction.password_changed_at(user)?;
            // Whoever changes the password may do so because somebody else knew it.
            let is_void = changed_at.is_some_and(|changed_at| changed_at >= found.requested_at);
            if is_closed
                || is_void
                || at >= expiry(&found)
                || !transaction.take_verification(user, &hash)?
            {
                return Err(EmailRefusal::LinkUnusable.into());
            }
            settle(transaction, &found, &origin, at)
        })
        .await;
    match followed {
        Err(CasinoError::Refused(refusal)) if refusal == overtaken() => Ok(Outcome::Overtaken),
        other => other,
    }
}

/// Rolls the transaction back, so that the link can be followed again.
fn overtaken() -> crate::error::Refusal {
    EmailRefusal::AddressRefused.into()
}

fn settle(
    transaction: &mut Transaction<'_, '_>,
    found: &PendingVerification,
    origin: &RequestOrigin,
    at: Timestamp,
) -> Result<Outcome, CasinoError> {
    let PendingVerification { user, address, .. } = found;
    let (user, key) = (*user, address.key());
    let owner = transaction
        .owner_of_address(&key)?
        .map(|(owner, _)| owner.id);
    let is_taken = owner.is_some_and(|owner| owner != user);
    let is_excluded = take_over_exclusion(transaction, user, &key, at)?;
    if is_taken || is_excluded {
        let missing = || CasinoError::corrupt("the user of a link");
        let username = transaction.user(user)?.ok_or_else(missing)?.username;
        let message = Message::AddressRefused { username };
        queue(transaction, user, address, &message, at)?;
        return Ok(Outcome::Refused);
    }
    // While the earlier address is still there, so that it is told.
    add_event(
        transaction,
        user,
        SecurityEventKind::EmailChanged,
        origin,
        at,
    )?;
    transaction.remove_verified_address(user, at)?;
    transaction.withdraw_recovery(user)?;
    if !transaction.add_verified_address(user, address, at)? {
        return Err(overtaken().into());
    }
    Ok(Outcome::Verified)
}

/// Excludes the user for as long as another account with the same address is excluded. Returns whether
/// there is such an account.
fn take_over_exclusion(
    transaction: &mut Transaction<'_, '_>,
    user: UserId,
    key: &str,
    at: Timestamp,
) -> Result<bool, CasinoError> {
    let Some(exclusion) = transaction.exclusion_by_address(key, user, at)? else {
        return Ok(false);
    };
    let account = transaction.account(user)?;
    let own = account.play_rules.as_deref();
    let own_end = own.and_then(|rules| rules.excluded_until);
    if own_end.is_none_or(|until| until < exclusion.until) {
        transaction.add_exclusion(user, &exclusion)?;
        rewrite_rules(transaction, user, at)?;
    }
    Ok(true)
}
