//! The bets of all players over HTTP, and the switch for one's name.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::live::{Events, settled, start, start_playing};
use crate::support::{Server, Visitor, assert_limited, assert_refused};

pub(crate) async fn get(visitor: &Visitor, path: &str) -> Value {
    let (status, answer) = visitor.get(path).await;
    assert_eq!(status, StatusCode::OK, "{path}: {answer}");
    answer
}

pub(crate) async fn play_dice(player: &Visitor, bet_amount: &str) -> Value {
    let bet = json!({ "betAmount": bet_amount, "targetNumber": 50, "betType": "over" });
    let (status, answer) = player.post("/api/dice/play", &bet).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    answer
}

/// Plays until a round is won, and returns it.
pub(crate) async fn win_dice(player: &Visitor, bet_amount: &str) -> Value {
    loop {
        let round = play_dice(player, bet_amount).await;
        if round["isWin"] == true {
            return round;
        }
    }
}

async fn show_name(player: &Visitor, shows_name: bool) {
    let body = json!({ "showsName": shows_name });
    let (status, user) = player.put("/api/user/name-visibility", &body).await;
    assert_eq!(status, StatusCode::OK, "{user}");
    assert_eq!(user["showsName"], shows_name);
    assert_eq!(get(player, "/api/user").await, user);
}

/// Every list in which a bet of another player can occur, as text.
async fn all_lists(player: &Visitor) -> String {
    let mut lists = String::new();
    for path in [
        "/api/bets?view=all&limit=100",
        "/api/bets?view=all&gameType=dice&limit=100",
        "/api/bets?view=high&limit=100",
        "/api/bets?view=high&gameType=dice",
        "/api/crash/points",
    ] {
        lists.push_str(&get(player, path).await.to_string());
    }
    lists
}

#[tokio::test]
async fn bets_of_others_are_listed_without_hidden_names() {
    let server = Server::start();
    let alice = server.funded_player("alice-the-first", "1000.00").await;
    let bob = server.funded_player("bob", "10.00").await;
    assert_eq!(get(&alice, "/api/user").await["showsName"], false);
    let won = win_dice(&alice, "10.00").await;
    let all = get(&bob, "/api/bets?view=all&gameType=dice").await;
    let bet = &all[0];
    assert_eq!(bet["id"], won["roundId"]);
    assert_eq!(
        (&bet["gameType"], &bet["player"]),
        (&json!("dice"), &Value::Null)
    );
    assert_eq!(
        (&bet["betAmount"], &bet["winAmount"]),
        (&json!("10.00"), &won["winAmount"])
    );
    assert_eq!(bet["result"]["diceResult"], won["diceResult"]);
    assert_eq!(bet["result"]["targetNumber"], 50);
    assert_eq!(bet["outcome"], "win");
    let cents =
        |amount: &Value| -> i64 { amount.as_str().unwrap().replace('.', "").parse().unwrap() };
    assert_eq!(cents(&bet["profit"]), cents(&bet["winAmount"]) - 1_000);
    assert_eq!(cents(&bet["multiplier"]), cents(&bet["winAmount"]) / 10);
    assert_eq!(get(&bob, "/api/bets?view=high").await[0], *bet);

    assert!(!all_lists(&bob).await.contains("alice-the-first"));
    show_name(&alice, true).await;
    assert_eq!(
        get(&bob, "/api/bets?view=all").await[0]["player"],
        "alice-the-first"
    );
    assert_eq!(
        get(&bob, "/api/bets?view=high").await[0]["player"],
        "alice-the-first"
    );
    play_dice(&alice, "1.00").await;
    show_name(&alice, false).await;
    let hidden = all_lists(&bob).await;
    assert!(!hidden.contains("alice-the-first"), "{hidden}");
    // A name is nobody else's to show.
    assert_eq!(get(&bob, "/api/user").await["showsName"], false);
    server.assert_clean();
}

