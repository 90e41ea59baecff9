//! What `glasshouse doctor` says about addresses, services and what the settings expose.

use std::net::TcpListener;

use glasshouse_testing::TestSmtpServer;
use tempfile::TempDir;

use crate::doctor::{assert_line, doctor};
use crate::sandbox_payments::sandbox_keys;
use crate::support::{Server, free_address};

#[test]
fn addresses_in_use_have_a_line() {
    let folder = TempDir::new().unwrap();
    for (variable, item) in [
        ("GLASSHOUSE_BIND", "Address"),
        ("GLASSHOUSE_METRICS_BIND", "Metrics address"),
        ("GLASSHOUSE_SANDBOX_BIND", "Sandbox address"),
    ] {
        let address = free_address();
        let _listener = TcpListener::bind(&address).unwrap();
        let said = doctor(folder.path(), &[(variable, &address)], 3);
        assert_line(&said, &format!("WARNING {item}: {address} is in use"), "");
    }
    // An address of another machine.
    let said = doctor(
        folder.path(),
        &[("GLASSHOUSE_METRICS_BIND", "192.0.2.1:80")],
        1,
    );
    assert_line(
        &said,
        "PROBLEM Metrics address: ",
        "Cannot listen on 192.0.2.1:80",
    );
}

#[tokio::test]
async fn the_provider_is_asked_whether_it_accepts_the_keys() {
    let server = Server::start();
    let folder = TempDir::new().unwrap();
    let keys = sandbox_keys(&server.folder);
    let url = format!("http://{}/v1", server.sandbox_address);
    let password = keys["password"].as_str().unwrap();
    let ask = |api_key: &str, password: &str, code: i32| {
        let settings = [
            ("GLASSHOUSE_PAYMENTS_URL", url.as_str()),
            ("GLASSHOUSE_PAYMENTS_API_KEY", api_key),
            ("GLASSHOUSE_PAYMENTS_IPN_SECRET", "a-secret-of-callbacks"),
            ("GLASSHOUSE_PAYMENTS_EMAIL", "casino@sandbox.example"),
            ("GLASSHOUSE_PAYMENTS_PASSWORD", password),
        ];
        let said = doctor(folder.path(), &settings, code);
        for secret in [api_key, password, "a-secret-of-callbacks"] {
            assert!(!said.contains(secret), "a secret was printed");
        }
        said
    };
    let api_key = keys["api_key"].as_str().unwrap();
    let said = ask("wrong-key-0123456789", password, 1);
    assert_line(
        &said,
        "PROBLEM Payment provider: ",
        "does not accept the API key",
    );
    let said = ask(api_key, "wrong-password", 1);
    assert_line(&said, "OK      Payment provider: ", "accepts the API key");
    assert_line(
        &said,
        "PROBLEM Provider account: ",
        "does not accept the e-mail and password",
    );
    let nowhere = [
        ("GLASSHOUSE_PAYMENTS_URL", "http://127.0.0.1:1/v1"),
        ("GLASSHOUSE_PAYMENTS_API_KEY", api_key),
        ("GLASSHOUSE_PAYMENTS_IPN_SECRET", "a-secret-of-callbacks"),
    ];
    let said = doctor(folder.path(), &nowhere, 1);
    assert_line(&said, "PROBLEM Payment provider: ", "cannot be used");
    let half = [("GLASSHOUSE_PAYMENTS_API_KEY", api_key)];
    let said = doctor(folder.path(), &half, 1);
    assert_line(
        &said,
        "PROBLEM Payment provider: ",
        "GLASSHOUSE_PAYMENTS_URL is not",
    );
}

#[test]
fn the_mail_server_is_asked_and_gets_no_mail() {
    let folder = TempDir::new().unwrap();
    let smtp = TestSmtpServer::start();
    let url = format!("smtp://me:s3cret-word@{}", smtp.address);
    let from = ("GLASSHOUSE_MAIL_FROM", "casino@example.com");
    let said = doctor(folder.path(), &[("GLASSHOUSE_SMTP_URL", &url), from], 0);
    assert_line(&said, "OK      Mails: ", "accepts the sign-in");
    assert_eq!(smtp.authentications().len(), 1);
    assert!(smtp.mails().is_empty());
    let nowhere = ("GLASSHOUSE_SMTP_URL", "smtp://me:s3cret-word@127.0.0.1:1");
    let said = doctor(folder.path(), &[nowhere, from], 1);
    assert_line(&said, "PROBLEM Mails: ", "cannot be used");
    assert!(!said.contains("s3cret-word"), "{said}");
    let said = doctor(folder.path(), &[nowhere], 1);
    assert_line(&said, "PROBLEM Mails: ", "set GLASSHOUSE_MAIL_FROM");
}

#[test]
fn risky_settings_of_a_public_house_have_a_line() {
    let folder = TempDir::new().unwrap();
    let public = ("GLASSHOUSE_PUBLIC_URL", "https://play.example");
    let said = doctor(folder.path(), &[public], 1);
    assert_line(
        &said,
        "PROBLEM Payment provider: ",
        "There is no payment provider",
    );
    assert_line(&said, "WARNING Exposure: ", "GLASSHOUSE_BEHIND_PROXY=on");
    assert_line(&said, "WARNING Exposure: ", "there is no SMTP server");
    assert_line(&said, "WARNING Alerts: ", "nobody gets them");
    let sandbox = [
        public,
        ("GLASSHOUSE_SANDBOX", "on"),
        ("GLASSHOUSE_ALLOW_SANDBOX", "on"),
    ];
    let said = doctor(folder.path(), &sandbox, 3);
    assert_line(
        &said,
        "WARNING Payment provider: ",
        "players pay no real money",
    );
    let plain = ("GLASSHOUSE_PUBLIC_URL", "http://play.example");
    let said = doctor(folder.path(), &[plain], 3);
    assert_line(&said, "WARNING Public address: ", "is not https");
    for (setting, item, part) in [
        (
            ("GLASSHOUSE_PUBLIC_URL", "play.example"),
            "Settings",
            "GLASSHOUSE_PUBLIC_URL must be",
        ),
        (
            ("GLASSHOUSE_ALERT_MAIL", "nobody"),
            "Settings",
            "is not an e-mail address",
        ),
        (
            ("GLASSHOUSE_WITNESSES", "nobody"),
            "Witnesses",
            "GLASSHOUSE_WITNESSES",
        ),
    ] {
        let said = doctor(folder.path(), &[setting], 1);
        assert_line(&said, &format!("PROBLEM {item}: "), part);
    }
    let many = ("GLASSHOUSE_MAX_CONNECTIONS", "1000000000000");
    assert_line(
        &doctor(folder.path(), &[many], 3),
        "WARNING Open files: ",
        "raise the limit",
    );
}
