//! The payment provider the server uses: its own sandbox, or an external one.

use std::fs;
use std::net::TcpStream;
use std::process::Stdio;
use std::time::Duration;

use glasshouse_payments::{Client, ClientOptions, PaymentFilter, Secret};
use reqwest::StatusCode;
use serde_json::{Value, json};
use tempfile::{NamedTempFile, TempDir};

use crate::sandbox_payments::{open_foreign_payment, post_form, sandbox_client, sandbox_keys};
use crate::support::{Server, command, free_address, read, wait};

/// The server's time limit for stopping: the grace period of open requests.
const STOP_LIMIT: Duration = Duration::from_secs(10);

async fn get(url: &str) -> (StatusCode, Value) {
    read(reqwest::get(url).await.unwrap()).await
}

#[tokio::test]
async fn the_sandbox_is_the_default_provider() {
    let server = Server::start();
    let address = &server.sandbox_address;
    let line = format!("Sandbox payment provider: http://{address}, money there is not real\n");
    assert!(server.said.contains(&line), "{}", server.said);
    let answer = get(&format!("http://{address}/v1/status")).await;
    assert_eq!(answer, (StatusCode::OK, json!({ "message": "OK" })));
    // Other API keys are refused.
    let options = ClientOptions::new(
        format!("http://{address}/v1"),
        Secret::new("sandbox-api-key".to_owned()).unwrap(),
    );
    assert!(Client::new(options).unwrap().currencies().await.is_err());
    assert!(
        !sandbox_client(&server)
            .currencies()
            .await
            .unwrap()
            .is_empty()
    );
}

#[tokio::test]
async fn keys_and_payments_survive_a_crash() {
    let mut server = Server::start();
    let keys = sandbox_keys(&server.folder);
    let page = open_foreign_payment(&server).await;
    let before = sandbox_client(&server)
        .payments(&PaymentFilter::default())
        .await
        .unwrap();
    let said = server.crash_and_restart();
    assert!(said.contains(&server.sandbox_address), "{said}");
    assert_eq!(sandbox_keys(&server.folder), keys);
    assert_eq!(get(&page).await.0, StatusCode::OK);
    let after = sandbox_client(&server)
        .payments(&PaymentFilter::default())
        .await
        .unwrap();
    let ids = |payments: &[glasshouse_payments::Payment]| {
        let ids = payments.iter().map(|payment| payment.id.clone());
        ids.collect::<Vec<_>>()
    };
    assert_eq!(ids(&after), ids(&before));
    assert_eq!(after.len(), 1);

    let other = Server::start();
    let others = sandbox_keys(&other.folder);
    for name in ["api_key", "ipn_secret", "password"] {
        assert_eq!(keys[name].as_str().unwrap().len(), 64, "{name}");
        assert_ne!(keys[name], others[name], "{name} is random");
    }
    assert_ne!(keys["api_key"], keys["ipn_secret"]);
}

#[cfg(unix)]
#[tokio::test]
async fn secrets_are_neither_printed_nor_logged() {
    let log = NamedTempFile::new().unwrap();
    let settings = [("GLASSHOUSE_LOG", "debug")];
    let mut server =
        Server::start_logging(&settings, Stdio::from(log.as_file().try_clone().unwrap()));
    open_foreign_payment(&server).await;
    let listed = sandbox_client(&server)
        .payments(&PaymentFilter::default())
        .await;
    assert_eq!(listed.unwrap().len(), 1);
    let responses = deposit_with_provider_failures(&server).await;
    let keys = sandbox_keys(&server.folder);
    assert!(server.stop(STOP_LIMIT).is_some());
    let logged = fs::read_to_string(log.path()).unwrap();
    assert!(logged.contains("\"DEBUG\""), "{logged}");
    assert!(
        logged.contains("called back"),
        "the sandbox's log is missing"
    );
    for name in ["api_key", "ipn_secret", "password"] {
        let secret = keys[name].as_str().unwrap();
        assert!(!logged.contains(secret), "{name} was logged");
        assert!(!server.said.contains(secret), "{name} was printed");
        assert!(!responses.contains(secret), "{name} is in a response");
    }
}

/// Makes deposits while the provider works, fails, and rate-limits us, and sends a forged callback.
/// Returns all responses.
async fn deposit_with_provider_failures(server: &Server) -> String {
    let (player, _) = server.player("depositor").await;
    let body = json!({ "amount": "60", "cryptoCurrency": "btc" });
    let mut answers = player
        .post("/api/deposits/create", &body)
        .await
        .1
        .to_string();
    let sandbox = format!("http://{}/sandbox/switches", server.sandbox_address);
    for fault in ["answer=500&count=100", "answer=429&count=100"] {
        post_form(&sandbox, fault).await;
        let (status, answer) = player.post("/api/deposits/create", &body).await;
        assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE, "{answer}");
        answers.push_str(&answer.to_string());
    }
    let forged = player
        .request(reqwest::Method::POST, "/api/payments/ipn")
        .header("x-nowpayments-sig", "0".repeat(128))
        .body(r#"{"payment_id":1}"#);
    answers.push_str(&forged.send().await.unwrap().text().await.unwrap());
    answers.push_str(&player.get("/api/deposits").await.1.to_string());
    answers
}

