//! A player's own records over HTTP: profit over time, daily statements and CSV files.

use reqwest::{Method, Response, StatusCode};
use serde_json::{Value, json};

use crate::bets::{get, play_dice, win_dice};
use crate::support::{Server, Visitor};

fn cents(amount: &Value) -> i64 {
    amount.as_str().unwrap().replace('.', "").parse().unwrap()
}

async fn download(player: &Visitor, path: &str) -> Response {
    let response = player.request(Method::GET, path).send().await.unwrap();
    assert_eq!(response.status(), StatusCode::OK, "{path}");
    response
}

/// The rows of a CSV file, each by the names of its columns.
async fn rows(player: &Visitor, path: &str) -> Vec<Value> {
    let text = download(player, path).await.text().await.unwrap();
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let names = reader.headers().unwrap().clone();
    let rows = reader.records().map(|row| {
        let row = row.unwrap();
        let cells = names.iter().zip(&row);
        cells
            .map(|(name, cell)| (name.to_owned(), json!(cell)))
            .collect()
    });
    rows.map(Value::Object).collect()
}

#[tokio::test]
async fn profit_and_statements_follow_from_the_bets() {
    let server = Server::start();
    let player = server.funded_player("alice", "1000.00").await;
    let (mut staked, mut paid) = (0, 0);
    for _ in 0..5 {
        let round = play_dice(&player, "2.00").await;
        staked += 200;
        paid += cents(&round["winAmount"]);
    }
    for range in ["day", "week", "month", "year", "all"] {
        let profit = get(
            &player,
            &format!("/api/statistics/profit?range={range}&gameType=dice"),
        )
        .await;
        let buckets = profit["buckets"].as_array().unwrap();
        let sum = |name: &str| -> i64 { buckets.iter().map(|bucket| cents(&bucket[name])).sum() };
        assert_eq!(
            (sum("staked"), sum("paid"), sum("profit")),
            (staked, paid, paid - staked)
        );
        let rounds: u64 = buckets
            .iter()
            .map(|bucket| bucket["rounds"].as_u64().unwrap())
            .sum();
        assert_eq!(rounds, 5, "{range}");
        let started_at = buckets[0]["startedAt"].as_str().unwrap();
        assert!(profit["from"].as_str().unwrap() <= started_at, "{profit}");
        assert!(started_at < profit["to"].as_str().unwrap(), "{profit}");
        let other = get(
            &player,
            &format!("/api/statistics/profit?range={range}&gameType=poker"),
        )
        .await;
        assert_eq!(other["buckets"], json!([]));
    }
    let statements = get(&player, "/api/statements").await;
    let sum = |name: &str| -> i64 {
        statements
            .as_array()
            .unwrap()
            .iter()
            .map(|day| cents(&day[name]))
            .sum()
    };
    assert_eq!(
        (sum("staked"), sum("paid"), sum("adjustments")),
        (staked, paid, 100_000)
    );
    assert_eq!((sum("deposits"), sum("withdrawals")), (0, 0));
    assert_eq!(
        statements[0]["closing"],
        get(&player, "/api/user").await["balance"]
    );
    let date = statements[0]["date"].as_str().unwrap();
    let older = get(&player, &format!("/api/statements?cursor={date}")).await;
    assert_eq!(
        older.as_array().unwrap().len(),
        statements.as_array().unwrap().len() - 1
    );
    server.assert_clean();
}

#[tokio::test]
async fn exported_rounds_can_be_verified_once_the_seed_is_revealed() {
    let server = Server::start();
    let player = server.funded_player("alice", "1000.00").await;
    // A client seed may be text that a spreadsheet would take for a formula.
    player.rotate("-one").await;
    let won = win_dice(&player, "10.00").await;
    let response = download(&player, "/api/exports/rounds.csv?gameType=dice").await;
    assert_eq!(
        response.headers()["content-type"],
        "text/csv; charset=utf-8"
    );
    let disposition = &response.headers()["content-disposition"];
    assert_eq!(
        disposition,
        "attachment; filename=\"glasshouse-rounds.csv\""
    );
    assert!(!response.headers().contains_key("truncated"));
    let before = rows(&player, "/api/exports/rounds.csv?gameType=dice").await;
    let last = before.last().unwrap();
    assert_eq!(last["id"], won["roundId"].to_string());
    assert_eq!(last["clientSeed"], "'-one");
    assert_eq!(last["serverSeed"], "");
    assert_eq!(
        (&last["stake"], &last["payout"]),
        (&json!("10.00"), &won["winAmount"])
    );
    assert_eq!(
        (&last["game"], &last["outcome"]),
        (&json!("dice"), &json!("win"))
    );
    let result: Value = serde_json::from_str(last["result"].as_str().unwrap()).unwrap();
    assert_eq!(result["diceResult"], won["diceResult"]);
    for lost in before.iter().filter(|row| row["outcome"] == "loss") {
        assert_eq!(
            (&lost["profit"], &lost["multiplier"]),
            (&json!("-10.00"), &json!(""))
        );
    }
    let rotation = player.rotate("other").await;
    let after = rows(&player, "/api/exports/rounds.csv").await;
    assert_eq!(after.len(), before.len());
    for row in &after {
        let seed = row["serverSeed"].as_str().unwrap();
        assert_eq!(seed.len(), 64, "{row} {rotation}");
        assert_eq!(row["serverSeedHash"], last["serverSeedHash"]);
    }
    for path in [
        "/api/exports/rounds.csv?gameType=crash",
        "/api/exports/rounds.csv?to=2000-01-01",
    ] {
        assert!(rows(&player, path).await.is_empty());
    }
}

#[tokio::test]
async fn the_exported_ledger_adds_up_to_the_balance() {
    let server = Server::start();
    let player = server.funded_player("alice", "1000.00").await;
    let (stranger, _) = server.player("bob").await;
    win_dice(&player, "3.00").await;
    let ledger = rows(&player, "/api/exports/ledger.csv").await;
    let mut balance = 0;
    for (number, entry) in (1..).zip(&ledger) {
        balance += cents(&entry["amount"]);
        assert_eq!(entry["id"], number.to_string());
        assert_eq!(cents(&entry["balanceAfter"]), balance);
    }
    assert_eq!(ledger[0]["kind"], "adjustment");
    let stakes: Vec<&Value> = ledger
        .iter()
        .filter(|entry| entry["kind"] == "stake")
        .collect();
    assert!(stakes.iter().all(|stake| stake["amount"] == "-3.00"));
    assert!(
        stakes[0]["reference"]
            .as_str()
            .unwrap()
            .starts_with("round:")
    );
    assert_eq!(balance, cents(&get(&player, "/api/user").await["balance"]));
    assert!(rows(&stranger, "/api/exports/ledger.csv").await.is_empty());
    assert!(
        rows(
            &player,
            "/api/exports/ledger.csv?from=2000-01-01&to=2000-01-02"
        )
        .await
        .is_empty()
    );
}

#[tokio::test]
async fn a_player_cannot_export_without_limit() {
    let server = Server::start_with(&[]);
    let (player, _) = server.player("alice").await;
    for _ in 0..10 {
        download(&player, "/api/exports/ledger.csv").await;
    }
    let (status, answer) = player.get("/api/exports/rounds.csv").await;
    assert_eq!(status, StatusCode::TOO_MANY_REQUESTS, "{answer}");
}
