//! Configurations without a valid payment provider: each is refused with one line, before anything
//! is started or written.

use std::fs;
use std::process::{Output, Stdio};
use std::time::Duration;

use tempfile::TempDir;

use crate::private_data::{make_private, write_private};
use crate::support::{command, free_address, wait};

const URL: (&str, &str) = ("GLASSHOUSE_PAYMENTS_URL", "https://pay.example/v1");
const KEY: (&str, &str) = ("GLASSHOUSE_PAYMENTS_API_KEY", "h1dden-key");
const IPN: (&str, &str) = ("GLASSHOUSE_PAYMENTS_IPN_SECRET", "h1dden-ipn");
const EMAIL: (&str, &str) = ("GLASSHOUSE_PAYMENTS_EMAIL", "house@casino.example");
const PASSWORD: (&str, &str) = ("GLASSHOUSE_PAYMENTS_PASSWORD", "h1dden-password");
const HTTPS: (&str, &str) = ("GLASSHOUSE_PUBLIC_URL", "https://casino.example");
const ON: (&str, &str) = ("GLASSHOUSE_SANDBOX", "on");
const OFF: (&str, &str) = ("GLASSHOUSE_SANDBOX", "off");

/// Starts the server with settings that must be refused, and returns its output.
fn refused_start(folder: &TempDir, settings: &[(&str, &str)]) -> Output {
    let mut process = command(folder.path(), &free_address(), &free_address())
        .envs(settings.iter().copied())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let status = wait(&mut process, Duration::from_secs(20));
    let _ = process.kill();
    let output = process.wait_with_output().unwrap();
    assert!(status.is_some(), "{settings:?} was not refused");
    output
}

#[track_caller]
fn assert_refused_with(settings: &[(&str, &str)], message: &str) {
    let folder = TempDir::new().unwrap();
    let output = refused_start(&folder, settings);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{settings:?}: {stderr}");
    assert!(
        stderr.starts_with("glasshouse: ") && stderr.contains(message),
        "{settings:?}: {stderr}"
    );
    assert_eq!(stderr.lines().count(), 1, "expected one line: {stderr}");
    assert!(!stderr.contains("h1dden"), "{stderr}");
    assert!(output.stdout.is_empty(), "{settings:?}");
    assert!(
        !folder.path().join("data").exists(),
        "{settings:?} created files"
    );
}

fn provider(url: &'static str) -> [(&'static str, &'static str); 3] {
    [("GLASSHOUSE_PAYMENTS_URL", url), KEY, IPN]
}

#[test]
fn a_provider_needs_its_url_and_both_keys() {
    assert_refused_with(&[URL], "GLASSHOUSE_PAYMENTS_API_KEY is not");
    assert_refused_with(&[URL, IPN], "GLASSHOUSE_PAYMENTS_API_KEY is not");
    assert_refused_with(&[URL, KEY], "GLASSHOUSE_PAYMENTS_IPN_SECRET is not");
    assert_refused_with(&[KEY, IPN], "GLASSHOUSE_PAYMENTS_URL is not");
    assert_refused_with(&[IPN, ON], "GLASSHOUSE_PAYMENTS_URL is not");
    assert_refused_with(&[EMAIL, PASSWORD], "GLASSHOUSE_PAYMENTS_URL is not");
    assert_refused_with(
        &[URL, KEY, IPN, EMAIL],
        "GLASSHOUSE_PAYMENTS_PASSWORD is not",
    );
    assert_refused_with(
        &[URL, KEY, IPN, PASSWORD],
        "GLASSHOUSE_PAYMENTS_EMAIL is not",
    );
}

#[test]
fn empty_values_are_refused() {
    for name in [
        "GLASSHOUSE_PAYMENTS_URL",
        "GLASSHOUSE_PAYMENTS_API_KEY",
        "GLASSHOUSE_PAYMENTS_IPN_SECRET",
        "GLASSHOUSE_PAYMENTS_EMAIL",
        "GLASSHOUSE_PAYMENTS_PASSWORD",
        "GLASSHOUSE_SANDBOX_PUBLIC_URL",
    ] {
        for nothing in ["", " \t"] {
            let settings = [URL, KEY, IPN, EMAIL, PASSWORD, (name, nothing)];
            assert_refused_with(&settings, &format!("{name} is set, but empty"));
        }
    }
    assert_refused_with(&[IPN, ("GLASSHOUSE_PAYMENTS_API_KEY", "")], "empty");
    let unsendable = ("GLASSHOUSE_PAYMENTS_API_KEY", "h1dden-ключ");
    assert_refused_with(
        &[URL, unsendable, IPN],
        "GLASSHOUSE_PAYMENTS_API_KEY must be printable ASCII",
    );
}

#[test]
fn exactly_one_provider_is_required() {
    assert_refused_with(
        &[URL, KEY, IPN, ON],
        "GLASSHOUSE_SANDBOX is on and GLASSHOUSE_PAYMENTS_URL is set",
    );
    assert_refused_with(&[OFF], "There is no payment provider: set");
    assert_refused_with(&[OFF, HTTPS], "There is no payment provider: set");
    assert_refused_with(
        &[HTTPS],
        "no payment provider, and with an https GLASSHOUSE_PUBLIC_URL",
    );
}

