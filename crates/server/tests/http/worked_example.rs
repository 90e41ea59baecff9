//! The commands of `docs/transparency.md#a-worked-example`, for rounds of a running server.

use std::path::Path;

use glasshouse_testing::{Commands, documented_commands, have_programs, run_commands};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::task::JoinSet;

use crate::audited::until_logged;
use crate::support::{PASSWORD, Server, Visitor};

const DOCUMENT: &str = include_str!("../../../../docs/transparency.md");
const HEADING: &str = "\n## A worked example\n";
const HOUSE: &str = "HOUSE=https://play.example\n";
const ROUND: &str = "ROUND=2\n";

/// Plays rounds at the same time, so that several receipts can be of one commit.
async fn play_at_once(player: &Visitor) -> Vec<Value> {
    let bets = [
        ("over", 40, "7.77"),
        ("under", 98, "0.13"),
        ("over", 98, "1.00"),
    ];
    let mut calls = JoinSet::new();
    for (side, target, amount) in bets {
        let player = player.clone();
        let bet = json!({ "betAmount": amount, "targetNumber": target, "betType": side });
        calls.spawn(async move { player.post("/api/dice/play", &bet).await.1 });
    }
    calls.join_all().await
}

/// The blocks with which a reader verifies a round of this server.
fn blocks_for(server: &Server, round: &Value) -> Vec<Commands> {
    let mut blocks = documented_commands(DOCUMENT, HEADING);
    // The files come from the server.
    blocks.retain(|block| !block.script.contains("<<'END'"));
    let load = blocks.first_mut().unwrap();
    assert!(load.script.contains(HOUSE) && load.script.contains(ROUND));
    load.script = load
        .script
        .replace(HOUSE, &format!("HOUSE=http://{}\n", server.address))
        .replace(ROUND, &format!("ROUND={}\n", round["roundId"]));
    blocks
}

fn verify(server: &Server, round: &Value, folder: &Path) {
    let blocks = blocks_for(server, round);
    let scripts = blocks.iter().map(|block| block.script.as_str());
    let printed = run_commands(scripts, folder).concat();
    let said = |sentence: &str| printed.lines().any(|line| line == sentence);
    let outputs = blocks.iter().filter_map(|block| block.output.as_deref());
    for line in outputs.flat_map(str::lines) {
        // The others are of the round in the document.
        let is_verdict = line.ends_with('.') || line.starts_with("Signature");
        if is_verdict && !line.starts_with("The roll") {
            assert!(said(line), "{line}: {printed}");
        }
    }
    let won = round["winAmount"].as_str().unwrap().replace('.', "");
    let result = format!(
        "The roll is {}, and the payout {} cents.",
        round["diceResult"],
        won.parse::<u64>().unwrap()
    );
    assert!(said(&result), "{result}: {printed}");
}

#[tokio::test]
async fn the_documented_commands_verify_rounds_of_a_server() {
    if !have_programs(&["curl", "openssl", "sha256sum", "od", "base64"]) {
        return;
    }
    let server = Server::start();
    let player = server.funded_player("alice", "100.00").await;
    let mut rounds = Vec::new();
    for _ in 0..3 {
        rounds.extend(play_at_once(&player).await);
    }
    for round in &rounds {
        until_logged(&player, &round["roundId"]).await;
    }
    player.rotate("another").await;
    for round in rounds {
        let folder = TempDir::new().unwrap();
        let account = json!({ "username": "alice", "password": PASSWORD }).to_string();
        std::fs::write(folder.path().join("login.json"), account).unwrap();
        verify(&server, &round, folder.path());
    }
}