#[tokio::test]
async fn a_round_that_cannot_be_read_is_left_out_of_the_lists() {
    let server = Server::start();
    let player = server.funded_player("alice", "1000.00").await;
    let mut ids = Vec::new();
    for _ in 0..3 {
        ids.push(win_dice(&player, "10.00").await["roundId"].clone());
    }
    let triggers = if server.is_on_postgres() {
        "ALTER TABLE rounds DISABLE TRIGGER USER"
    } else {
        "DROP TRIGGER rounds_settle_once"
    };
    server.sql(triggers).unwrap();
    let damage = format!("UPDATE rounds SET details = '{{}}' WHERE id = {}", ids[1]);
    server.sql(&damage).unwrap();
    for view in ["all", "high"] {
        let bets = get(&player, &format!("/api/bets?view={view}&limit=100")).await;
        let listed = |id: &Value| bets.as_array().unwrap().iter().any(|bet| bet["id"] == *id);
        assert!(listed(&ids[0]) && listed(&ids[2]), "{view}: {bets}");
        assert!(!listed(&ids[1]), "{view}: {bets}");
    }
}

#[tokio::test]
async fn changes_of_the_name_s_visibility_are_limited_for_each_player() {
    let server = Server::start_with(&[]);
    let (player, _) = server.player("alice").await;
    let (other, _) = server.player("bob").await;
    assert_limited(StatusCode::OK, async |number| {
        let body = json!({ "showsName": number % 2 == 0 });
        player.put("/api/user/name-visibility", &body).await
    })
    .await;
    show_name(&other, true).await;
}

#[tokio::test]
async fn pages_continue_where_the_one_before_ended() {
    let server = Server::start();
    let player = server.funded_player("alice", "1000.00").await;
    for _ in 0..7 {
        win_dice(&player, "10.00").await;
    }
    for view in ["all", "high"] {
        let whole = get(&player, &format!("/api/bets?view={view}&limit=100")).await;
        let (mut pages, mut cursor) = (Vec::new(), String::new());
        loop {
            let path = format!("/api/bets?view={view}&gameType=dice&limit=3{cursor}");
            let response = player
                .request(reqwest::Method::GET, &path)
                .send()
                .await
                .unwrap();
            let next = response.headers().get("next-cursor").cloned();
            let page: Vec<Value> = response.json().await.unwrap();
            pages.extend(page);
            let Some(next) = next else { break };
            cursor = format!("&cursor={}", next.to_str().unwrap());
        }
        assert_eq!(Value::Array(pages), whole, "{view}");
    }
}

/// The calls for lists, each with parameters that it refuses.
const MALFORMED: &[(&str, &[&str])] = &[
    (
        "/api/bets?view=all",
        &[
            "limit=0",
            "limit=101",
            "limit=x",
            "cursor=x",
            "cursor=1",
            "cursor=-1-1",
            "gameType=chess",
            "nonsense=1",
        ],
    ),
    (
        "/api/bets?view=high",
        &["limit=0", "cursor=x", "cursor=1-", "gameType=video_poker"],
    ),
    (
        "/api/bets?limit=20",
        &["view=all&limit=1", "view=mine", "x=y", ""],
    ),
    ("/api/crash/points?limit=200", &["limit=0", "x=1"]),
    ("/api/crash/points?", &["limit=0", "limit=201", "limit=-1"]),
    (
        "/api/statistics/profit?range=day",
        &["gameType=chess", "range=week", "from=1"],
    ),
    (
        "/api/statistics/profit?gameType=dice",
        &["", "range=decade", "range="],
    ),
    (
        "/api/statements?limit=1",
        &["cursor=x", "cursor=2026-02-30", "cursor=20", "day=1"],
    ),
    ("/api/statements?", &["limit=0", "limit=101"]),
    (
        "/api/exports/rounds.csv?gameType=dice",
        &[
            "from=x",
            "to=2026-13-01",
            "from=2026-01-02&to=2026-01-01",
            "gameType=dice",
            "view=all",
        ],
    ),
    ("/api/exports/rounds.csv?", &["gameType=chess"]),
    (
        "/api/exports/ledger.csv?from=2026-01-01",
        &["to=2025-12-31", "to=1", "from=2026-01-01", "gameType=dice"],
    ),
    ("/api/events?", &["bets=chess", "bets="]),
];

#[tokio::test]
async fn strangers_and_malformed_requests_are_refused() {
    let server = Server::start();
    let stranger = server.visitor();
    let (player, _) = server.player("alice").await;
    for (path, malformed) in MALFORMED {
        assert_refused(&stranger.get(path).await, 401, "not_signed_in");
        for more in *malformed {
            let path = format!("{path}&{more}");
            let answer = player.get(&path).await;
            assert_eq!(answer.0, StatusCode::BAD_REQUEST, "{path}: {}", answer.1);
            assert_refused(&answer, 400, "malformed_request");
        }
    }
    let path = "/api/user/name-visibility";
    let body = json!({ "showsName": true });
    assert_refused(&stranger.put(path, &body).await, 401, "not_signed_in");
    for body in [
        json!({}),
        json!({ "showsName": "yes" }),
        json!({ "showsName": true, "id": 1 }),
    ] {
        assert_refused(&player.put(path, &body).await, 400, "malformed_request");
    }
}

