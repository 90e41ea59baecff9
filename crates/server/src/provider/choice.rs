//! Determines the payment provider from the configuration, and rejects invalid configurations. Has
//! no side effects, so that every error is found before anything is started or written.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use glasshouse_payments::ClientOptions;
use url::{Host, Url};

use crate::configuration::{Configuration, PaymentsConfiguration, Switch, is_origin};

/// Suffixes of host names that only resolve within a network or a machine.
const PRIVATE_SUFFIXES: [&str; 5] = [".localhost", ".local", ".internal", ".lan", ".test"];

/// The advice to an operator who has not configured a provider.
const ADVICE: &str = "set GLASSHOUSE_PAYMENTS_URL, GLASSHOUSE_PAYMENTS_API_KEY and \
                           GLASSHOUSE_PAYMENTS_IPN_SECRET";

pub(super) enum Choice<'a> {
    /// The sandbox that starts with the casino.
    Sandbox,
    /// A provider that runs elsewhere.
    External(External<'a>),
}

pub(super) struct External<'a> {
    pub(super) url: &'a str,
    pub(super) api_key: &'a str,
    pub(super) ipn_secret: &'a str,
    pub(super) account: Option<AccountChoice<'a>>,
    /// The secret of the account's authenticator, whose codes verify payouts.
    pub(super) payout_secret: Option<&'a str>,
}

pub(super) struct AccountChoice<'a> {
    pub(super) email: &'a str,
    pub(super) password: &'a str,
}

/// Returns the configured provider, or one sentence on what is wrong.
pub(super) fn choose(configuration: &Configuration) -> Result<Choice<'_>, String> {
    let payments = &configuration.payments;
    refuse_empty(payments)?;
    if let Some(url) = &payments.sandbox_public_url
        && !is_origin(url)
    {
        return Err(format!(
            "GLASSHOUSE_SANDBOX_PUBLIC_URL must be http://HOST or https://HOST without a path, not \
             {url}"
        ));
    }
    match &payments.url {
        None => choose_sandbox(configuration),
        Some(url) => choose_external(configuration, url),
    }
}

/// Rejects empty values: an operator who sets one has made a mistake, which is most dangerous for
/// the IPN secret.
fn refuse_empty(payments: &PaymentsConfiguration) -> Result<(), String> {
    for (name, value) in [
        ("GLASSHOUSE_PAYMENTS_URL", &payments.url),
        ("GLASSHOUSE_PAYMENTS_API_KEY", &payments.api_key),
        ("GLASSHOUSE_PAYMENTS_IPN_SECRET", &payments.ipn_secret),
        ("GLASSHOUSE_PAYMENTS_EMAIL", &payments.email),
        ("GLASSHOUSE_PAYMENTS_PASSWORD", &payments.password),
        ("GLASSHOUSE_PAYMENTS_PAYOUT_SECRET", &payments.payout_secret),
        (
            "GLASSHOUSE_SANDBOX_PUBLIC_URL",
            &payments.sandbox_public_url,
        ),
    ] {
        if value.as_ref().is_some_and(|value| value.trim().is_empty()) {
            return Err(format!(
                "{name} is set, but empty: give it a value or remove it"
            ));
        }
    }
    Ok(())
}

fn choose_sandbox(configuration: &Configuration) -> Result<Choice<'_>, String> {
    let payments = &configuration.payments;
    for (name, value) in [
        ("GLASSHOUSE_PAYMENTS_API_KEY", &payments.api_key),
        ("GLASSHOUSE_PAYMENTS_IPN_SECRET", &payments.ipn_secret),
        ("GLASSHOUSE_PAYMENTS_EMAIL", &payments.email),
        ("GLASSHOUSE_PAYMENTS_PASSWORD", &payments.password),
        ("GLASSHOUSE_PAYMENTS_PAYOUT_SECRET", &payments.payout_secret),
    ] {
        if value.is_some() {
            return Err(format!(
                "{name} is set, but GLASSHOUSE_PAYMENTS_URL is not: set it to the address of the \
                 provider that it belongs to"
            ));
        }
    }
    match payments.sandbox {
        None if configuration.is_https() => Err(format!(
            "There is no payment provider, and with an https GLASSHOUSE_PUBLIC_URL the sandbox does not \
             start by default: {ADVICE}, or GLASSHOUSE_SANDBOX=on with GLASSHOUSE_ALLOW_SANDBOX=on to try \
             the casino without real money"
        )),
        Some(Switch::Off) => Err(format!(
            "There is no payment provider: {ADVICE}, or GLASSHOUSE_SANDBOX=on to try the casino \
             without real money"
        )),
        Some(Switch::On) if is_refused_in_production(configuration) => {
            Err(refused_in_production("the payment provider is the sandbox"))
        }
        None | Some(Switch::On) => Ok(Choice::Sandbox),
    }
}

