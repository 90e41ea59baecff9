//! Persistence over restarts, and the binary.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::Duration;

use glasshouse_domain::Currency;
use glasshouse_payments::{Client, ClientOptions, PaymentStatus, Secret};
use glasshouse_sandbox::{Action, Sandbox, SandboxError, SandboxOptions};

use crate::support::{Fixture, client_of};

#[tokio::test]
async fn restart_preserves_state_and_resumes_scripts() {
    let folder = tempfile::tempdir().unwrap();
    let options = SandboxOptions {
        data: Some(folder.path().join("sandbox.json")),
        ..SandboxOptions::for_tests()
    };
    let slow = SandboxOptions {
        status_delay: Duration::from_mins(10),
        ..options.clone()
    };
    let (invoice, payment) = {
        let fixture = Fixture::start_with(slow);
        let invoice = fixture.invoice(1_000).await;
        let payment = fixture
            .sandbox
            .pay(&invoice.id, Currency::Eth, &Action::PayFull)
            .unwrap();
        let status = fixture.payment(&payment).await.status;
        assert!(!status.is_final(), "{status}");
        (invoice.id, payment)
    };
    let sandbox = Sandbox::start(options).unwrap();
    assert_eq!(
        sandbox.invoices(),
        [(invoice, Some("order-é/1".to_owned()))]
    );
    sandbox.rest().await.unwrap();
    let payment = client_of(&sandbox).payment(&payment).await.unwrap();
    assert_eq!(payment.status, PaymentStatus::Finished);
}

#[test]
fn start_fails_if_the_address_is_taken_or_the_secret_is_empty() {
    let first = Sandbox::start(SandboxOptions::for_tests()).unwrap();
    let used_address = first.address().trim_start_matches("http://");
    let second = Sandbox::start(SandboxOptions {
        bind: used_address.parse().unwrap(),
        ..SandboxOptions::for_tests()
    });
    assert!(matches!(second.err(), Some(SandboxError::Listening { .. })));
    let without_secret = Sandbox::start(SandboxOptions {
        ipn_secret: String::new(),
        ..SandboxOptions::for_tests()
    });
    assert!(without_secret.is_err());
}

/// Imitates a process killed while writing: the last complete version counts.
#[tokio::test]
async fn incomplete_write_is_ignored() {
    let folder = tempfile::tempdir().unwrap();
    // The folder is created as well.
    let data = folder.path().join("new/data/sandbox.json");
    let options = SandboxOptions {
        data: Some(data.clone()),
        ..SandboxOptions::for_tests()
    };
    let invoice = Fixture::start_with(options.clone()).invoice(1_000).await;
    let complete = std::fs::read(&data).unwrap();
    let half = complete.get(..complete.len() / 2).unwrap();
    std::fs::write(data.with_added_extension("new"), half).unwrap();
    let fixture = Fixture::start_with(options.clone());
    let invoices = fixture.sandbox.invoices();
    assert_eq!(invoices, [(invoice.id, Some("order-é/1".to_owned()))]);
    fixture.invoice(2_000).await;
    assert_eq!(fixture.sandbox.invoices().len(), 2);
    drop(fixture);

    // A data file that was truncated is reported, not silently replaced.
    std::fs::write(&data, half).unwrap();
    let error = Sandbox::start(options).unwrap_err().to_string();
    assert!(error.contains("sandbox.json is damaged"), "{error}");
    assert_eq!(std::fs::read(&data).unwrap(), half);
}

#[test]
fn data_file_is_locked_against_a_second_process() {
    let folder = tempfile::tempdir().unwrap();
    let options = SandboxOptions {
        data: Some(folder.path().join("sandbox.json")),
        ..SandboxOptions::for_tests()
    };
    let first = Sandbox::start(options.clone()).unwrap();
    let error = Sandbox::start(options.clone()).unwrap_err().to_string();
    assert!(error.contains("another process uses it"), "{error}");
    drop(first);
    Sandbox::start(options).unwrap();
}

/// Behind a proxy or in a container, browsers use a different URL than the house.
#[tokio::test]
async fn invoice_pages_use_the_public_url() {
    let fixture = Fixture::start_with(SandboxOptions {
        public_url: Some("http://pay.example/".to_owned()),
        ..SandboxOptions::for_tests()
    });
    assert_eq!(fixture.sandbox.address(), "http://pay.example");
    let invoice = fixture.invoice(1_000).await;
    let page = format!("http://pay.example/pay/{}", invoice.id);
    assert_eq!(invoice.invoice_url, page);
}

#[tokio::test]
async fn binary_serves_requests() {
    let mut process = Command::new(env!("CARGO_BIN_EXE_glasshouse-sandbox"))
        .env_clear()
        .args([
            "--bind",
            "127.0.0.1:0",
            "--ipn-secret",
            "s",
            "--log",
            "warn",
        ])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut key = None;
    let mut address = None;
    for line in BufReader::new(process.stdout.take().unwrap()).lines() {
        let line = line.unwrap();
        if let Some(value) = line.strip_prefix("The API key is ") {
            key = Some(value.to_owned());
        }
        if let Some(value) = line.strip_prefix("The sandbox is open on ") {
            address = Some(value.to_owned());
            break;
        }
    }
    let key = Secret::new(key.unwrap()).unwrap();
    let client = Client::new(ClientOptions::new(format!("{}/v1", address.unwrap()), key)).unwrap();
    assert!(client.currencies().await.is_ok());
    process.kill().unwrap();
    process.wait().unwrap();
}
