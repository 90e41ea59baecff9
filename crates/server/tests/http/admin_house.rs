//! The house's summary, its report and the list of all rounds over HTTP.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::administration::{get, pages};
use crate::support::{Server, Visitor, assert_refused};

fn cents(amount: &Value) -> i64 {
    let text = amount.as_str().unwrap();
    let (whole, decimals) = text.split_once('.').unwrap();
    assert_eq!(decimals.len(), 2, "{text}");
    format!("{whole}{decimals}").parse().unwrap()
}

async fn play_dice(player: &Visitor, count: usize) {
    let body = json!({ "betAmount": "1.00", "targetNumber": 50, "betType": "over" });
    for _ in 0..count {
        let (status, answer) = player.post("/api/dice/play", &body).await;
        assert_eq!(status, StatusCode::OK, "{answer}");
    }
}

async fn play_poker(player: &Visitor) {
    let bet = json!({ "betAmount": "5.00", "isMaxBet": false });
    for call in ["deal", "draw"] {
        let (status, answer) = player.post(&format!("/api/poker/{call}"), &bet).await;
        assert_eq!(status, StatusCode::OK, "{answer}");
    }
    let call = json!({ "betAmount": "5.00", "action": "call" });
    assert_eq!(
        player.post("/api/poker/play", &call).await.0,
        StatusCode::OK
    );
}

fn house_profit(rounds: &[Value]) -> i64 {
    let profits = rounds
        .iter()
        .map(|round| cents(&round["betAmount"]) - cents(&round["winAmount"]));
    profits.sum()
}

#[tokio::test]
async fn the_summary_equals_the_sum_of_the_rounds() {
    let server = Server::start();
    let administrator = server.administrator().await;
    let empty = get(&administrator, "/api/admin/summary").await;
    assert_eq!(
        empty["games"],
        json!([
            { "gameType": "dice", "count": 0, "percent": 0 },
            { "gameType": "crash", "count": 0, "percent": 0 },
            { "gameType": "stonks", "count": 0, "percent": 0 },
            { "gameType": "poker", "count": 0, "percent": 0 },
            { "gameType": "mines", "count": 0, "percent": 0 },
        ])
    );
    let player = server.funded_player("alice", "1000.00").await;
    play_dice(&player, 31).await;
    play_poker(&player).await;
    let rounds = pages(&administrator, "/api/admin/game-history?limit=200").await;
    assert_eq!(rounds.len(), 33);
    let profit = house_profit(&rounds);
    let is_win = |round: &&Value| round["outcome"].as_str().unwrap().starts_with("win");

    let summary = get(&administrator, "/api/admin/summary").await;
    assert_eq!(
        (&summary["users"], &summary["bannedUsers"]),
        (&json!(2), &json!(0))
    );
    assert_eq!(summary["totalGames"], 33);
    let wins = rounds.iter().filter(is_win).count();
    assert_eq!(
        (&summary["wins"], &summary["losses"]),
        (&json!(wins), &json!(33 - wins))
    );
    assert_eq!(cents(&summary["houseProfit"]), profit);
    assert_eq!(
        summary["games"][0],
        json!({ "gameType": "dice", "count": 31, "percent": 93.9 })
    );
    assert_eq!(
        summary["games"][3],
        json!({ "gameType": "poker", "count": 2, "percent": 6.1 })
    );
    assert_eq!(summary["pendingWithdrawals"], 0);
    assert_eq!(summary["pendingWithdrawalAmount"], "0.00");
    assert_eq!(summary["openReviews"], 0);
}

