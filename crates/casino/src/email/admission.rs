//! How often addresses, accounts and networks may have mails sent and links tried. Known and unknown
//! addresses are counted alike.

use std::time::Duration;

use glasshouse_domain::{EmailAddress, UserId};
use glasshouse_persistence::Scope;
use sha2::{Digest, Sha256};

use crate::accounts::allowance::{Allowance, consume};
use crate::accounts::login_attempts::Client;
use crate::error::CasinoError;
use crate::house::House;

/// Addresses that an account asks to verify.
const OF_ACCOUNT: Allowance = Allowance {
    burst: 5,
    period: Duration::from_mins(10),
};
/// Mails with links that strangers can have sent to an address, for each purpose.
pub(crate) const TO_ADDRESS: Allowance = Allowance {
    burst: 3,
    period: Duration::from_mins(20),
};
/// Requests for mails, per IPv4 address or IPv6 /64.
pub(crate) const REQUESTS: Allowance = Allowance {
    burst: 10,
    period: Duration::from_mins(1),
};
/// Per IPv6 /48.
pub(crate) const WIDE_REQUESTS: Allowance = Allowance {
    burst: 40,
    period: Duration::from_secs(15),
};
/// Attempts to use a link, per IPv4 address or IPv6 /64.
const LINKS: Allowance = Allowance {
    burst: 20,
    period: Duration::from_secs(30),
};
/// Per IPv6 /48.
const WIDE_LINKS: Allowance = Allowance {
    burst: 80,
    period: Duration::from_secs(8),
};

/// The key of an address's counter. The address itself is not stored in it.
pub(crate) fn address_subject(purpose: &str, address: &EmailAddress) -> String {
    let hash = hex::encode(Sha256::digest(address.key().as_bytes()));
    format!("{purpose} {hash}")
}

/// Decides whether a user may ask now for the verification of an address. Counts the request.
///
/// # Errors
/// [`Refusal::TooManyAttempts`](crate::Refusal::TooManyAttempts), or a fault.
pub async fn admit_verification(
    house: &House,
    user: Option<UserId>,
    address: &EmailAddress,
    client: Client,
) -> Result<(), CasinoError> {
    let at = house.now();
    let to_address = address_subject("verification", address);
    house
        .database
        .write::<_, CasinoError, _>(Scope::nobody(), move |transaction| {
            if let Some(user) = user {
                consume(
                    transaction,
                    &format!("verification of {user}"),
                    &OF_ACCOUNT,
                    at,
                )?;
            }
            for (subject, allowance) in client.networks("mail", &REQUESTS, &WIDE_REQUESTS) {
                consume(transaction, &subject, allowance, at)?;
            }
            consume(transaction, &to_address, &TO_ADDRESS, at)
        })
        .await
}

/// Decides whether a client may try to use a link now. Counts the attempt.
///
/// # Errors
/// [`Refusal::TooManyAttempts`](crate::Refusal::TooManyAttempts), or a fault.
pub async fn admit_link(house: &House, client: Client) -> Result<(), CasinoError> {
    let at = house.now();
    house
        .database
        .write::<_, CasinoError, _>(Scope::nobody(), move |transaction| {
            for (subject, allowance) in client.networks("link", &LINKS, &WIDE_LINKS) {
                consume(transaction, &subject, allowance, at)?;
            }
            Ok(())
        })
        .await
}
