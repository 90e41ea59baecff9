//! `glasshouse audit --evidence` with what a real server has signed.

use serde_json::{Value, json};

use crate::audited::{audit, play_dice, text, until_logged, url, verifier_keys};
use crate::support::Server;

/// The evidence of a player as the browser saves it.
async fn evidence(server: &Server, name: &str) -> Value {
    let player = server.funded_player(name, "100.00").await;
    let mut receipts = Vec::new();
    for _ in 0..2 {
        let round = play_dice(&player).await;
        until_logged(&player, &round["roundId"]).await;
        receipts.push(round["receipt"].clone());
        let path = format!("/api/rounds/{}/receipt", round["roundId"]);
        receipts.push(player.get(&path).await.1);
    }
    let (status, stored) = player.get("/api/receipts").await;
    assert!(status.is_success(), "{stored}");
    receipts.extend(stored.as_array().unwrap().iter().cloned());
    let keys = verifier_keys(server).await;
    json!({
        "format": "glasshouse evidence v1",
        "player": 1,
        "savedAt": "2026-11-22T12:00:00.000Z",
        "keys": keys.iter().collect::<Vec<_>>(),
        "checkpoints": [text(&url(server), "/log/checkpoint").await],
        "failures": [],
        "receipts": receipts,
    })
}

#[tokio::test]
async fn evidence_against_an_honest_house_proves_nothing_and_against_a_fork_everything() {
    let server = Server::start();
    let evidence = evidence(&server, "alice").await;
    let receipts = evidence["receipts"].as_array().unwrap().len();
    let file = server.folder.path().join("evidence.json");
    let save = |evidence: &Value| std::fs::write(&file, evidence.to_string()).unwrap();
    save(&evidence);
    let key = verifier_keys(&server).await.to_string();
    let arguments = [
        "--key",
        key.trim_end(),
        "--evidence",
        file.to_str().unwrap(),
    ];
    let found = audit(&url(&server), &arguments);
    assert_eq!(found.code, Some(0), "{}{}", found.report, found.errors);
    let compared = format!("{receipts} receipts and 1 checkpoints. 2 entries");
    assert!(found.report.contains(&compared), "{}", found.report);
    assert!(!found.report.contains("proves nothing"), "{}", found.report);

    // Another server that signs with the same key.
    let key_file = server.folder.path().join("data/log-key");
    let fork = Server::start_with(&[
        ("GLASSHOUSE_RATE_LIMIT", "off"),
        ("GLASSHOUSE_LOG_KEY_FILE", key_file.to_str().unwrap()),
    ]);
    let player = fork.funded_player("bob", "100.00").await;
    let round = play_dice(&player).await;
    until_logged(&player, &round["roundId"]).await;
    let found = audit(&url(&fork), &arguments);
    assert_eq!(found.code, Some(1), "{}{}", found.report, found.errors);
    assert!(
        found
            .report
            .contains("CONTRADICTION (checkpoint 1): the log was"),
        "{}",
        found.report
    );

    let mut forged = evidence.clone();
    let text = forged["receipts"][0]["text"].as_str().unwrap();
    forged["receipts"][0]["text"] = text.replace("stake 100", "stake 101").into();
    save(&forged);
    let found = audit(&url(&server), &arguments);
    assert_eq!(found.code, Some(0), "{}{}", found.report, found.errors);
    assert!(
        found
            .report
            .contains("receipt 1 contains a receipt that proves nothing")
    );

    std::fs::write(&file, "{}").unwrap();
    audit(&url(&server), &arguments).assert_fault("is not evidence of a browser");
}
