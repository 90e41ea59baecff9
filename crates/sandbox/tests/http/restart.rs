//! What a restart keeps, and the binary.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::Duration;

use glasshouse_domain::Currency;
use glasshouse_payments::{Client, ClientOptions, PaymentStatus, Secret};
use glasshouse_sandbox::{Action, Sandbox, SandboxError, SandboxOptions};

use crate::support::{World, client_of};

#[tokio::test]
async fn a_restart_keeps_everything_and_goes_on() {
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
        let world = World::start_with(slow);
        let invoice = world.invoice(1_000).await;
        let payment = world
            .sandbox
            .pay(&invoice.id, Currency::Eth, &Action::PayFull)
            .unwrap();
        let still = world.payment(&payment).await.status;
        assert!(!still.is_final(), "{still}");
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
fn it_says_why_it_does_not_start() {
    let first = Sandbox::start(SandboxOptions::for_tests()).unwrap();
    let taken = first.address().trim_start_matches("http://");
    let second = Sandbox::start(SandboxOptions {
        bind: taken.parse().unwrap(),
        ..SandboxOptions::for_tests()
    });
    assert!(matches!(second.err(), Some(SandboxError::Machine(_))));
    let without = Sandbox::start(SandboxOptions {
        ipn_secret: String::new(),
        ..SandboxOptions::for_tests()
    });
    assert!(without.is_err());
}

#[tokio::test]
async fn the_binary_serves() {
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
        if let Some(told) = line.strip_prefix("The API key is ") {
            key = Some(told.to_owned());
        }
        if let Some(told) = line.strip_prefix("The sandbox is open on ") {
            address = Some(told.to_owned());
            break;
        }
    }
    let key = Secret::new(key.unwrap()).unwrap();
    let client = Client::new(ClientOptions::new(format!("{}/v1", address.unwrap()), key)).unwrap();
    assert!(client.currencies().await.is_ok());
    process.kill().unwrap();
    process.wait().unwrap();
}
