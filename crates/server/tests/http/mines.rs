//! Mines over HTTP, and the call that opens it.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::administration::{act, get};
use crate::support::{Server, Visitor, assert_refused};

const STATUS: &str = "/api/admin/games/mines/status";

async fn call(player: &Visitor, body: Value) -> (StatusCode, Value) {
    player.post("/api/mines/game", &body).await
}

async fn play(player: &Visitor, body: Value) -> Value {
    let (status, answer) = call(player, body).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    answer
}

async fn open_mines(server: &Server) {
    let boss = server.administrator().await;
    let games = act(
        &boss,
        STATUS,
        json!({ "status": "open", "reason": "it is tested" }),
    )
    .await;
    assert!(
        games
            .as_array()
            .unwrap()
            .contains(&json!({ "name": "mines", "status": "open" }))
    );
}

fn start(amount: &str, mines: i64) -> Value {
    json!({ "action": "start", "betAmount": amount, "mines": mines })
}

#[tokio::test]
async fn only_administrators_change_a_games_status_and_players_see_it() {
    let server = Server::start();
    let player = server.funded_player("alice", "100.00").await;
    let statuses = server.visitor().get("/api/games").await.1;
    let names: Vec<&str> = statuses
        .as_array()
        .unwrap()
        .iter()
        .map(|game| game["name"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        ["dice", "crash", "stonks", "poker", "headsUp", "mines"]
    );
    assert_eq!(statuses[5]["status"], "announced");
    assert_refused(
        &call(&player, start("1.00", 3)).await,
        409,
        "game_announced",
    );
    let change = json!({ "status": "open", "reason": "it is tested" });
    assert_refused(&player.post(STATUS, &change).await, 403, "forbidden");
    open_mines(&server).await;
    let boss = server.administrator().await;
    for (body, status, code) in [
        (
            json!({ "status": "open", "reason": " " }),
            422,
            "reason_required",
        ),
        (
            json!({ "status": "closed", "reason": "why" }),
            400,
            "malformed_request",
        ),
        (json!({ "status": "open" }), 400, "malformed_request"),
    ] {
        assert_refused(&boss.post(STATUS, &body).await, status, code);
    }
    let unknown = boss.post("/api/admin/games/roulette/status", &change).await;
    assert_refused(&unknown, 404, "not_found");
    let started = play(&player, start("1.00", 3)).await;
    act(
        &boss,
        STATUS,
        json!({ "status": "paused", "reason": "maintenance" }),
    )
    .await;
    // The round in play continues, but no new round can be started.
    play(
        &player,
        json!({ "action": "reveal", "roundId": started["roundId"], "cell": 0 }),
    )
    .await;
    let other = server.funded_player("bob", "100.00").await;
    assert_refused(&call(&other, start("1.00", 3)).await, 409, "game_paused");
    let log = get(&boss, "/api/admin/logs?action=game_status").await;
    assert_eq!(log.as_array().unwrap().len(), 2, "{log}");
    server.assert_clean();
}

#[tokio::test]
async fn a_round_continues_after_a_restart() {
    let mut server = Server::start();
    let player = server.funded_player("alice", "100.00").await;
    open_mines(&server).await;
    let settings = player.get("/api/mines-settings").await.1;
    assert_eq!(
        (&settings["mines"], &settings["minBet"]),
        (&json!(3), &json!("0.10"))
    );
    // With twelve mines about half of the first cells are safe.
    let mut is_restarted = false;
    let mut ends = std::collections::BTreeSet::new();
    for _ in 0..200 {
        let started = play(&player, start("0.10", 12)).await;
        assert_eq!(
            (&started["result"], &started["minePositions"]),
            (&json!("playing"), &Value::Null)
        );
        let id = started["roundId"].clone();
        let reveal = json!({ "action": "reveal", "roundId": id, "cell": 12 });
        let shown = play(&player, reveal.clone()).await;
        if !is_restarted && shown["result"] == "playing" {
            is_restarted = true;
            server.crash_and_restart();
            let open = player.get("/api/open-rounds").await.1;
            assert_eq!(open["mines"]["revealed"], json!([12]));
            assert_eq!(play(&player, reveal).await["revealed"], json!([12]));
        }
        let end = if shown["result"] == "playing" {
            assert_eq!(shown["hitCell"], Value::Null);
            play(&player, json!({ "action": "cash_out", "roundId": id })).await
        } else {
            shown
        };
        assert_eq!(end["minePositions"].as_array().unwrap().len(), 12);
        ends.insert(end["result"].as_str().unwrap().to_owned());
        let again = call(&player, json!({ "action": "cash_out", "roundId": id })).await;
        assert_refused(&again, 409, "round_over");
        let round = player.get(&format!("/api/rounds/{id}")).await.1;
        assert_eq!(round["mines"]["minePositions"], end["minePositions"]);
        if ends.len() == 2 {
            break;
        }
    }
    assert!(
        is_restarted && ends.len() == 2,
        "expected a win and a loss: {ends:?}"
    );
    let history = player.get("/api/game-history?gameType=mines").await.1;
    assert_eq!(history[0]["gameType"], "mines");
    for record in history.as_array().unwrap() {
        let safe = u8::from(record["outcome"] != "loss");
        assert_eq!(record["revealedCells"], json!(safe), "{record}");
    }
    server.assert_clean();
}

#[tokio::test]
async fn moves_against_the_rules_are_refused_and_move_no_money() {
    let server = Server::start();
    let player = server.funded_player("alice", "100.00").await;
    let stranger = server.funded_player("bob", "100.00").await;
    open_mines(&server).await;
    for (body, status, code) in [
        (start("0.09", 3), 422, "invalid_bet"),
        (start("1000.01", 3), 422, "bet_exceeds_limit"),
        (start("1.00", 0), 422, "invalid_bet"),
        (start("1.00", 25), 422, "invalid_bet"),
        (start("200.00", 3), 422, "insufficient_balance"),
        (start("1e2", 3), 400, "invalid_amount"),
        (
            json!({ "action": "start", "betAmount": "1.00" }),
            400,
            "malformed_request",
        ),
        (
            json!({ "action": "start", "betAmount": "1.00", "mines": 3, "cell": 1 }),
            400,
            "malformed_request",
        ),
        (
            json!({ "action": "dig", "roundId": 1 }),
            400,
            "malformed_request",
        ),
        (
            json!({ "action": "reveal", "roundId": 987_654, "cell": 1 }),
            404,
            "not_found",
        ),
        (
            json!({ "action": "cash_out", "roundId": 987_654 }),
            404,
            "not_found",
        ),
    ] {
        assert_refused(&call(&player, body).await, status, code);
    }
    let id = play(&player, start("1.00", 3)).await["roundId"].clone();
    for cell in [-1, 25] {
        let reveal = json!({ "action": "reveal", "roundId": id, "cell": cell });
        assert_refused(&call(&player, reveal).await, 422, "invalid_bet");
    }
    let cash_out = json!({ "action": "cash_out", "roundId": id });
    assert_refused(&call(&player, cash_out.clone()).await, 422, "too_early");
    assert_refused(&call(&stranger, cash_out).await, 404, "not_found");
    assert_refused(&call(&player, start("1.00", 3)).await, 409, "round_open");
    assert_eq!(player.balance().await, "99.00");
    assert_eq!(
        player
            .request(Method::GET, "/mines")
            .send()
            .await
            .unwrap()
            .status(),
        StatusCode::OK
    );
    server.assert_clean();
}
