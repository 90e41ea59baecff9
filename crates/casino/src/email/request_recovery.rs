//! Sends the link with which a user who has forgotten the password chooses a new one.

use glasshouse_domain::{EmailAddress, Timestamp};
use glasshouse_persistence::email::PendingRecovery;
use glasshouse_persistence::{Scope, Transaction};

use crate::accounts::allowance::consume;
use crate::accounts::login_attempts::Client;
use crate::email::admission::{REQUESTS, TO_ADDRESS, WIDE_REQUESTS, address_subject};
use crate::email::link_token::{hash_of, new_token};
use crate::error::{CasinoError, Fault, Refusal};
use crate::house::House;
use crate::mail::message::Message;
use crate::mail::outbox::queue;

/// Sends a link to the account that has verified this address, if there is one. Returns before it is
/// known whether there is, so neither the answer nor its time tells. `client` is given if requests are
/// limited. An address that gets too many mails gets no more of them for some time, and the answer stays
/// the same: nobody must be able to keep others from asking, and the newest link can still be used.
///
/// # Errors
/// [`Refusal::TooManyAttempts`] if the client's network has asked too often, or a fault.
pub async fn request_recovery(
    house: &House,
    address: EmailAddress,
    client: Option<Client>,
) -> Result<(), CasinoError> {
    let is_limited = client.is_some();
    if let Some(client) = client {
        admit(house, client).await?;
    }
    let place = house.recoveries.place().ok_or(Fault::Overloaded)?;
    let house = house.clone();
    tokio::spawn(async move {
        let _place = place;
        if let Err(error) = send_link(&house, address, is_limited).await {
            tracing::warn!(%error, "failed to send a link for a new password");
        }
    });
    Ok(())
}

async fn admit(house: &House, client: Client) -> Result<(), CasinoError> {
    let at = house.now();
    house
        .database
        .write::<_, CasinoError, _>(Scope::nobody(), move |transaction| {
            for (subject, allowance) in client.networks("recovery", &REQUESTS, &WIDE_REQUESTS) {
                consume(transaction, &subject, allowance, at)?;
            }
            Ok(())
        })
        .await
}

async fn send_link(
    house: &House,
    address: EmailAddress,
    is_limited: bool,
) -> Result<(), CasinoError> {
    let token = new_token()?;
    let at = house.now();
    let subject = address_subject("recovery", &address);
    let sent = house
        .database
        .write::<_, CasinoError, _>(Scope::nobody(), move |transaction| {
            if is_limited {
                consume(transaction, &subject, &TO_ADDRESS, at)?;
            }
            add_link(transaction, &address, &token, at)
        })
        .await;
    match sent {
        Err(CasinoError::Refused(Refusal::TooManyAttempts(_))) => Ok(()),
        other => other,
    }
}

/// The mail goes to the address that was verified, not to the spelling that was entered.
fn add_link(
    transaction: &mut Transaction<'_, '_>,
    address: &EmailAddress,
    token: &str,
    at: Timestamp,
) -> Result<(), CasinoError> {
    let Some((user, verified)) = transaction.owner_of_address(&address.key())? else {
        return Ok(());
    };
    // Nothing tells this from an unknown address.
    if user.closed_at.is_some() {
        return Ok(());
    }
    let username = user.username;
    // Whoever reads an administrator's mails must not get at the money of all players.
    if user.role.is_administrator() {
        let message = Message::RecoverAdministrator { username };
        return queue(transaction, user.id, &verified, &message, at);
    }
    let token_hash = hash_of(token).ok_or_else(|| Fault::Entropy("a link's token".to_owned()))?;
    let pending = PendingRecovery {
        user: user.id,
        requested_at: at,
    };
    transaction.request_recovery(&pending, &token_hash)?;
    let message = Message::RecoverPassword {
        username,
        token: token.to_owned(),
    };
    queue(transaction, user.id, &verified, &message, at)
}
