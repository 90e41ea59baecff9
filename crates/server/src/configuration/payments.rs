//! What can be set about the payment provider and about the sandbox that stands in for it.
#![expect(
    clippy::doc_markdown,
    reason = "these comments are the plain text of --help"
)]

use std::net::SocketAddr;

use clap::Args;

use super::Switch;

#[derive(Args, Clone)]
pub(crate) struct PaymentsConfiguration {
    /// The payment provider's API, such as https://api.nowpayments.io/v1
    #[arg(
        long = "payments-url",
        id = "payments_url",
        value_name = "URL",
        global = true,
        env = "GLASSHOUSE_PAYMENTS_URL"
    )]
    pub(crate) url: Option<String>,

    /// The key of the casino's account at the provider
    #[arg(
        long = "payments-api-key",
        id = "payments_api_key",
        value_name = "API_KEY",
        global = true,
        env = "GLASSHOUSE_PAYMENTS_API_KEY",
        hide_env_values = true
    )]
    pub(crate) api_key: Option<String>,

    /// The secret that the provider signs its callbacks with
    #[arg(
        long = "payments-ipn-secret",
        id = "payments_ipn_secret",
        value_name = "IPN_SECRET",
        global = true,
        env = "GLASSHOUSE_PAYMENTS_IPN_SECRET",
        hide_env_values = true
    )]
    pub(crate) ipn_secret: Option<String>,

    /// The e-mail address of the account at the provider; with it and the password, payments whose
    /// callbacks were lost are found by listing them
    #[arg(
        long = "payments-email",
        id = "payments_email",
        value_name = "EMAIL",
        global = true,
        env = "GLASSHOUSE_PAYMENTS_EMAIL"
    )]
    pub(crate) email: Option<String>,

    /// The password of the account at the provider
    #[arg(
        long = "payments-password",
        id = "payments_password",
        value_name = "PASSWORD",
        global = true,
        env = "GLASSHOUSE_PAYMENTS_PASSWORD",
        hide_env_values = true
    )]
    pub(crate) password: Option<String>,

    /// Up to how many percent of its price an overpaid deposit is credited without a person looking
    /// at it
    #[arg(
        long,
        global = true,
        env = "GLASSHOUSE_OVERPAYMENT_CAP_PERCENT",
        default_value_t = 150,
        value_parser = clap::value_parser!(u16).range(100..=1000)
    )]
    pub(crate) overpayment_cap_percent: u16,

    /// Start a sandbox provider with the casino, whose money is not real. Without it: on where no
    /// provider is given and the public URL is not https
    #[arg(long, global = true, env = "GLASSHOUSE_SANDBOX")]
    pub(crate) sandbox: Option<Switch>,

    /// Where the sandbox provider listens. Anybody who reaches it can pay anything
    #[arg(
        long,
        global = true,
        env = "GLASSHOUSE_SANDBOX_BIND",
        default_value = "127.0.0.1:8090"
    )]
    pub(crate) sandbox_bind: SocketAddr,

    /// Where browsers reach the sandbox provider's pages, if not where it listens
    #[arg(long, global = true, env = "GLASSHOUSE_SANDBOX_PUBLIC_URL")]
    pub(crate) sandbox_public_url: Option<String>,

    /// How long a payment of the sandbox stays at each status on its way, in milliseconds
    #[arg(
        long,
        global = true,
        env = "GLASSHOUSE_SANDBOX_STATUS_DELAY_MS",
        default_value_t = 1500
    )]
    pub(crate) sandbox_status_delay_ms: u64,

    /// Take a sandbox for the provider although the public URL is https: players of such a casino
    /// pay nothing
    #[arg(
        long,
        global = true,
        env = "GLASSHOUSE_ALLOW_SANDBOX",
        default_value = "off"
    )]
    pub(crate) allow_sandbox: Switch,
}