fn choose_external<'a>(
    configuration: &'a Configuration,
    address: &'a str,
) -> Result<Choice<'a>, String> {
    let payments = &configuration.payments;
    if payments.sandbox == Some(Switch::On) {
        return Err(
            "GLASSHOUSE_SANDBOX is on and GLASSHOUSE_PAYMENTS_URL is set, but the casino can have \
             only one payment provider: remove one of them"
                .to_owned(),
        );
    }
    let required = |name: &str, value: &'a Option<String>| {
        value.as_deref().map(str::trim).ok_or_else(|| {
            format!("GLASSHOUSE_PAYMENTS_URL is set, but {name} is not: set it as well")
        })
    };
    let api_key = required("GLASSHOUSE_PAYMENTS_API_KEY", &payments.api_key)?;
    let ipn_secret = required("GLASSHOUSE_PAYMENTS_IPN_SECRET", &payments.ipn_secret)?;
    check_address(configuration, address)?;
    Ok(Choice::External(External {
        url: address,
        api_key,
        ipn_secret,
        account: account(payments)?,
        payout_secret: payout_secret(payments)?,
    }))
}

fn payout_secret(payments: &PaymentsConfiguration) -> Result<Option<&str>, String> {
    if payments.payout_secret.is_some() && payments.email.is_none() {
        return Err(
            "GLASSHOUSE_PAYMENTS_PAYOUT_SECRET is set, but GLASSHOUSE_PAYMENTS_EMAIL and \
             GLASSHOUSE_PAYMENTS_PASSWORD are not: set them as well, because payouts need the account"
                .to_owned(),
        );
    }
    Ok(payments.payout_secret.as_deref().map(str::trim))
}

fn account(payments: &PaymentsConfiguration) -> Result<Option<AccountChoice<'_>>, String> {
    let half = |given: &str, missing: &str| {
        Err(format!(
            "{given} is set, but {missing} is not: set both or neither"
        ))
    };
    match (&payments.email, &payments.password) {
        (None, None) => Ok(None),
        (Some(email), Some(password)) => Ok(Some(AccountChoice { email, password })),
        (Some(_), None) => half("GLASSHOUSE_PAYMENTS_EMAIL", "GLASSHOUSE_PAYMENTS_PASSWORD"),
        (None, Some(_)) => half("GLASSHOUSE_PAYMENTS_PASSWORD", "GLASSHOUSE_PAYMENTS_EMAIL"),
    }
}

fn check_address(configuration: &Configuration, address: &str) -> Result<(), String> {
    // The value is not shown, because it may contain a key by mistake.
    let url = ClientOptions::address(address);
    let host = url.as_ref().and_then(Url::host);
    let (Some(url), Some(host)) = (&url, host) else {
        return Err(
            "GLASSHOUSE_PAYMENTS_URL must be an address such as https://api.nowpayments.io/v1, without \
             user, query or fragment"
                .to_owned(),
        );
    };
    if url.scheme() == "http" && !is_this_machine(&host) {
        return Err(
            "GLASSHOUSE_PAYMENTS_URL must be https, unless the provider is on this machine: over \
             http, the API key could be intercepted"
                .to_owned(),
        );
    }
    let is_sandbox = url.scheme() == "http" || is_sandbox(&host);
    if is_sandbox && is_refused_in_production(configuration) {
        return Err(refused_in_production(&format!(
            "the payment provider at {host} is a sandbox"
        )));
    }
    Ok(())
}

