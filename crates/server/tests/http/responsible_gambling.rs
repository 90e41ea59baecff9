//! GLI-19 2.5.5, A.3.7 and A.3.8 over HTTP: limits, exclusions and reality checks, with their
//! refusals.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::administration::set_seconds_ago;
use crate::support::{PASSWORD, Server, Visitor, assert_limited, assert_refused, read};

const DAILY_STAKE: &str = "/api/limits/stake/day";
const A_DAY_EARLIER: &str = "UPDATE player_limits
    SET pending_since_micros = pending_since_micros - 86400000000";

async fn delete(player: &Visitor, path: &str) -> (StatusCode, Value) {
    read(player.request(Method::DELETE, path).send().await.unwrap()).await
}

async fn set(player: &Visitor, path: &str, value: Value) -> Value {
    let (status, limits) = player.put(path, &json!({ "value": value })).await;
    assert_eq!(status, StatusCode::OK, "{limits}");
    limits
}

async fn play(player: &Visitor, amount: &str) -> (StatusCode, Value) {
    let bet = json!({ "betAmount": amount, "targetNumber": 50, "betType": "over" });
    player.post("/api/dice/play", &bet).await
}

async fn exclude(player: &Visitor, duration: &str, password: &str) -> (StatusCode, Value) {
    let kind = match duration {
        "day" | "week" | "month" => "cool_off",
        _ => "self_exclusion",
    };
    let body = json!({ "kind": kind, "duration": duration, "password": password });
    player.post("/api/exclusions", &body).await
}

#[tokio::test]
async fn gli_19_2_5_5_limits_are_set_and_refuse_what_does_not_fit() {
    let server = Server::start();
    let player = server.funded_player("careful", "100.00").await;
    let (_, limits) = player.get("/api/limits").await;
    let none = json!({ "limits": [], "exclusion": null, "realityCheckMinutes": null });
    assert_eq!(limits, none);
    let limits = set(&player, DAILY_STAKE, json!("5.00")).await;
    let limit = &limits["limits"][0];
    assert_eq!(
        (
            &limit["kind"],
            &limit["period"],
            &limit["value"],
            &limit["used"],
            &limit["pending"]
        ),
        (
            &json!("stake"),
            &json!("day"),
            &json!("5.00"),
            &json!("0.00"),
            &json!(null)
        )
    );
    let refused = play(&player, "5.01").await;
    assert_refused(&refused, 422, "stake_limit_reached");
    // The refusal was between the two, and a day may have ended there.
    let (_, after) = player.get("/api/limits").await;
    let resets_at = [&limit["resetsAt"], &after["limits"][0]["resetsAt"]];
    assert!(resets_at.contains(&&refused.1["until"]), "{}", refused.1);
    let message = refused.1["message"].as_str().unwrap();
    assert!(
        message.contains("your stake limit of $5.00 a day"),
        "{message}"
    );
    assert_eq!(play(&player, "1.00").await.0, StatusCode::OK);

    set(&player, "/api/limits/loss/week", json!(2.5)).await;
    set(&player, "/api/limits/session_time/month", json!("90")).await;
    let limits = set(&player, "/api/limits/deposit/month", json!("50")).await;
    let listed: Vec<_> = limits["limits"].as_array().unwrap().iter().collect();
    let names: Vec<_> = listed
        .iter()
        .map(|limit| (&limit["kind"], &limit["value"]))
        .collect();
    let expected = [
        ("deposit", "50.00"),
        ("loss", "2.50"),
        ("stake", "5.00"),
        ("session_time", "90"),
    ];
    let expected = expected.map(|(kind, value)| (json!(kind), json!(value)));
    let expected: Vec<_> = expected.iter().map(|(kind, value)| (kind, value)).collect();
    assert_eq!(names, expected);
    assert_refused(&play(&player, "3.60").await, 422, "loss_limit_reached");
    let deposit = json!({ "amount": "50.01", "cryptoCurrency": "btc" });
    let refused = player.post("/api/deposits/create", &deposit).await;
    assert_refused(&refused, 422, "deposit_limit_reached");
    assert!(refused.1["until"].is_string());
    server.assert_clean();
}