/// While a round is in play, its ID and its crash point are in no list.
#[tokio::test]
async fn a_round_in_play_is_secret_and_its_crash_point_public_afterwards() {
    let server = Server::start();
    let alice = server.funded_player("alice", "1000.00").await;
    let (bob, _) = server.player("bob").await;
    let round = start_playing(&alice, &json!({})).await;
    let lists = all_lists(&bob).await;
    let is_over = alice
        .get(&format!("/api/rounds/{}", round["roundId"]))
        .await
        .0
        .is_success();
    let id = format!("\"id\":{},", round["roundId"]);
    assert!(is_over || !lists.contains(&id), "{lists}");
    let details = settled(&alice, &round["roundId"]).await;
    let points = get(&bob, "/api/crash/points?limit=200").await;
    let listed = points["points"].as_array().unwrap();
    let listed = listed
        .iter()
        .find(|point| point["id"] == round["roundId"])
        .unwrap();
    let crash_point: f64 = listed["crashPoint"].as_str().unwrap().parse().unwrap();
    assert_eq!(
        json!(crash_point),
        json!(details["crash"]["crashPoint"].as_f64().unwrap())
    );
    let count = points["points"].as_array().unwrap().len();
    let statistics = &points["statistics"];
    assert_eq!(statistics["rounds"], count);
    let shares = statistics["shares"].as_array().unwrap();
    let multipliers: Vec<_> = shares
        .iter()
        .map(|share| share["multiplier"].as_str().unwrap())
        .collect();
    assert_eq!(
        multipliers,
        ["1.50", "2.00", "3.00", "5.00", "10.00", "100.00"]
    );
}

#[tokio::test]
async fn the_event_stream_lists_bets_only_if_requested() {
    let server = Server::start();
    let alice = server.funded_player("alice", "1000.00").await;
    let (bob, _) = server.player("bob").await;
    let mut all = Events::open_at(&bob, "/api/events?bets=all").await;
    let mut of_crash = Events::open_at(&bob, "/api/events?bets=crash").await;
    let mut without = Events::open(&bob).await;
    let dice = win_dice(&alice, "1.00").await;
    let is_dice = |event: &Value| event["bet"]["id"] == dice["roundId"];
    all.listen_until(|events| events.named("bet").iter().any(is_dice))
        .await;
    let received = all.named("bet");
    let event = received.iter().find(|event| is_dice(event)).unwrap();
    assert!(event["serverTimeMs"].is_i64());
    assert_eq!(event["bet"], get(&bob, "/api/bets?view=all").await[0]);
    let crash = start(&alice, "crash", json!({ "autoCashoutMultiplier": 1.01 })).await;
    let is_crash = |event: &Value| event["bet"]["id"] == crash["roundId"];
    of_crash
        .listen_until(|events| events.named("bet").iter().any(is_crash))
        .await;
    assert!(
        of_crash
            .named("bet")
            .iter()
            .all(|event| event["bet"]["gameType"] == "crash")
    );
    without
        .listen_until(|events| !events.named("clock").is_empty())
        .await;
    assert!(without.named("bet").is_empty());
    assert!(!all.text.contains("alice") && !of_crash.text.contains("alice"));
}

#[tokio::test]
async fn bets_on_one_server_are_listed_live_by_another() {
    let server = Server::start_on_postgres();
    let other = server.start_beside();
    let alice = server.funded_player("alice", "1000.00").await;
    show_name(&alice, true).await;
    let (bob, _) = server.player("bob").await;
    let mut events = Events::open_at(&bob.at(&other), "/api/events?bets=dice").await;
    let dice = play_dice(&alice, "1.00").await;
    let is_dice = |event: &Value| event["bet"]["id"] == dice["roundId"];
    events
        .listen_until(|events| events.named("bet").iter().any(is_dice))
        .await;
    let received = events.named("bet");
    let event = received.iter().find(|event| is_dice(event)).unwrap();
    assert_eq!(event["bet"]["player"], "alice");
}
