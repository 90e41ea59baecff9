//! The house's figures and the balance at the provider over HTTP.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::administration::{colleague_as, get, withdraw};
use crate::sandbox_payments::create_deposit;
use crate::support::{Server, Visitor, assert_refused};

const FIGURES: &str = "/api/admin/figures";

async fn play_dice(player: &Visitor, count: usize) {
    let body = json!({ "betAmount": "1.00", "targetNumber": 50, "betType": "over" });
    for _ in 0..count {
        assert_eq!(player.post("/api/dice/play", &body).await.0, StatusCode::OK);
    }
}

fn cents(amount: &Value) -> i64 {
    amount.as_str().unwrap().replace('.', "").parse().unwrap()
}

#[tokio::test]
async fn figures_tell_what_is_owed_and_what_moved() {
    let server = Server::start();
    let owner = server.administrator().await;
    let alice = server.funded_player("alice", "1000.00").await;
    play_dice(&alice, 5).await;
    let hand = json!({ "betAmount": "5.00", "isMaxBet": false });
    assert_eq!(alice.post("/api/poker/deal", &hand).await.0, StatusCode::OK);
    withdraw(&alice, "20.00").await;

    let finance = colleague_as(&server, "finance", "finance").await;
    let figures = get(&finance, FIGURES).await;
    let days = figures["days"].as_array().unwrap();
    assert_eq!(days.len(), 30);
    let (today, total) = (days.last().unwrap(), &figures["total"]);
    for field in ["deposited", "withdrawn", "withdrawalFees", "netDeposits"] {
        assert_eq!(total[field], "0.00", "{field}");
    }
    assert_eq!(
        (&total["staked"], &total["rounds"]),
        (&json!("5.00"), &json!(5))
    );
    assert_eq!(total["adjusted"], "1000.00");
    let ggr = 500 - cents(&total["paid"]);
    assert_eq!(cents(&total["ggr"]), ggr);
    assert_eq!(cents(&total["ngr"]), ggr - 100_000);
    let game = &today["games"][0];
    assert_eq!((&game["game"], cents(&game["ggr"])), (&json!("dice"), ggr));
    assert_eq!(figures["games"][0]["exactRtpPercent"], "99.00");
    assert_eq!(figures["liabilitiesBefore"], "0.00");

    let liabilities = &figures["liabilities"];
    assert_eq!(cents(&liabilities["total"]), 100_000 - ggr);
    assert_eq!(liabilities["openStakes"], "5.00");
    assert_eq!(liabilities["pendingWithdrawals"], "20.00");
    assert_eq!(liabilities["approvedWithdrawals"], "0.00");
    let balance = alice.balance().await.replace('.', "");
    assert_eq!(
        cents(&liabilities["balances"]),
        balance.parse::<i64>().unwrap()
    );
    assert_eq!(figures["liabilitiesAfter"], liabilities["total"]);
    assert_eq!(today["liabilities"], liabilities["total"]);

    let day = today["day"].as_str().unwrap();
    let one = get(&owner, &format!("{FIGURES}?from={day}&to={day}")).await;
    assert_eq!((&one["days"], &one["total"]), (&json!([today]), total));
    let year = get(&owner, &format!("{FIGURES}?days=366")).await;
    assert_eq!(year["days"].as_array().unwrap().len(), 366);
    assert_eq!(
        get(&owner, &format!("{FIGURES}?days=1")).await["days"],
        json!([today])
    );
    server.assert_clean();
}

#[tokio::test]
async fn the_balance_at_the_provider_is_valued_in_dollars() {
    let server = Server::start();
    let auditor = colleague_as(&server, "auditor", "auditor").await;
    let alice = server.funded_player("alice", "10.00").await;
    create_deposit(&alice, "30.00").await;
    let known = get(&auditor, "/api/admin/provider-balance").await;
    assert_eq!(known["problem"], Value::Null, "{known}");
    let balance = &known["balance"];
    assert_eq!(balance["isComplete"], true);
    let coins = balance["coins"].as_array().unwrap();
    let values = coins.iter().map(|coin| cents(&coin["value"]));
    assert_eq!(values.sum::<i64>(), cents(&balance["total"]));
    let bitcoin = coins.iter().find(|coin| coin["code"] == "btc").unwrap();
    assert_eq!(bitcoin["amount"], "11.11111112");
    assert_eq!(get(&auditor, "/api/admin/provider-balance").await, known);
}

#[tokio::test]
async fn the_days_are_exported_and_the_export_is_recorded() {
    let server = Server::start();
    let auditor = colleague_as(&server, "auditor", "auditor").await;
    let alice = server.funded_player("alice", "10.00").await;
    play_dice(&alice, 2).await;
    let path = "/api/admin/export/figures.csv?days=7";
    let response = auditor.request(Method::GET, path).send().await.unwrap();
    assert_eq!(response.status(), StatusCode::OK);
    let disposition = response.headers()["content-disposition"].to_str().unwrap();
    assert!(
        disposition.contains("glasshouse-figures.csv"),
        "{disposition}"
    );
    let csv = response.text().await.unwrap();
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines.len(), 8, "{csv}");
    assert!(
        lines[0].starts_with("\"day\",\"deposited\",\"withdrawn\""),
        "{csv}"
    );
    let figures = get(&auditor, &format!("{FIGURES}?days=1")).await;
    let (day, ngr) = (&figures["days"][0]["day"], &figures["total"]["ngr"]);
    assert!(lines[7].starts_with(&format!("{day},")), "{csv}");
    assert!(lines[7].contains(&ngr.to_string()), "{csv}");
    let records = get(&auditor, "/api/admin/logs?action=list_exported").await;
    assert_eq!(records[0]["subject"], "list figures");
    assert_eq!(records[0]["newValue"], "days=7");
    let wrong = auditor.get("/api/admin/export/figures.csv?days=0").await;
    assert_refused(&wrong, 400, "malformed_request");
    server.assert_clean();
}

#[tokio::test]
async fn only_some_roles_see_the_figures() {
    let server = Server::start();
    let owner = server.administrator().await;
    let (player, _) = server.player("alice").await;
    for path in [FIGURES, "/api/admin/provider-balance"] {
        assert_refused(&server.visitor().get(path).await, 401, "not_signed_in");
        assert_refused(&player.get(path).await, 403, "forbidden");
    }
    for (role, may) in [
        ("finance", true),
        ("auditor", true),
        ("cashier", false),
        ("support", false),
    ] {
        let colleague = colleague_as(&server, &format!("the-{role}"), role).await;
        for path in [FIGURES, "/api/admin/provider-balance"] {
            let answer = colleague.get(path).await;
            if may {
                assert_eq!(answer.0, StatusCode::OK, "{role} {path}");
            } else {
                assert_refused(&answer, 403, "role_forbidden");
            }
        }
    }
    for query in [
        "days=0",
        "days=367",
        "days=x",
        "weeks=1",
        "from=2026-01-01",
        "to=2026-01-01",
        "days=1&from=2026-01-01&to=2026-01-02",
        "from=2026-01-02&to=2026-01-01",
        "from=2025-01-01&to=2026-01-02",
        "from=2026-02-30&to=2026-03-01",
        "from=1.1.2026&to=2026-03-01",
        "from=9999-01-01&to=9999-01-01",
    ] {
        let answer = owner.get(&format!("{FIGURES}?{query}")).await;
        assert_refused(&answer, 400, "malformed_request");
    }
    // 366 days, one of them a leap day.
    get(&owner, &format!("{FIGURES}?from=2024-01-01&to=2024-12-31")).await;
}
