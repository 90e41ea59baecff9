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
    assert!(matches!(second.err(), Some(SandboxError::Listening { .. })));
    let without = Sandbox::start(SandboxOptions {
        ipn_secret: String::new(),
        ..SandboxOptions::for_tests()
    });
    assert!(without.is_err());
}

/// As a kill in the middle of a change leaves it: what was written before counts.
#[tokio::test]
async fn half_a_change_is_as_none() {
    let folder = tempfile::tempdir().unwrap();
    // The folder is made, too.
    let data = folder.path().join("new/data/sandbox.json");
    let options = SandboxOptions {
        data: Some(data.clone()),
        ..SandboxOptions::for_tests()
    };
    let invoice = World::start_with(options.clone()).invoice(1_000).await;
    let whole = std::fs::read(&data).unwrap();
    let half = whole.get(..whole.len() / 2).unwrap();
    std::fs::write(data.with_added_extension("new"), half).unwrap();
    let world = World::start_with(options.clone());
    let kept = world.sandbox.invoices();
    assert_eq!(kept, [(invoice.id, Some("order-é/1".to_owned()))]);
    world.invoice(2_000).await;
    assert_eq!(world.sandbox.invoices().len(), 2);
    drop(world);

    // A file that something else has cut off is not begun anew in silence.
    std::fs::write(&data, half).unwrap();
    let told = Sandbox::start(options).unwrap_err().to_string();
    assert!(told.contains("sandbox.json is damaged"), "{told}");
    assert_eq!(std::fs::read(&data).unwrap(), half);
}

#[test]
fn two_do_not_share_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let options = SandboxOptions {
        data: Some(folder.path().join("sandbox.json")),
        ..SandboxOptions::for_tests()
    };
    let first = Sandbox::start(options.clone()).unwrap();
    let told = Sandbox::start(options.clone()).unwrap_err().to_string();
    assert!(told.contains("another process uses it"), "{told}");
    drop(first);
    Sandbox::start(options).unwrap();
}

/// Behind a proxy or in a container, browsers reach the pages elsewhere than the house the API.
#[tokio::test]
async fn the_api_is_reached_where_it_listens() {
    let world = World::start_with(SandboxOptions {
        public_url: Some("http://pay.example/".to_owned()),
        ..SandboxOptions::for_tests()
    });
    assert_eq!(world.sandbox.address(), "http://pay.example");
    let invoice = world.invoice(1_000).await;
    let page = format!("http://pay.example/pay/{}", invoice.id);
    assert_eq!(invoice.invoice_url, page);
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
