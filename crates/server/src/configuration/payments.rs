//! Settings for the payment provider and for the sandbox that replaces it in development.
#![expect(
    clippy::doc_markdown,
    reason = "these comments are the plain text of --help"
)]

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::time::Duration;

use clap::Args;
use glasshouse_casino::money::{RateTerms, TransferLimits};
use glasshouse_domain::{MINIMUM_WITHDRAWAL, Money, PayoutMethod};

use super::Switch;

/// The default lifetime of rates in minutes: the provider's if rates are fixed, otherwise ours.
const FIXED_RATE_LIFETIME_MINUTES: u16 = 20;
const RATE_LIFETIME_MINUTES: u16 = 60;

/// A number of basis points (hundredths of a percent).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BasisPoints(pub(crate) u32);

#[derive(Args, Clone)]
pub(crate) struct PaymentsConfiguration {
    /// The base URL of the payment provider's API, such as https://api.nowpayments.io/v1
    #[arg(
        long = "payments-url",
        id = "payments_url",
        value_name = "URL",
        global = true,
        env = "GLASSHOUSE_PAYMENTS_URL"
    )]
    pub(crate) url: Option<String>,

    /// The API key of the casino's account at the provider
    #[arg(
        long = "payments-api-key",
        id = "payments_api_key",
        value_name = "API_KEY",
        global = true,
        env = "GLASSHOUSE_PAYMENTS_API_KEY",
        hide_env_values = true
    )]
    pub(crate) api_key: Option<String>,

    /// The secret with which the provider signs its callbacks
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
    /// callbacks were lost are found by listing payments
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

    /// The secret of the account's authenticator at the provider, in base32. With it, the e-mail address and
    /// the password, the provider pays approved withdrawals; without it they are paid by hand
    #[arg(
        long = "payments-payout-secret",
        id = "payments_payout_secret",
        value_name = "SECRET",
        global = true,
        env = "GLASSHOUSE_PAYMENTS_PAYOUT_SECRET",
        hide_env_values = true
    )]
    pub(crate) payout_secret: Option<String>,

    /// Whether the provider pays approved withdrawals if it can; otherwise administrators pay them from a
    /// wallet and record the transactions
    #[arg(
        long,
        global = true,
        env = "GLASSHOUSE_PROVIDER_PAYOUTS",
        default_value = "on"
    )]
    pub(crate) provider_payouts: Switch,

    /// The maximum percentage of its price up to which an overpaid deposit is credited without
    /// manual review
    #[arg(
        long,
        global = true,
        env = "GLASSHOUSE_OVERPAYMENT_CAP_PERCENT",
        default_value_t = 150,
        value_parser = clap::value_parser!(u16).range(100..=1000)
    )]
    pub(crate) overpayment_cap_percent: u16,

    /// Ask the provider to guarantee its rates for a while, at its own risk and for a fee
    #[arg(
        long,
        global = true,
        env = "GLASSHOUSE_FIXED_RATES",
        default_value = "off"
    )]
    pub(crate) fixed_rates: Switch,

    /// How many minutes the rate of a new payment is valid; a later payment is credited at that
    /// rate or at its actual proceeds, whichever is less. Default: 60, with fixed rates 20
    #[arg(
        long,
        global = true,
        env = "GLASSHOUSE_RATE_LIFETIME_MINUTES",
        value_parser = clap::value_parser!(u16).range(1..=1440)
    )]
    pub(crate) rate_lifetime_minutes: Option<u16>,

    /// The provider's fee in percent of a payment, added to the proceeds of a late payment
    #[arg(
        long,
        global = true,
        env = "GLASSHOUSE_PROVIDER_FEE_PERCENT",
        default_value = "1",
        value_parser = basis_points
    )]
    pub(crate) provider_fee_percent: BasisPoints,

    /// The provider's code of the coin that it converts payments to; the provider's minimums depend
    /// on it
    #[arg(
        long,
        global = true,
        env = "GLASSHOUSE_OUTCOME_CURRENCY",
        default_value = "usdterc20"
    )]
    pub(crate) outcome_currency: String,

    /// The maximum number of requests per second that this server makes to the provider
    #[arg(
        long,
        global = true,
        env = "GLASSHOUSE_PAYMENTS_CALLS_PER_SECOND",
        default_value = "10"
    )]
    pub(crate) payments_calls_per_second: NonZeroU32,

    /// The minimum deposit, in US dollars
    #[arg(
        long,
        global = true,
        env = "GLASSHOUSE_MINIMUM_DEPOSIT",
        default_value = "0.01",
        value_parser = dollars
    )]
    pub(crate) minimum_deposit: Money,

    /// The maximum deposit, in US dollars
    #[arg(
        long,
        global = true,
        env = "GLASSHOUSE_MAXIMUM_DEPOSIT",
        default_value = "100000.00",
        value_parser = dollars
    )]
    pub(crate) maximum_deposit: Money,

    /// The maximum withdrawal per request, in US dollars
    #[arg(
        long,
        global = true,
        env = "GLASSHOUSE_MAXIMUM_WITHDRAWAL",
        default_value = "100000.00",
        value_parser = dollars
    )]
    pub(crate) maximum_withdrawal: Money,

    /// How many hours a new address, or a change of the password or the second factor, delays
    /// withdrawals, so that the owner of an account notices in time that somebody else uses it. 0 delays
    /// none
    #[arg(
        long,
        global = true,
        env = "GLASSHOUSE_WITHDRAWAL_DELAY_HOURS",
        default_value_t = 24,
        value_parser = clap::value_parser!(u16).range(0..=720)
    )]
    pub(crate) withdrawal_delay_hours: u16,

    /// Start a sandbox provider together with the casino; its money is not real. Default: on if no
    /// provider is configured and the public URL is not https
    #[arg(long, global = true, env = "GLASSHOUSE_SANDBOX")]
    pub(crate) sandbox: Option<Switch>,

    /// The address that the sandbox provider listens on. Anybody who can reach it can pay anything
    #[arg(
        long,
        global = true,
        env = "GLASSHOUSE_SANDBOX_BIND",
        default_value = "127.0.0.1:8090"
    )]
    pub(crate) sandbox_bind: SocketAddr,

    /// The base URL that browsers use for the sandbox provider's pages, if not the address it
    /// listens on
    #[arg(long, global = true, env = "GLASSHOUSE_SANDBOX_PUBLIC_URL")]
    pub(crate) sandbox_public_url: Option<String>,

    /// How long a payment in the sandbox stays in each intermediate status, in milliseconds
    #[arg(
        long,
        global = true,
        env = "GLASSHOUSE_SANDBOX_STATUS_DELAY_MS",
        default_value_t = 1500
    )]
    pub(crate) sandbox_status_delay_ms: u64,

    /// Accept a sandbox as the provider although the public URL is https: players of such a casino
    /// pay no real money
    #[arg(
        long,
        global = true,
        env = "GLASSHOUSE_ALLOW_SANDBOX",
        default_value = "off"
    )]
    pub(crate) allow_sandbox: Switch,
}

