//! The Terms of Service over HTTP and from the command line.

use reqwest::StatusCode;
use serde_json::json;

use crate::administration::get;
use crate::support::{Server, assert_refused, wait_for};

const DICE: &str = "/api/dice/play";
const ACCEPTED: &str = "/api/user/accepted-terms";

#[tokio::test]
async fn a_published_version_is_asked_for_and_accepted() {
    let server = Server::start();
    let player = server.funded_player("reader", "10.00").await;
    let visitor = server.visitor();
    let bet = json!({ "betAmount": "1.00", "targetNumber": 50, "betType": "over" });
    let first = get(&visitor, "/api/terms").await;
    assert_eq!(first["version"], 1);
    assert!(first["text"].as_str().unwrap().contains("# 2. The games"));
    assert_eq!(get(&player, "/api/user").await["mustAcceptTerms"], false);
    assert_eq!(get(&player, ACCEPTED).await[0]["version"], 1);

    let file = server.folder.path().join("terms.txt");
    std::fs::write(&file, "# House rules\r\n\r\nPlay fair.\r\n").unwrap();
    let output = server.operate(&["terms", "publish", file.to_str().unwrap()]);
    assert!(output.status.success());
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("Version 2 is in force."));
    // The running server learns of it by itself.
    wait_for(async || get(&player, "/api/user").await["mustAcceptTerms"] == true).await;
    let second = get(&visitor, "/api/terms").await;
    assert_eq!(second["text"], "# House rules\n\nPlay fair.");
    let refused = player.post(DICE, &bet).await;
    assert_refused(&refused, 403, "terms_not_accepted");
    let deposit = json!({ "amount": "20.00", "cryptoCurrency": "btc" });
    let refused = player.post("/api/deposits/create", &deposit).await;
    assert_refused(&refused, 403, "terms_not_accepted");

    for version in [json!(1), json!(3), json!(0), json!(-1)] {
        let refused = player.post(ACCEPTED, &json!({ "version": version })).await;
        assert_refused(&refused, 409, "terms_changed");
    }
    for body in [
        json!({}),
        json!({ "version": "2" }),
        json!({ "version": 2.5 }),
        json!({ "version": 2, "acceptedAt": "2020-01-01" }),
        json!(null),
    ] {
        let refused = player.post(ACCEPTED, &body).await;
        assert_refused(&refused, 400, "malformed_request");
    }
    let (status, user) = player.post(ACCEPTED, &json!({ "version": 2 })).await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(user["mustAcceptTerms"], false);
    let (status, _) = player.post(DICE, &bet).await;
    assert_eq!(status, StatusCode::OK);
    let accepted = get(&player, ACCEPTED).await;
    let versions: Vec<_> = accepted.as_array().unwrap().iter().collect();
    assert_eq!(versions.len(), 2);
    assert_eq!(versions[0]["version"], 2);

    // Whoever registers now has accepted it.
    let late = server.player("late").await.0;
    assert_eq!(get(&late, ACCEPTED).await[0]["version"], 2);
    let log = get(
        &server.administrator().await,
        "/api/admin/logs?action=terms_published",
    )
    .await;
    assert_eq!(log.as_array().unwrap().len(), 1);
    assert_eq!(log[0]["newValue"], "2");
    server.assert_clean();
}

#[tokio::test]
async fn only_players_accept_terms() {
    let server = Server::start();
    let visitor = server.visitor();
    let refused = visitor.post(ACCEPTED, &json!({ "version": 1 })).await;
    assert_refused(&refused, 401, "not_signed_in");
    let refused = visitor.get(ACCEPTED).await;
    assert_refused(&refused, 401, "not_signed_in");
    let refused = visitor.put("/api/terms", &json!({})).await;
    assert_eq!(refused.0, StatusCode::METHOD_NOT_ALLOWED);
}

#[tokio::test]
async fn a_text_that_nobody_can_read_is_not_published() {
    let server = Server::start();
    let folder = server.folder.path();
    let missing = folder.join("missing.txt");
    let empty = folder.join("empty.txt");
    std::fs::write(&empty, " \n").unwrap();
    let binary = folder.join("binary.txt");
    std::fs::write(&binary, [0xff, 0xfe, 0x00]).unwrap();
    for file in [missing, empty, binary, folder.to_owned()] {
        let output = server.operate(&["terms", "publish", file.to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(2), "{}", file.display());
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains(file.to_str().unwrap()), "{said}");
    }
    assert_eq!(get(&server.visitor(), "/api/terms").await["version"], 1);
}

/// A restart publishes nothing.
#[tokio::test]
async fn a_server_that_is_killed_asks_again_afterwards() {
    let mut server = Server::start();
    let player = server.funded_player("steady", "10.00").await;
    let file = server.folder.path().join("terms.txt");
    std::fs::write(&file, "Stay.").unwrap();
    assert!(
        server
            .operate(&["terms", "publish", file.to_str().unwrap()])
            .status
            .success()
    );
    server.crash_and_restart();
    assert_eq!(get(&player, "/api/user").await["mustAcceptTerms"], true);
    assert_eq!(get(&player, "/api/terms").await["version"], 2);
    let (status, _) = player.post(ACCEPTED, &json!({ "version": 2 })).await;
    assert_eq!(status, StatusCode::OK);
    server.crash_and_restart();
    assert_eq!(get(&player, "/api/user").await["mustAcceptTerms"], false);
}
