//! The page of one round.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::administration::{get, play_round};
use crate::support::{Server, assert_refused};

fn page_of(round: &Value) -> String {
    format!("/api/admin/rounds/{round}")
}

#[tokio::test]
async fn a_settled_round_is_replayed_and_its_seed_is_shown_once_it_is_revealed() {
    let server = Server::start();
    let administrator = server.administrator().await;
    let player = server.funded_player("alice", "100.00").await;
    let active = player.fairness().await;
    let id = play_round(&player).await;
    let page = get(&administrator, &page_of(&id)).await;
    assert_eq!(page["id"], id);
    assert_eq!(page["user"]["username"], "alice");
    assert_eq!(page["gameType"], "dice");
    assert_eq!(page["betAmount"], "1.00");
    assert_eq!(page["replay"], "same");
    assert_eq!(page["differences"], json!([]));
    assert_eq!(page["balanceAfter"], player.balance().await);
    assert_eq!(page["serverSeedHash"], active["serverSeedHash"]);
    assert_eq!(page["serverSeed"], Value::Null);
    // What anybody needs to verify it is what the player gets.
    let own = get(&player, &format!("/api/rounds/{id}")).await;
    assert_eq!(page["details"], own);
    assert_eq!(own["serverSeed"], Value::Null);
    let revealed = player.rotate("another").await;
    let page = get(&administrator, &page_of(&id)).await;
    let seed = page["serverSeed"].as_str().unwrap();
    assert_eq!(page["details"]["serverSeed"], seed);
    assert!(revealed.to_string().contains(seed), "{revealed}");
    server.assert_clean();
}

#[tokio::test]
async fn a_round_in_play_tells_administrators_nothing_of_its_outcome() {
    let server = Server::start();
    let administrator = server.administrator().await;
    let player = server.funded_player("alice", "100.00").await;
    let deal = json!({ "betAmount": "1.00", "isMaxBet": false });
    let (status, hand) = player.post("/api/poker/deal", &deal).await;
    assert_eq!(status, StatusCode::OK, "{hand}");
    let id = &hand["roundId"];
    let page = get(&administrator, &page_of(id)).await;
    let fields: Vec<_> = page.as_object().unwrap().keys().collect();
    assert_eq!(
        fields,
        [
            "balanceAfter",
            "betAmount",
            "clientSeed",
            "clientSeedBy",
            "details",
            "differences",
            "endedAt",
            "gameType",
            "id",
            "maximumProfit",
            "nonce",
            "outcome",
            "replay",
            "serverSeed",
            "serverSeedHash",
            "startedAt",
            "user",
            "winAmount",
        ]
    );
    for secret in ["details", "endedAt", "outcome", "serverSeed", "winAmount"] {
        assert_eq!(page[secret], Value::Null, "{secret}");
    }
    assert_eq!(page["replay"], "inPlay");
    assert_eq!(page["maximumProfit"], "249.00");
    player.post("/api/poker/draw", &deal).await;
    let page = get(&administrator, &page_of(id)).await;
    assert_eq!(page["replay"], "same");
    assert_eq!(
        page["details"]["poker"]["hand"].as_array().map(Vec::len),
        Some(5)
    );
    server.assert_clean();
}

#[tokio::test]
async fn unknown_rounds_are_not_found() {
    let server = Server::start();
    let administrator = server.administrator().await;
    for id in ["0", "999", "-1", "x", "9223372036854775808"] {
        let answer = administrator.get(&format!("/api/admin/rounds/{id}")).await;
        assert_refused(&answer, 404, "not_found");
    }
    server.assert_clean();
}