impl PaymentsConfiguration {
    /// How long rates are valid, and how late payments are valued.
    pub(crate) fn rates(&self) -> RateTerms {
        let is_fixed = self.fixed_rates.is_on();
        let default_minutes = if is_fixed {
            FIXED_RATE_LIFETIME_MINUTES
        } else {
            RATE_LIFETIME_MINUTES
        };
        let minutes = self.rate_lifetime_minutes.unwrap_or(default_minutes);
        RateTerms {
            is_fixed,
            life: Duration::from_mins(minutes.into()),
            provider_fee_basis_points: self.provider_fee_percent.0,
        }
    }

    /// Who pays withdrawals that are approved. The sandbox can always pay.
    pub(crate) fn payout_method(&self) -> PayoutMethod {
        let can_pay = self.url.is_none() || self.payout_secret.is_some();
        if can_pay && self.provider_payouts.is_on() {
            PayoutMethod::Provider
        } else {
            PayoutMethod::Manual
        }
    }

    /// The minimum and maximum amounts of deposits and withdrawals.
    pub(crate) const fn limits(&self) -> TransferLimits {
        TransferLimits {
            minimum_deposit: self.minimum_deposit,
            maximum_deposit: self.maximum_deposit,
            maximum_withdrawal: self.maximum_withdrawal,
        }
    }

    /// Checks settings that the argument parser cannot validate by type.
    pub(super) fn check(&self) -> Result<(), String> {
        if self.minimum_deposit > self.maximum_deposit {
            return Err(
                "GLASSHOUSE_MINIMUM_DEPOSIT must not be more than GLASSHOUSE_MAXIMUM_DEPOSIT"
                    .to_owned(),
            );
        }
        if self.maximum_withdrawal < MINIMUM_WITHDRAWAL {
            return Err(format!(
                "GLASSHOUSE_MAXIMUM_WITHDRAWAL must be at least {MINIMUM_WITHDRAWAL}, the \
                 minimum withdrawal"
            ));
        }
        Ok(())
    }
}

/// Parses an amount greater than zero.
fn dollars(text: &str) -> Result<Money, String> {
    Money::parse(text)
        .ok()
        .filter(|amount| amount.is_positive())
        .ok_or_else(|| "must be an amount in US dollars such as 100.00".to_owned())
}

/// Parses a percentage with at most two decimals, below 50 %.
fn basis_points(text: &str) -> Result<BasisPoints, String> {
    // A percentage with two decimals has the same format as dollars with cents.
    Money::parse(text)
        .ok()
        .and_then(|percent| u32::try_from(percent.cents()).ok())
        .filter(|points| *points < 5_000)
        .map(BasisPoints)
        .ok_or_else(|| "must be a percentage such as 1 or 0.5".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentages_are_parsed_to_two_decimals() {
        let check = |text: &str, points: Option<u32>| {
            assert_eq!(basis_points(text).ok(), points.map(BasisPoints), "{text}");
        };
        check("1", Some(100));
        check("0", Some(0));
        check("0.5", Some(50));
        check("1.25", Some(125));
        for invalid in ["", "-1", "1 %", "0.001", "50", "a"] {
            check(invalid, None);
        }
    }

    #[test]
    fn amounts_must_be_positive() {
        assert_eq!(dollars("0.01"), Ok(Money::from_cents(1)));
        assert_eq!(dollars("100000.00"), Ok(Money::from_cents(10_000_000)));
        for invalid in ["", "0", "0.00", "-1", "1e3", "0.001"] {
            assert!(dollars(invalid).is_err(), "{invalid}");
        }
    }
}