#[test]
fn provider_urls_are_validated() {
    for wrong in [
        "pay.example",
        "ftp://pay.example",
        "https://",
        "data:,h1dden",
        "https://me:h1dden@pay.example",
        "https://pay.example/#v1",
        "https://pay.example/v1?key=h1dden",
    ] {
        assert_refused_with(&provider(wrong), "GLASSHOUSE_PAYMENTS_URL");
    }
    for open in [
        "http://pay.example/v1",
        "http://192.168.1.2:8090/v1",
        "http://sandbox:8090/v1",
    ] {
        assert_refused_with(
            &provider(open),
            "must be https, unless the provider is on this machine",
        );
    }
    for wrong in [
        "pay.example",
        "ftp://pay.example",
        "http://pay.example/path",
    ] {
        assert_refused_with(
            &[("GLASSHOUSE_SANDBOX_PUBLIC_URL", wrong)],
            "GLASSHOUSE_SANDBOX_PUBLIC_URL must be",
        );
    }
}

#[test]
fn a_production_server_refuses_the_sandbox() {
    let message = "GLASSHOUSE_ALLOW_SANDBOX=on";
    assert_refused_with(&[HTTPS, ON], message);
    for sandbox in [
        "http://127.0.0.1:8090/v1",
        "http://localhost:8090/v1",
        "https://localhost/v1",
        "https://10.1.2.3/v1",
        "https://api-sandbox.nowpayments.io/v1",
        "https://SANDBOX.pay.example/v1",
    ] {
        let settings = [&[HTTPS], &provider(sandbox)[..]].concat();
        assert_refused_with(&settings, message);
    }
    // Plain HTTP to another host is refused even with the sandbox allowed.
    let allowed = ("GLASSHOUSE_ALLOW_SANDBOX", "on");
    let settings = [&[HTTPS, allowed], &provider("http://pay.example/v1")[..]].concat();
    assert_refused_with(&settings, "must be https");
}

#[test]
fn numbers_and_switches_are_validated() {
    for (name, value) in [
        ("GLASSHOUSE_PROVIDER_FEE_PERCENT", "50"),
        ("GLASSHOUSE_RATE_LIFETIME_MINUTES", "0"),
        ("GLASSHOUSE_MINIMUM_DEPOSIT", "0"),
        ("GLASSHOUSE_MAXIMUM_DEPOSIT", "1e3"),
        ("GLASSHOUSE_PAYMENTS_CALLS_PER_SECOND", "0"),
        ("GLASSHOUSE_OVERPAYMENT_CAP_PERCENT", "99"),
        ("GLASSHOUSE_OVERPAYMENT_CAP_PERCENT", "1001"),
        ("GLASSHOUSE_OVERPAYMENT_CAP_PERCENT", "150.5"),
        ("GLASSHOUSE_WITHDRAWAL_DELAY_HOURS", "-1"),
        ("GLASSHOUSE_WITHDRAWAL_DELAY_HOURS", "721"),
        ("GLASSHOUSE_CLOSED_ACCOUNT_RETENTION_DAYS", "0"),
        ("GLASSHOUSE_CLOSED_ACCOUNT_RETENTION_DAYS", "36501"),
        ("GLASSHOUSE_SANDBOX", "maybe"),
        ("GLASSHOUSE_SANDBOX_BIND", "nowhere"),
        ("GLASSHOUSE_SANDBOX_STATUS_DELAY_MS", "-1"),
        ("GLASSHOUSE_ALLOW_SANDBOX", ""),
    ] {
        let folder = TempDir::new().unwrap();
        let output = refused_start(&folder, &[(name, value)]);
        assert_eq!(output.status.code(), Some(2), "{name}={value}");
        let stderr = String::from_utf8_lossy(&output.stderr);
        let flag = name.trim_start_matches("GLASSHOUSE_").to_lowercase();
        assert!(stderr.contains(&flag.replace('_', "-")), "{stderr}");
    }
}

#[test]
fn damaged_files_are_reported_and_not_changed() {
    let folder = TempDir::new().unwrap();
    let data = folder.path().join("data");
    make_private(&data);
    let weak = r#"{"api_key":"","ipn_secret":"","password":""}"#;
    for (file, text, code) in [
        ("sandbox.json", "{\"invoices\":{\"4", 1),
        ("sandbox-keys.json", "{\"api_key\":\"0123", 2),
        ("sandbox-keys.json", weak, 2),
    ] {
        let path = data.join(file);
        write_private(&path, text);
        let output = refused_start(&folder, &[]);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{stderr}");
        assert!(stderr.contains(&format!("data/{file} ")), "{stderr}");
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
        fs::remove_file(&path).unwrap();
    }
}

/// The other commands neither receive nor send money.
#[test]
fn other_commands_need_no_provider() {
    let folder = TempDir::new().unwrap();
    for arguments in [
        &["migrate"][..],
        &["check"],
        &["openapi"],
        &["admin", "create", "boss"],
    ] {
        let output = command(folder.path(), &free_address(), &free_address())
            .args(arguments)
            .envs([OFF, HTTPS, ("GLASSHOUSE_PAYMENTS_URL", "")])
            .output()
            .unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {stderr}");
    }
}
