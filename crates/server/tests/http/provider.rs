//! The payment provider that the server starts with: the sandbox, or one elsewhere.

use std::fs;
use std::net::TcpStream;
use std::process::Stdio;
use std::time::Duration;

use glasshouse_domain::Money;
use glasshouse_payments::{
    Account, Client, ClientOptions, InvoiceRequest, PaymentFilter, RetryPolicy, Secret,
};
use reqwest::StatusCode;
use serde_json::{Value, json};
use tempfile::{NamedTempFile, TempDir};

use crate::support::{Server, command, free_address, read, wait};

/// What a server may take to stop: no more than the grace that open requests have.
const STOP_LIMIT: Duration = Duration::from_secs(10);

/// The sandbox's keys as the first start has kept them.
fn kept_keys(folder: &TempDir) -> Value {
    let path = folder.path().join("data/sandbox-keys.json");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "only the owner reads the keys");
    }
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

fn client(server: &Server) -> Client {
    let keys = kept_keys(&server.folder);
    let secret = |name: &str| Secret::new(keys[name].as_str().unwrap().to_owned()).unwrap();
    let url = format!("http://{}/v1", server.sandbox_address);
    let mut options = ClientOptions::new(url, secret("api_key"));
    options.account = Some(Account {
        email: "house@sandbox.example".to_owned(),
        password: secret("password"),
    });
    options.retry = RetryPolicy::NEVER;
    Client::new(options).unwrap()
}

/// An invoice, with a payment that waits; its page.
pub(crate) async fn open_payment(server: &Server) -> String {
    let house = format!("http://{}", server.address);
    let request = InvoiceRequest {
        price: Money::from_cents(2_000),
        order_id: "order-1".to_owned(),
        order_description: "A deposit".to_owned(),
        pay_currency: None,
        ipn_callback_url: format!("{house}/api/nothing"),
        success_url: house.clone(),
        cancel_url: house,
        is_fixed_rate: false,
    };
    let page = client(server)
        .create_invoice(&request)
        .await
        .unwrap()
        .invoice_url;
    let form = post_form(&format!("{page}/open"), "currency=btc").await;
    assert_eq!(form, StatusCode::OK);
    page
}

pub(crate) async fn post_form(url: &str, form: &str) -> StatusCode {
    reqwest::Client::new()
        .post(url)
        .header("content-type", "application/x-www-form-urlencoded")
        .body(form.to_owned())
        .send()
        .await
        .unwrap()
        .status()
}

async fn get(url: &str) -> (StatusCode, Value) {
    read(reqwest::get(url).await.unwrap()).await
}

#[tokio::test]
async fn a_sandbox_starts_by_default() {
    let server = Server::start();
    let address = &server.sandbox_address;
    let line = format!("Sandbox payment provider: http://{address}, money there is not real\n");
    assert!(server.said.contains(&line), "{}", server.said);
    let answer = get(&format!("http://{address}/v1/status")).await;
    assert_eq!(answer, (StatusCode::OK, json!({ "message": "OK" })));
    // Nobody else's keys are taken.
    let options = ClientOptions::new(
        format!("http://{address}/v1"),
        Secret::new("sandbox-api-key".to_owned()).unwrap(),
    );
    assert!(Client::new(options).unwrap().currencies().await.is_err());
    assert!(!client(&server).currencies().await.unwrap().is_empty());
}

#[tokio::test]
async fn keys_and_payments_outlive_a_crash() {
    let mut server = Server::start();
    let keys = kept_keys(&server.folder);
    let page = open_payment(&server).await;
    let before = client(&server)
        .payments(&PaymentFilter::default())
        .await
        .unwrap();
    let said = server.crash_and_restart();
    assert!(said.contains(&server.sandbox_address), "{said}");
    assert_eq!(kept_keys(&server.folder), keys);
    assert_eq!(get(&page).await.0, StatusCode::OK);
    let after = client(&server)
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
    let others = kept_keys(&other.folder);
    for name in ["api_key", "ipn_secret", "password"] {
        assert_eq!(keys[name].as_str().unwrap().len(), 64, "{name}");
        assert_ne!(keys[name], others[name], "{name} is random");
    }
    assert_ne!(keys["api_key"], keys["ipn_secret"]);
}

