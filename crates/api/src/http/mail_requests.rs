//! Limits how often mails with links are requested and links are tried.

use glasshouse_casino::email::{admit_link, admit_verification};
use glasshouse_casino::{EmailRefusal, Refusal};
use glasshouse_domain::{EmailAddress, UserId};

use crate::error::ApiError;
use crate::http::client_ip::ClientAddress;
use crate::http::login_attempts::{client, counted};
use crate::http::network::network_of;
use crate::http::rate_limit::Limit;
use crate::state::Application;

/// Parses an address.
///
/// # Errors
/// If it is invalid.
pub(crate) fn parse_email(text: &str) -> Result<EmailAddress, ApiError> {
    let refused = |error| ApiError::from(Refusal::Email(EmailRefusal::Address(error)));
    EmailAddress::parse(text).map_err(refused)
}

/// Checks whether a link may be sent to an address now, for a user or for a new account.
///
/// # Errors
/// If the client must retry later, or on a fault.
pub(crate) async fn admit_mail_to(
    application: &Application,
    address: ClientAddress,
    user: Option<UserId>,
    email: &EmailAddress,
) -> Result<(), ApiError> {
    if !application.limits.is_on() {
        return Ok(());
    }
    application
        .limits
        .check(Limit::Mail(network_of(address.0)))?;
    let client = client(address, None);
    counted(admit_verification(&application.house, user, email, client).await)
}

/// Checks whether the sender of a request may try to use a link now.
///
/// # Errors
/// If the client must retry later, or on a fault.
pub(crate) async fn admit_use_of_link(
    application: &Application,
    address: ClientAddress,
) -> Result<(), ApiError> {
    if !application.limits.is_on() {
        return Ok(());
    }
    application
        .limits
        .check(Limit::Mail(network_of(address.0)))?;
    counted(admit_link(&application.house, client(address, None)).await)
}