#[tokio::test]
async fn the_report_equals_the_sum_of_the_rounds() {
    let server = Server::start();
    let administrator = server.administrator().await;
    let player = server.funded_player("alice", "1000.00").await;
    play_dice(&player, 31).await;
    play_poker(&player).await;
    let rounds = pages(&administrator, "/api/admin/game-history?limit=200").await;
    let report = get(&administrator, "/api/admin/house").await;
    let days = report["days"].as_array().unwrap();
    assert_eq!(days.len(), 30);
    let eventful: Vec<&Value> = days.iter().filter(|day| day["rounds"] != 0).collect();
    assert!(!eventful.is_empty());
    assert_eq!(
        eventful
            .iter()
            .map(|day| cents(&day["profit"]))
            .sum::<i64>(),
        house_profit(&rounds)
    );
    let end = rounds[0]["createdAt"].as_str().unwrap();
    assert_eq!(eventful.last().unwrap()["day"], end[..10]);
    let quiet = &days[0];
    assert_eq!(
        (&quiet["staked"], &quiet["paid"]),
        (&json!("0.00"), &json!("0.00"))
    );
    let games = report["games"].as_array().unwrap();
    let names: Vec<&Value> = games.iter().map(|game| &game["game"]).collect();
    assert_eq!(
        names,
        ["dice", "crash", "stonks", "poker", "heads_up", "mines"]
    );
    let dice = &games[0];
    assert_eq!(
        (&dice["rounds"], &dice["staked"]),
        (&json!(31), &json!("31.00"))
    );
    assert_eq!(dice["exactRtpPercent"], "99.00");
    let [low, measured, high] =
        ["lowPercent", "measuredRtpPercent", "highPercent"].map(|field| cents(&dice[field]));
    assert!(low < measured && measured < high, "{dice}");
    assert_eq!(games[3]["rounds"], 1);
    assert_eq!(games[4]["staked"], "10.00");
    assert_eq!(
        games[4]["lowPercent"],
        Value::Null,
        "one round is too few to measure"
    );
    assert_eq!(games[1]["measuredRtpPercent"], Value::Null);
    let year = get(&administrator, "/api/admin/house?days=366").await;
    assert_eq!(year["days"].as_array().unwrap().len(), 366);
    server.assert_clean();
}

#[tokio::test]
async fn all_rounds_are_listed_by_page_game_and_player() {
    let server = Server::start();
    let administrator = server.administrator().await;
    let alice = server.funded_player("Alice", "1000.00").await;
    let bob = server.funded_player("bob", "1000.00").await;
    play_dice(&alice, 5).await;
    play_poker(&bob).await;
    play_dice(&bob, 2).await;
    let bob_id = get(&bob, "/api/user").await["id"].as_i64().unwrap();
    let all = get(&administrator, "/api/admin/game-history").await;
    let all = all.as_array().unwrap();
    assert_eq!(all.len(), 9);
    assert_eq!(
        pages(&administrator, "/api/admin/game-history?limit=2").await,
        *all
    );
    let newest = &all[0];
    assert_eq!(
        (&newest["userId"], &newest["username"]),
        (&json!(bob_id), &json!("bob"))
    );
    assert_eq!(
        (&newest["gameType"], &newest["betAmount"]),
        (&json!("dice"), &json!("1.00"))
    );
    assert_eq!(all[8]["username"], "Alice");
    let of_bob = |path: &str| format!("/api/admin/game-history?limit=2&userId={bob_id}{path}");
    assert_eq!(pages(&administrator, &of_bob("")).await, all[..4]);
    assert_eq!(
        pages(&administrator, &of_bob("&gameType=poker")).await,
        all[2..4]
    );
    let poker = get(&administrator, "/api/admin/game-history?gameType=poker").await;
    assert_eq!(poker, json!(all[2..4]));
    let unknown = get(&administrator, "/api/admin/game-history?userId=999999").await;
    assert_eq!(unknown, json!([]));
}

#[tokio::test]
async fn only_administrators_see_the_houses_results() {
    let server = Server::start();
    let administrator = server.administrator().await;
    let (player, _) = server.player("alice").await;
    for path in ["summary", "house", "game-history"] {
        let path = format!("/api/admin/{path}");
        assert_refused(&server.visitor().get(&path).await, 401, "not_signed_in");
        assert_refused(&player.get(&path).await, 403, "forbidden");
    }
    for path in [
        "house?days=0",
        "house?days=367",
        "house?days=-1",
        "house?days=x",
        "house?weeks=1",
        "game-history?limit=0",
        "game-history?limit=201",
        "game-history?cursor=x",
        "game-history?gameType=roulette",
        "game-history?userId=x",
    ] {
        let answer = administrator.get(&format!("/api/admin/{path}")).await;
        assert_refused(&answer, 400, "malformed_request");
    }
}
