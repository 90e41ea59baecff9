//! What the house exposes: its host names, its API description, its secrets.

use std::process::Command;

use reqwest::{Method, StatusCode};

use crate::support::{Server, assert_refused, read};

#[tokio::test]
async fn unknown_host_names_are_refused() {
    let server = Server::start_with(&[
        ("GLASSHOUSE_RATE_LIMIT", "off"),
        ("GLASSHOUSE_HOSTS", "casino.internal,play.example"),
    ]);
    let visitor = server.visitor();
    let get = async |host: &str, path: &str| {
        let request = visitor.request(Method::GET, path).header("host", host);
        read(request.send().await.unwrap()).await
    };
    for path in ["/api/user", "/", "/api/openapi.json"] {
        let answer = get("evil.example", path).await;
        assert_refused(&answer, 421, "foreign_host");
    }
    // If the name were accepted, its pages would have our own origin.
    let request = visitor
        .request(Method::POST, "/api/login")
        .header("host", "evil.example")
        .header("origin", "http://evil.example")
        .json(&serde_json::json!({ "username": "admin", "password": "guess" }));
    assert_refused(
        &read(request.send().await.unwrap()).await,
        421,
        "foreign_host",
    );
    for host in [
        "casino.internal:8080",
        "PLAY.example",
        "localhost:5173",
        "192.0.2.7",
    ] {
        assert_refused(&get(host, "/api/user").await, 401, "not_signed_in");
    }
    for path in ["/healthz", "/readyz"] {
        assert_eq!(get("checker.internal", path).await.0, StatusCode::OK);
    }
}

#[tokio::test]
async fn a_public_house_does_not_publish_its_api_description() {
    let server = Server::start_with(&[
        ("GLASSHOUSE_PUBLIC_URL", "https://play.example"),
        ("GLASSHOUSE_ALLOW_SANDBOX", "on"),
        ("GLASSHOUSE_SANDBOX", "on"),
        (
            "GLASSHOUSE_SECURITY_CONTACT",
            "mailto:security@play.example",
        ),
    ]);
    let visitor = server.visitor();
    for path in ["/api/openapi.json", "/api/docs/"] {
        assert_refused(&visitor.get(path).await, 404, "unknown_call");
    }
    let (status, text) = visitor.get("/.well-known/security.txt").await;
    assert_eq!(status, StatusCode::OK);
    let text = text.as_str().unwrap();
    for line in [
        "Contact: mailto:security@play.example\n",
        "Canonical: https://play.example/.well-known/security.txt\n",
        "\nExpires: 2",
    ] {
        assert!(text.contains(line), "{text}");
    }
    let without = Server::start();
    let (status, _) = without.visitor().get("/.well-known/security.txt").await;
    assert_eq!(status, StatusCode::NOT_FOUND);
}

/// The binary's message for an invalid configuration.
fn configuration_error(arguments: &[&str], variables: &[(&str, &str)]) -> String {
    let folder = tempfile::TempDir::new().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_glasshouse"))
        .args(arguments)
        .current_dir(folder.path())
        .env_clear()
        .envs(variables.iter().copied())
        .output()
        .unwrap();
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
    message
}

#[test]
fn secrets_are_read_from_the_environment_or_files_but_not_from_flags() {
    let secret = "a-secret-of-more-than-32-characters";
    for (flag, value) in [
        ("--secret", secret),
        ("--payments-api-key", "key"),
        ("--payments-ipn-secret", "key"),
        ("--payments-password", "key"),
        ("--smtp-url", "smtps://me:word@mail.example"),
        ("--database-url", "postgres://me:word@127.0.0.1:1/casino"),
    ] {
        let message = configuration_error(&[flag, value], &[]);
        assert!(message.contains("_FILE"), "{flag}: {message}");
        assert!(!message.contains(value), "{flag}: {message}");
    }
    let folder = tempfile::TempDir::new().unwrap();
    let file = folder.path().join("secret");
    std::fs::write(&file, "short\n").unwrap();
    let file = file.to_str().unwrap();
    let from_file = configuration_error(&[], &[("GLASSHOUSE_SECRET_FILE", file)]);
    assert!(from_file.contains("at least 32 characters"), "{from_file}");
    let both = [
        ("GLASSHOUSE_SECRET_FILE", file),
        ("GLASSHOUSE_SECRET", secret),
    ];
    let twice = configuration_error(&[], &both);
    assert!(twice.contains("both set"), "{twice}");
    let missing = configuration_error(&[], &[("GLASSHOUSE_SECRET_FILE", "nowhere")]);
    assert!(missing.contains("nowhere"), "{missing}");
}

#[test]
fn an_unusable_mail_configuration_is_refused_without_its_password() {
    let url = "GLASSHOUSE_SMTP_URL";
    let from = ("GLASSHOUSE_MAIL_FROM", "casino@example.com");
    let check = |variables: &[(&str, &str)], expected: &str| {
        let message = configuration_error(&[], variables);
        assert!(message.contains(expected), "{message}");
        assert!(!message.contains("s3cret"), "{message}");
    };
    let open = (url, "smtp://me:s3cret@mail.example");
    check(
        &[open, from],
        "GLASSHOUSE_SMTP_URL cannot be used: smtp:// is not encrypted",
    );
    check(
        &[(url, "me:s3cret@mail.example"), from],
        "GLASSHOUSE_SMTP_URL",
    );
    let encrypted = (url, "smtps://me:s3cret@mail.example");
    check(&[encrypted], "set GLASSHOUSE_MAIL_FROM");
    let nobody = ("GLASSHOUSE_MAIL_FROM", "the casino");
    check(&[encrypted, nobody], "GLASSHOUSE_MAIL_FROM cannot be used");
    check(&[nobody], "GLASSHOUSE_MAIL_FROM cannot be used");
}