#[tokio::test]
async fn gli_19_2_5_5_a_raise_is_confirmed_a_day_later() {
    let server = Server::start();
    let player = server.funded_player("eager", "100.00").await;
    set(&player, DAILY_STAKE, json!("5")).await;
    let limits = set(&player, DAILY_STAKE, json!("20")).await;
    let pending = &limits["limits"][0]["pending"];
    assert_eq!(pending["value"], "20.00");
    let confirm = format!("{DAILY_STAKE}/confirm");
    let early = player.post(&confirm, &json!({})).await;
    assert_refused(&early, 409, "not_yet_confirmable");
    assert_eq!(early.1["until"], pending["confirmableAt"]);
    assert_refused(&play(&player, "6").await, 422, "stake_limit_reached");
    server.sql(A_DAY_EARLIER).unwrap();
    let (status, limits) = player.post(&confirm, &json!({})).await;
    assert_eq!(status, StatusCode::OK, "{limits}");
    assert_eq!(limits["limits"][0]["value"], "20.00");
    assert_eq!(play(&player, "6").await.0, StatusCode::OK);

    let limits = set(&player, DAILY_STAKE, json!(null)).await;
    assert_eq!(limits["limits"][0]["pending"]["value"], json!(null));
    let pending = format!("{DAILY_STAKE}/pending");
    let (status, limits) = delete(&player, &pending).await;
    assert_eq!(status, StatusCode::OK, "{limits}");
    assert_eq!(limits["limits"][0]["pending"], json!(null));
    assert_refused(&delete(&player, &pending).await, 409, "no_pending_change");
    let again = player.post(&confirm, &json!({})).await;
    assert_refused(&again, 409, "no_pending_change");
    let (_, changes) = player.get("/api/limits/changes").await;
    let actions: Vec<_> = changes
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["action"])
        .collect();
    assert_eq!(
        json!(actions),
        json!(["withdrawn", "requested", "confirmed", "requested", "set"])
    );
    assert_eq!(changes[4]["oldValue"], json!(null));
    assert_eq!(changes[4]["newValue"], "5.00");
    let first = player.request(Method::GET, "/api/limits/changes?limit=2");
    let first = first.send().await.unwrap();
    let cursor = first.headers()["next-cursor"].to_str().unwrap().to_owned();
    let (_, rest) = player
        .get(&format!("/api/limits/changes?cursor={cursor}"))
        .await;
    assert_eq!(
        rest.as_array().unwrap()[..],
        changes.as_array().unwrap()[2..]
    );
}

#[tokio::test]
async fn malformed_limits_are_refused_and_change_nothing() {
    let server = Server::start();
    let (player, _) = server.player("clumsy").await;
    for body in [
        json!({}),
        json!({ "value": true }),
        json!({ "value": {} }),
        json!({ "value": "5", "more": 1 }),
        json!({ "amount": "5" }),
        json!([]),
    ] {
        let answer = player.put(DAILY_STAKE, &body).await;
        assert_refused(&answer, 400, "malformed_request");
    }
    for value in [
        "",
        "-1",
        "1.001",
        "1e3",
        "x",
        "100000000000000000000",
        "NaN",
    ] {
        let answer = player.put(DAILY_STAKE, &json!({ "value": value })).await;
        assert_refused(&answer, 400, "invalid_amount");
    }
    for value in ["", "0", "1441", "1.5", "-1", "9223372036854775808"] {
        let path = "/api/limits/session_time/day";
        let answer = player.put(path, &json!({ "value": value })).await;
        assert_refused(&answer, 400, "invalid_limit");
    }
    for path in [
        "/api/limits/win/day",
        "/api/limits/stake/year",
        "/api/limits/STAKE/day",
    ] {
        let answer = player.put(path, &json!({ "value": "5" })).await;
        assert_refused(&answer, 404, "not_found");
        assert_refused(
            &delete(&player, &format!("{path}/pending")).await,
            404,
            "not_found",
        );
    }
    let answer = player.put(DAILY_STAKE, &json!({ "value": null })).await;
    assert_refused(&answer, 409, "no_limit");
    let answer = delete(&player, DAILY_STAKE).await;
    assert_refused(&answer, 405, "other_method");
    for minutes in [json!(0), json!(7), json!(-15), json!(1441)] {
        let answer = player
            .put("/api/reality-check", &json!({ "minutes": minutes }))
            .await;
        assert_refused(&answer, 400, "invalid_interval");
    }
    for body in [
        json!({}),
        json!({ "minutes": "15" }),
        json!({ "minutes": 15.5 }),
    ] {
        let answer = player.put("/api/reality-check", &body).await;
        assert_refused(&answer, 400, "malformed_request");
    }
    let (_, limits) = player.get("/api/limits").await;
    assert_eq!(limits["limits"], json!([]));
    assert_eq!(player.get("/api/limits/changes").await.1, json!([]));
    server.assert_clean();
}