#[cfg(unix)]
#[tokio::test]
async fn no_secret_is_said_or_logged() {
    let log = NamedTempFile::new().unwrap();
    let settings = [("GLASSHOUSE_LOG", "debug")];
    let mut server =
        Server::start_logging(&settings, Stdio::from(log.as_file().try_clone().unwrap()));
    open_payment(&server).await;
    let listed = client(&server).payments(&PaymentFilter::default()).await;
    assert_eq!(listed.unwrap().len(), 1);
    let answers = deposit_with_trouble(&server).await;
    let keys = kept_keys(&server.folder);
    assert!(server.stop(STOP_LIMIT).is_some());
    let logged = fs::read_to_string(log.path()).unwrap();
    assert!(logged.contains("\"DEBUG\""), "{logged}");
    assert!(logged.contains("called back"), "the sandbox logs, too");
    for name in ["api_key", "ipn_secret", "password"] {
        let secret = keys[name].as_str().unwrap();
        assert!(!logged.contains(secret), "{name} is in the log");
        assert!(!server.said.contains(secret), "{name} is in what is said");
        assert!(!answers.contains(secret), "{name} is in an answer");
    }
}

/// Deposits while the provider answers, refuses, and takes our key for a wrong one; all answers.
async fn deposit_with_trouble(server: &Server) -> String {
    let (player, _) = server.player("depositor").await;
    let body = json!({ "amount": "60", "cryptoCurrency": "btc" });
    let mut answers = player
        .post("/api/deposits/create", &body)
        .await
        .1
        .to_string();
    let sandbox = format!("http://{}/sandbox/switches", server.sandbox_address);
    for trouble in ["answer=500&count=100", "answer=429&count=100"] {
        post_form(&sandbox, trouble).await;
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
fn help_shows_no_secret_of_the_environment() {
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
        let said = String::from_utf8_lossy(&output.stdout);
        for (name, _) in secrets {
            assert!(said.contains(name), "{said}");
        }
        assert!(!said.contains("h1dden"), "{said}");
    }
}

/// Even while the sandbox keeps a call waiting, as it does when it is told to hang.
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
fn two_processes_do_not_share_an_address_or_a_folder() {
    let server = Server::start();
    let folder = TempDir::new().unwrap();
    let complaint = |folder: &TempDir, sandbox_address: &str| {
        let mut process = command(folder.path(), &free_address(), sandbox_address)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let status = wait(&mut process, STOP_LIMIT);
        let _ = process.kill();
        let output = process.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(status.and_then(|status| status.code()), Some(1), "{said}");
        said
    };
    let said = complaint(&folder, &server.sandbox_address);
    let sentence = format!(
        "glasshouse: The sandbox cannot listen on {}",
        server.sandbox_address
    );
    assert!(said.starts_with(&sentence), "{said}");
    assert!(said.contains("GLASSHOUSE_SANDBOX_BIND"), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    // Each would take back what the other has written.
    let said = complaint(&server.folder, &free_address());
    assert!(
        said.contains("sandbox.json cannot be used: another process"),
        "{said}"
    );
}

/// The browsers of a container's host, say, come to the pages elsewhere than the casino to the API.
#[tokio::test]
async fn pages_can_be_reached_elsewhere() {
    let server = Server::start_with(&[("GLASSHOUSE_SANDBOX_PUBLIC_URL", "http://pay.example/")]);
    let line = "Sandbox payment provider: http://pay.example, ";
    assert!(server.said.contains(line), "{}", server.said);
    assert!(client(&server).status().await.is_ok());
}

#[test]
fn a_provider_elsewhere_takes_the_place_of_the_sandbox() {
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
        let made = server.folder.path().join("data/sandbox-keys.json");
        assert!(!made.exists());
    }
    let server = Server::start_with(&[https, allowed, ("GLASSHOUSE_SANDBOX", "on")]);
    assert!(server.said.contains("money there is not real"));
}