#[test]
fn help_shows_no_secrets_from_the_environment() {
    let folder = TempDir::new().unwrap();
    let secrets = [
        ("GLASSHOUSE_PAYMENTS_API_KEY", "h1dden-key"),
        ("GLASSHOUSE_PAYMENTS_IPN_SECRET", "h1dden-ipn"),
        ("GLASSHOUSE_PAYMENTS_PASSWORD", "h1dden-password"),
    ];
    for arguments in [["serve", "--help"], ["serve", "-h"], ["help", "serve"]] {
        let output = command(folder.path(), &free_address(), &free_address())
            .args(arguments)
            .envs(secrets)
            .output()
            .unwrap();
        assert!(output.status.success());
        let stdout = String::from_utf8_lossy(&output.stdout);
        for (name, _) in secrets {
            assert!(stdout.contains(name), "{stdout}");
        }
        assert!(!stdout.contains("h1dden"), "{stdout}");
    }
}

/// Even while a call hangs because of an injected fault.
#[cfg(unix)]
#[tokio::test]
async fn the_sandbox_stops_with_the_server() {
    let mut server = Server::start();
    let sandbox = format!("http://{}", server.sandbox_address);
    let switches = post_form(
        &format!("{sandbox}/sandbox/switches"),
        "answer=hang&count=100",
    )
    .await;
    assert_eq!(switches, StatusCode::OK);
    let hanging = tokio::spawn(reqwest::get(format!("{sandbox}/v1/status")));
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert!(!hanging.is_finished());
    let status = server.stop(STOP_LIMIT);
    assert!(status.is_some_and(|status| status.success()), "{status:?}");
    assert!(TcpStream::connect(&server.sandbox_address).is_err());
    assert!(hanging.await.unwrap().is_err());
}

#[test]
fn a_second_process_on_the_same_address_or_folder_is_refused() {
    let server = Server::start();
    let folder = TempDir::new().unwrap();
    let failed_start = |folder: &TempDir, sandbox_address: &str| {
        let mut process = command(folder.path(), &free_address(), sandbox_address)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let status = wait(&mut process, STOP_LIMIT);
        let _ = process.kill();
        let output = process.wait_with_output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(status.and_then(|status| status.code()), Some(1), "{stderr}");
        stderr
    };
    let stderr = failed_start(&folder, &server.sandbox_address);
    let message = format!(
        "glasshouse: The sandbox cannot listen on {}",
        server.sandbox_address
    );
    assert!(stderr.starts_with(&message), "{stderr}");
    assert!(stderr.contains("GLASSHOUSE_SANDBOX_BIND"), "{stderr}");
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
    // Two processes would overwrite each other's data.
    let stderr = failed_start(&server.folder, &free_address());
    assert!(
        stderr.contains("sandbox.json cannot be used: another process"),
        "{stderr}"
    );
}

/// For example in a container, where browsers reach the pages at another address than the casino
/// reaches the API.
#[tokio::test]
async fn the_sandboxs_pages_can_have_another_public_url() {
    let server = Server::start_with(&[("GLASSHOUSE_SANDBOX_PUBLIC_URL", "http://pay.example/")]);
    let line = "Sandbox payment provider: http://pay.example, ";
    assert!(server.said.contains(line), "{}", server.said);
    assert!(sandbox_client(&server).status().await.is_ok());
}

#[test]
fn an_external_provider_replaces_the_sandbox() {
    let url = ("GLASSHOUSE_PAYMENTS_URL", "https://pay.example/v1");
    let keys = [
        ("GLASSHOUSE_PAYMENTS_API_KEY", "k3y"),
        ("GLASSHOUSE_PAYMENTS_IPN_SECRET", "s3cret"),
    ];
    let account = [
        ("GLASSHOUSE_PAYMENTS_EMAIL", "house@casino.example"),
        ("GLASSHOUSE_PAYMENTS_PASSWORD", "p4ss"),
    ];
    let https = ("GLASSHOUSE_PUBLIC_URL", "https://casino.example");
    let allowed = ("GLASSHOUSE_ALLOW_SANDBOX", "on");
    let local = ("GLASSHOUSE_PAYMENTS_URL", "http://127.0.0.1:1/v1");
    let other = (
        "GLASSHOUSE_PAYMENTS_URL",
        "https://api-sandbox.pay.example/v1",
    );
    for settings in [
        [&[url], &keys[..]].concat(),
        [&[url, https], &keys[..], &account[..]].concat(),
        [&[local], &keys[..]].concat(),
        [&[local, https, allowed], &keys[..]].concat(),
        [&[other], &keys[..]].concat(),
        [&[other, https, allowed], &keys[..]].concat(),
    ] {
        let server = Server::start_with(&settings);
        let line = format!("Payment provider: {}\n", settings[0].1);
        assert!(server.said.contains(&line), "{}", server.said);
        assert!(!server.said.contains("Sandbox"), "{}", server.said);
        assert!(TcpStream::connect(&server.sandbox_address).is_err());
        let keys_file = server.folder.path().join("data/sandbox-keys.json");
        assert!(!keys_file.exists());
    }
    let server = Server::start_with(&[https, allowed, ("GLASSHOUSE_SANDBOX", "on")]);
    assert!(server.said.contains("money there is not real"));
}