#[tokio::test]
async fn gli_19_a_3_8_a_player_is_excluded_with_the_password() {
    let server = Server::start();
    let player = server.funded_player("resting", "100.00").await;
    for body in [
        json!({ "kind": "cool_off", "duration": "day" }),
        json!({ "kind": "ban", "duration": "day", "password": PASSWORD }),
        json!({ "kind": "cool_off", "duration": "hour", "password": PASSWORD }),
        json!({ "duration": "day", "password": PASSWORD }),
    ] {
        assert_refused(
            &player.post("/api/exclusions", &body).await,
            400,
            "malformed_request",
        );
    }
    let body = json!({ "kind": "cool_off", "duration": "year", "password": PASSWORD });
    let mixed = player.post("/api/exclusions", &body).await;
    assert_refused(&mixed, 400, "invalid_exclusion");
    let wrong = exclude(&player, "day", "wrong-password").await;
    assert_refused(&wrong, 401, "invalid_credentials");
    assert_eq!(player.get("/api/exclusions").await.1, json!([]));
    assert!(
        player
            .get("/api/user")
            .await
            .1
            .get("excludedUntil")
            .is_none()
    );

    let (status, week) = exclude(&player, "week", PASSWORD).await;
    assert_eq!(status, StatusCode::CREATED, "{week}");
    assert_eq!(
        (&week["kind"], &week["duration"], &week["isPermanent"]),
        (&json!("cool_off"), &json!("week"), &json!(false))
    );
    let refused = play(&player, "1").await;
    assert_refused(&refused, 422, "excluded");
    assert_eq!(refused.1["until"], week["until"]);
    let deposit = json!({ "amount": "50", "cryptoCurrency": "btc" });
    let refused = player.post("/api/deposits/create", &deposit).await;
    assert_refused(&refused, 422, "excluded");
    let request = json!({
        "amount": "20", "currency": "btc", "walletAddress": "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2"
    });
    let (status, withdrawal) = player.post("/api/withdraw-requests", &request).await;
    assert_eq!(status, StatusCode::CREATED, "{withdrawal}");
    let shorter = exclude(&player, "day", PASSWORD).await;
    assert_refused(&shorter, 409, "already_excluded");
    assert_eq!(shorter.1["until"], week["until"]);
    let (status, forever) = exclude(&player, "permanent", PASSWORD).await;
    assert_eq!(status, StatusCode::CREATED, "{forever}");
    assert_eq!(forever["isPermanent"], true);
    assert_eq!(forever["until"], "9998-12-31T23:59:59.999999Z");
    // Signing in again still works, and shows it.
    let again = server.visitor();
    let body = json!({ "username": "resting", "password": PASSWORD });
    let (status, user) = again.post("/api/login", &body).await;
    assert_eq!(status, StatusCode::OK, "{user}");
    assert_eq!(user["excludedUntil"], forever["until"]);
    assert_eq!(again.get("/api/exclusions").await.1, json!([forever, week]));
    assert_eq!(again.get("/api/limits").await.1["exclusion"], forever);
    server.assert_clean();
}

#[tokio::test]
async fn the_session_is_summed_up() {
    let server = Server::start();
    let player = server.funded_player("realist", "100.00").await;
    let (_, limits) = player.get("/api/limits").await;
    assert_eq!(limits["realityCheckMinutes"], json!(null));
    let (status, limits) = player
        .put("/api/reality-check", &json!({ "minutes": 30 }))
        .await;
    assert_eq!(status, StatusCode::OK, "{limits}");
    assert_eq!(limits["realityCheckMinutes"], 30);
    let (_, round) = play(&player, "4.00").await;
    let (_, summary) = player.get("/api/session-summary").await;
    assert_eq!(
        (
            &summary["staked"],
            &summary["activeMinutes"],
            &summary["realityCheckMinutes"]
        ),
        (&json!("4.00"), &json!(0), &json!(30))
    );
    let net = summary["netResult"].as_str().unwrap();
    let is_win = round["diceResult"].as_i64().unwrap() > 50;
    assert_eq!(net == "-4.00", !is_win, "{summary}");
    // Five minutes after the last activity a call counts them.
    set_seconds_ago(&server, "last_active_at_micros", 300);
    assert_eq!(player.get("/api/user").await.0, StatusCode::OK);
    let (_, summary) = player.get("/api/session-summary").await;
    assert_eq!(summary["activeMinutes"], 5);
    let (status, limits) = player
        .put("/api/reality-check", &json!({ "minutes": null }))
        .await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(limits["realityCheckMinutes"], json!(null));
    server.assert_clean();
}

#[tokio::test]
async fn visitors_are_refused_and_changes_are_limited() {
    let server = Server::start_with(&[]);
    let visitor = server.visitor();
    for path in [
        "/api/limits",
        "/api/limits/changes",
        "/api/exclusions",
        "/api/session-summary",
    ] {
        assert_refused(&visitor.get(path).await, 401, "not_signed_in");
    }
    let value = json!({ "value": "5" });
    assert_refused(
        &visitor.put(DAILY_STAKE, &value).await,
        401,
        "not_signed_in",
    );
    let minutes = json!({ "minutes": 15 });
    let answer = visitor.put("/api/reality-check", &minutes).await;
    assert_refused(&answer, 401, "not_signed_in");
    assert_refused(
        &exclude(&visitor, "day", PASSWORD).await,
        401,
        "not_signed_in",
    );
    for call in ["confirm", "pending"] {
        let path = format!("{DAILY_STAKE}/{call}");
        let answer = if call == "confirm" {
            visitor.post(&path, &json!({})).await
        } else {
            delete(&visitor, &path).await
        };
        assert_refused(&answer, 401, "not_signed_in");
    }
    let (player, _) = server.player("restless").await;
    let foreign = player
        .request(Method::DELETE, &format!("{DAILY_STAKE}/pending"))
        .header("origin", "https://evil.example");
    let answer = read(foreign.send().await.unwrap()).await;
    assert_refused(&answer, 403, "foreign_origin");
    assert_limited(StatusCode::OK, async |number| {
        let value = json!({ "value": 1_000_000 - number });
        player.put(DAILY_STAKE, &value).await
    })
    .await;
}
