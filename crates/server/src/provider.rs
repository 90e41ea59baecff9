//! The payment provider: a real one, or the sandbox, which starts with the casino and is also
//! accessed over HTTP, so that the rest of the program cannot tell the difference.

mod choice;
mod keys;

use std::num::NonZeroU32;
use std::time::Duration;

use glasshouse_payments::signature::IpnSecret;
use glasshouse_payments::{Account, Client, ClientOptions, ClientSetUpError, Secret};
use glasshouse_sandbox::{Sandbox, SandboxError, SandboxOptions};

use crate::Failure;
use crate::configuration::Configuration;
use crate::mailer;
use choice::{AccountChoice, Choice, External, choose};
use keys::SandboxKeys;

pub(crate) use choice::is_this_machine;

const SANDBOX_DATA: &str = "sandbox.json";

/// Everything needed to accept payments.
pub(crate) struct ProviderSetUp {
    /// The API client of the provider.
    pub(crate) client: Client,
    /// Verifies the signatures of the provider's callbacks.
    pub(crate) ipn_secret: IpnSecret,
    /// The sandbox, if it is the provider. It stops when this is dropped.
    pub(crate) sandbox: Option<Sandbox>,
}

/// Validates the configuration, and starts the sandbox if it is the configured provider.
pub(crate) fn set_up(configuration: &Configuration) -> Result<ProviderSetUp, Failure> {
    match choose(configuration).map_err(Failure::Configuration)? {
        Choice::Sandbox => start_sandbox(configuration),
        Choice::External(external) => {
            let calls_per_second = configuration.payments.payments_calls_per_second;
            set_up_external(&external, calls_per_second).map_err(Failure::Configuration)
        }
    }
}

/// Validates the configuration, and returns the provider if it runs elsewhere. `None` if it is the sandbox,
/// which is not started.
pub(crate) fn external(configuration: &Configuration) -> Result<Option<ProviderSetUp>, String> {
    match choose(configuration)? {
        Choice::Sandbox => Ok(None),
        Choice::External(external) => {
            let calls_per_second = configuration.payments.payments_calls_per_second;
            set_up_external(&external, calls_per_second).map(Some)
        }
    }
}

/// Does not connect yet: an unavailable provider must not prevent the casino from starting.
fn set_up_external(
    external: &External<'_>,
    calls_per_second: NonZeroU32,
) -> Result<ProviderSetUp, String> {
    let api_key = secret("GLASSHOUSE_PAYMENTS_API_KEY", external.api_key)?;
    let mut options = ClientOptions::new(external.url.to_owned(), api_key);
    options.calls_per_second = calls_per_second;
    options.account = external.account.as_ref().map(account).transpose()?;
    options.payout_secret = external
        .payout_secret
        .map(|value| secret("GLASSHOUSE_PAYMENTS_PAYOUT_SECRET", value))
        .transpose()?;
    let client = Client::new(options)
        .map_err(|error| format!("GLASSHOUSE_PAYMENTS_URL cannot be used: {error}"))?;
    let ipn_secret = IpnSecret::new(external.ipn_secret.to_owned())
        .map_err(|error| format!("GLASSHOUSE_PAYMENTS_IPN_SECRET cannot be used: {error}"))?;
    Ok(ProviderSetUp {
        client,
        ipn_secret,
        sandbox: None,
    })
}

fn account(choice: &AccountChoice<'_>) -> Result<Account, String> {
    Ok(Account {
        email: choice.email.to_owned(),
        password: secret("GLASSHOUSE_PAYMENTS_PASSWORD", choice.password)?,
    })
}

fn secret(name: &str, value: &str) -> Result<Secret, String> {
    Secret::new(value.to_owned()).map_err(|_| format!("{name} must be printable ASCII"))
}

fn start_sandbox(configuration: &Configuration) -> Result<ProviderSetUp, Failure> {
    if configuration.is_https() {
        tracing::warn!("the payment provider is a sandbox: players pay no real money");
    }
    let payments = &configuration.payments;
    let keys = SandboxKeys::load_or_create(&configuration.data_directory)?;
    let ipn_secret = IpnSecret::new(keys.ipn_secret.clone()).map_err(Failure::running)?;
    let sandbox = Sandbox::start(SandboxOptions {
        bind: payments.sandbox_bind,
        public_url: payments.sandbox_public_url.clone(),
        data: Some(configuration.data_directory.join(SANDBOX_DATA)),
        // Mails contain links into accounts, so the pages of a house that others can reach show none.
        mail_folder: mailer::folder(configuration).filter(|_| !configuration.is_https()),
        status_delay: Duration::from_millis(payments.sandbox_status_delay_ms),
        ..SandboxOptions::with_keys(keys.api_key, keys.ipn_secret, keys.password)
    })
    .map_err(|error| not_started(&error))?;
    let client = client_of(&sandbox, payments.payments_calls_per_second);
    let client = client.map_err(Failure::running)?;
    Ok(ProviderSetUp {
        client,
        ipn_secret,
        sandbox: Some(sandbox),
    })
}

fn client_of(sandbox: &Sandbox, calls_per_second: NonZeroU32) -> Result<Client, ClientSetUpError> {
    let mut options = sandbox.client_options()?;
    options.calls_per_second = calls_per_second;
    Client::new(options)
}

fn not_started(error: &SandboxError) -> Failure {
    let advice = match error {
        SandboxError::Listening { .. } => {
            ". Stop the process that uses this address, or set GLASSHOUSE_SANDBOX_BIND to a free one"
        }
        _ => "",
    };
    Failure::Running(format!("{error}{advice}"))
}
