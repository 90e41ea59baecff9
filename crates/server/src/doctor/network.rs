//! The addresses that the server listens on, and the services that it calls.

use std::io::ErrorKind;
use std::net::{SocketAddr, TcpListener};
use std::time::Duration;

use actix_web::rt::time::timeout;
use glasshouse_payments::ClientError;

use super::findings::Findings;
use crate::configuration::Configuration;
use crate::http_server::listen_failure;
use crate::provider::{self, ProviderSetUp};
use crate::{Failure, mailer};

/// How long a service may take to answer.
const PATIENCE: Duration = Duration::from_secs(20);

pub(super) async fn examine(configuration: &Configuration, findings: &mut Findings) {
    examine_address("Address", configuration.bind, findings);
    examine_address("Metrics address", configuration.metrics_bind, findings);
    match provider::external(configuration) {
        Err(sentence) => findings.problem("Payment provider", sentence),
        Ok(None) => {
            examine_sandbox(configuration, findings);
            let address = configuration.payments.sandbox_bind;
            examine_address("Sandbox address", address, findings);
        }
        Ok(Some(provider)) => examine_provider(configuration, &provider, findings).await,
    }
    examine_mail(configuration, findings).await;
    examine_alerts(configuration, findings);
}

fn examine_address(item: &str, address: SocketAddr, findings: &mut Findings) {
    match TcpListener::bind(address) {
        Ok(_) => findings.ok(item, format!("{address} is free")),
        Err(error) if error.kind() == ErrorKind::AddrInUse => findings.warning(
            item,
            format!(
                "{address} is in use. If the house is running, by itself; otherwise stop the program that \
                 uses it, or set another address"
            ),
        ),
        Err(error) => {
            let (Failure::Configuration(sentence) | Failure::Running(sentence)) =
                listen_failure(&address, &error);
            findings.problem(item, format!("{sentence}. Set another address"));
        }
    }
}

fn examine_sandbox(configuration: &Configuration, findings: &mut Findings) {
    let item = "Payment provider";
    if configuration.is_https() {
        findings.warning(
            item,
            "it is the sandbox, although the public URL is https: players pay no real money",
        );
    } else {
        findings.ok(item, "it is the sandbox, where money is not real");
    }
}

async fn examine_provider(
    configuration: &Configuration,
    provider: &ProviderSetUp,
    findings: &mut Findings,
) {
    let item = "Payment provider";
    let client = provider.client.without_retries();
    let shown = configuration.payments.url.as_deref().unwrap_or_default();
    // Unlike the provider's status, this needs the API key.
    match timeout(PATIENCE, client.currencies()).await {
        Err(_) => return findings.problem(item, format!("{shown} does not answer")),
        Ok(Err(error)) => return findings.problem(item, call_failure(shown, "API key", &error)),
        Ok(Ok(coins)) => findings.ok(
            item,
            format!(
                "{shown} accepts the API key, and offers {} coins",
                coins.len()
            ),
        ),
    }
    let item = "Provider account";
    if !client.can_list() {
        findings.warning(
            item,
            "without GLASSHOUSE_PAYMENTS_EMAIL and _PASSWORD, a payment is not found if all its callbacks \
             are lost",
        );
        return;
    }
    match timeout(PATIENCE, client.check_account()).await {
        Err(_) => findings.problem(item, format!("{shown} does not answer")),
        Ok(Err(error)) => {
            findings.problem(item, call_failure(shown, "e-mail and password", &error));
        }
        Ok(Ok(())) => findings.ok(item, "the provider accepts e-mail and password"),
    }
}

fn call_failure(url: &str, keys: &str, error: &ClientError) -> String {
    match error {
        ClientError::Refused {
            status: 401 | 403, ..
        } => format!("{url} does not accept the {keys} ({error}): compare with its settings"),
        _ => format!("{url} cannot be used: {error}"),
    }
}

async fn examine_mail(configuration: &Configuration, findings: &mut Findings) {
    let item = "Mails";
    let mailer = match mailer::set_up(configuration) {
        Ok(mailer) => mailer,
        Err(Failure::Configuration(sentence) | Failure::Running(sentence)) => {
            findings.problem(item, sentence);
            return;
        }
    };
    if let Some(folder) = mailer::folder(configuration) {
        // With https, the warnings about exposure say that nobody gets them.
        findings.ok(item, format!("they are written into {}", folder.display()));
        return;
    }
    match timeout(PATIENCE, mailer.try_connection()).await {
        Err(_) => findings.problem(
            item,
            "the SMTP server does not answer: check GLASSHOUSE_SMTP_URL",
        ),
        Ok(Err(error)) => findings.problem(
            item,
            format!("the SMTP server cannot be used: {error}. Check GLASSHOUSE_SMTP_URL"),
        ),
        Ok(Ok(())) => findings.ok(item, "the SMTP server accepts the sign-in"),
    }
}

fn examine_alerts(configuration: &Configuration, findings: &mut Findings) {
    let item = "Alerts";
    match configuration.alerts.options() {
        // Part of the settings, and said there.
        Err(_) => {}
        Ok(options) if options.webhook.is_some() || !options.mail_to.is_empty() => findings.ok(
            item,
            "they have receivers. glasshouse alerts test shows whether they arrive",
        ),
        Ok(_) if configuration.is_https() => findings.warning(
            item,
            "nobody gets them: set GLASSHOUSE_ALERT_WEBHOOK_URL or GLASSHOUSE_ALERT_MAIL",
        ),
        Ok(_) => findings.ok(item, "nobody gets them"),
    }
}