fn is_refused_in_production(configuration: &Configuration) -> bool {
    configuration.is_https() && !configuration.payments.allow_sandbox.is_on()
}

fn refused_in_production(reason: &str) -> String {
    format!(
        "GLASSHOUSE_PUBLIC_URL is https, but {reason}, where nobody pays real money: {ADVICE} to \
         those of the real provider, or GLASSHOUSE_ALLOW_SANDBOX=on to start the casino anyway"
    )
}

/// Whether a host is this machine.
pub(crate) fn is_this_machine(host: &Host<&str>) -> bool {
    match host {
        Host::Domain(name) => {
            let name = name.trim_end_matches('.');
            name == "localhost" || name.ends_with(".localhost")
        }
        Host::Ipv4(address) => address.is_loopback(),
        Host::Ipv6(address) => address.to_canonical().is_loopback(),
    }
}

/// Whether the host is a sandbox: a real provider is neither in a private network nor named a
/// sandbox.
fn is_sandbox(host: &Host<&str>) -> bool {
    match host {
        Host::Domain(name) => {
            let name = name.trim_end_matches('.');
            name.contains("sandbox")
                || !name.contains('.')
                || PRIVATE_SUFFIXES.iter().any(|suffix| name.ends_with(suffix))
        }
        Host::Ipv4(address) => is_private_v4(*address),
        Host::Ipv6(address) => match address.to_canonical() {
            IpAddr::V4(address) => is_private_v4(address),
            IpAddr::V6(address) => is_private_v6(address),
        },
    }
}

fn is_private_v4(address: Ipv4Addr) -> bool {
    let [first, second, ..] = address.octets();
    // Carrier-grade NAT, 100.64.0.0/10.
    let is_shared = first == 100 && (64..128).contains(&second);
    address.is_loopback()
        || address.is_private()
        || address.is_link_local()
        || address.is_unspecified()
        || is_shared
}

fn is_private_v6(address: Ipv6Addr) -> bool {
    address.is_loopback()
        || address.is_unique_local()
        || address.is_unicast_link_local()
        || address.is_unspecified()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn host_is(address: &str, matches: impl Fn(&Host<&str>) -> bool) -> bool {
        let url = Url::parse(address).unwrap();
        matches(&url.host().unwrap())
    }

    #[test]
    fn sandboxes_are_recognized() {
        for address in [
            "https://api-sandbox.nowpayments.io/v1",
            "https://API.SandBox.example",
            "https://sandbox",
            "https://provider/v1",
            "https://provider.internal.",
            "https://localhost.",
            "https://127.1",
            "https://0x7f000001",
            "https://2130706433",
            "https://10.0.0.8",
            "https://172.31.255.255",
            "https://192.168.0.1",
            "https://169.254.169.254",
            "https://100.127.0.1",
            "https://0.0.0.0",
            "https://[::1]",
            "https://[::]",
            "https://[::ffff:192.168.0.1]",
            "https://[fd00::1]",
            "https://[fe80::1]",
        ] {
            assert!(host_is(address, is_sandbox), "{address}");
        }
        for address in [
            "https://api.nowpayments.io/v1",
            "https://api.nowpayments.io/sandbox",
            "https://10.example.com",
            "https://172.32.0.1",
            "https://100.128.0.1",
            "https://8.8.8.8",
            "https://[2606:4700::1111]",
            "https://[::ffff:8.8.8.8]",
        ] {
            assert!(!host_is(address, is_sandbox), "{address}");
        }
    }

    #[test]
    fn this_machine_is_recognized() {
        for address in [
            "http://127.0.0.1:8090",
            "http://127.200.0.1",
            "http://localhost:1",
            "http://a.localhost.",
            "http://[::1]:1",
            "http://[::ffff:127.0.0.1]",
        ] {
            assert!(host_is(address, is_this_machine), "{address}");
        }
        for address in [
            "http://192.168.0.1",
            "http://localhost.example.com",
            "http://notlocalhost",
            "http://127.0.0.1.example.com",
            "http://[fd00::1]",
        ] {
            assert!(!host_is(address, is_this_machine), "{address}");
        }
    }
}
