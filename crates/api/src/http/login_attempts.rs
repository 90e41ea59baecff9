//! Limits how often a client may try a password or create an account.

use std::time::Duration;

use actix_web::HttpRequest;
use glasshouse_casino::accounts::{
    Admission, Client, admit_registration, admit_sign_in, note_failed_sign_in, note_sign_in,
};
use glasshouse_casino::{CasinoError, Refusal};

use crate::error::ApiError;
use crate::http::client_ip::ClientAddress;
use crate::http::device::known_device;
use crate::http::network::{network_of, wide_network_of};
use crate::http::rate_limit::Limit;
use crate::state::Application;

/// A sign-in attempt that was admitted.
pub(crate) struct Attempt<'a> {
    application: &'a Application,
    username: &'a str,
    client: Client,
    has_failed: bool,
}

/// The sender of a request, as attempts are counted by it.
pub(crate) fn client(address: ClientAddress, device: Option<String>) -> Client {
    Client {
        network: network_of(address.0),
        wide_network: wide_network_of(address.0),
        device,
    }
}

impl<'a> Attempt<'a> {
    /// An attempt of the sender of a request: it is delayed if the account is under attack and the
    /// device is unknown to it.
    ///
    /// # Errors
    /// If the client must retry later, or on a fault.
    pub(crate) async fn of_visitor(
        application: &'a Application,
        request: &HttpRequest,
        address: ClientAddress,
        username: &'a str,
    ) -> Result<Self, ApiError> {
        let device = known_device(application, request, username);
        if device.is_none() {
            // The in-memory limit comes first: a flood must not reach the database.
            application
                .limits
                .check(Limit::Login(network_of(address.0)))?;
        }
        Self::admit(application, client(address, device), username).await
    }

    /// An attempt within a session of the account. The session counts as a known device.
    ///
    /// # Errors
    /// As for [`Attempt::of_visitor`].
    pub(crate) async fn in_session(
        application: &'a Application,
        session: &str,
        address: ClientAddress,
        username: &'a str,
    ) -> Result<Self, ApiError> {
        let device = Some(format!("session {session}"));
        Self::admit(application, client(address, device), username).await
    }

    async fn admit(
        application: &'a Application,
        client: Client,
        username: &'a str,
    ) -> Result<Self, ApiError> {
        let admission = if application.limits.is_on() {
            let house = &application.house;
            let admitted = admit_sign_in(house, username, client.clone()).await;
            counted(admitted)?
        } else {
            Admission {
                wait: Duration::ZERO,
                has_failed: false,
            }
        };
        if !admission.wait.is_zero() {
            tokio::time::sleep(admission.wait).await;
        }
        Ok(Self {
            application,
            username,
            client,
            has_failed: admission.has_failed,
        })
    }

    /// Whether wrong second factors of all clients like this one are limited together.
    pub(crate) fn is_limited_with_others(&self) -> bool {
        self.application.limits.is_on() && self.client.device.is_none()
    }

    /// Records the outcome of the attempt.
    ///
    /// # Errors
    /// On a fault, or if the outcome itself is an error.
    pub(crate) async fn record_outcome<T>(
        self,
        outcome: Result<T, CasinoError>,
    ) -> Result<T, ApiError> {
        let house = &self.application.house;
        if self.application.limits.is_on() {
            match &outcome {
                Err(error) if error.is_wrong_proof() => {
                    note_failed_sign_in(house, self.username, self.client).await?;
                }
                Ok(_) if self.has_failed => {
                    note_sign_in(house, self.username, self.client).await?;
                }
                _ => {}
            }
        }
        Ok(outcome?)
    }
}

/// Checks whether this address may create an account now.
///
/// # Errors
/// If the client must retry later, or on a fault.
pub(crate) async fn admit_new_account(
    application: &Application,
    address: ClientAddress,
) -> Result<(), ApiError> {
    if !application.limits.is_on() {
        return Ok(());
    }
    application
        .limits
        .check(Limit::Registration(network_of(address.0)))?;
    counted(admit_registration(&application.house, client(address, None)).await)
}

/// Counts rate-limited attempts in the metrics.
pub(crate) fn counted<T>(admitted: Result<T, CasinoError>) -> Result<T, ApiError> {
    if let Err(CasinoError::Refused(Refusal::TooManyAttempts(_))) = &admitted {
        metrics::counter!("glasshouse_rate_limited_total").increment(1);
    }
    Ok(admitted?)
}
