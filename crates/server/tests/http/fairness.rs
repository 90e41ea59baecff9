//! The attack on provably fair games: a house that chooses its server seed once it knows the client
//! seed. A player can rule it out, because every hash is published before its client seed exists.

use std::collections::BTreeSet;

use glasshouse_games::fairness::{ClientSeed, ServerSeed, Stream};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::{Server, Visitor, assert_limited, assert_refused, wait_for};

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

async fn roll(player: &Visitor) -> Value {
    let bet = json!({ "betAmount": "0.10", "targetNumber": 50, "betType": "over" });
    let (status, result) = player.post("/api/dice/play", &bet).await;
    assert_eq!(status, StatusCode::OK, "{result}");
    result
}

/// Asserts that the revealed seeds produce the rolls, and that the rounds say who chose the client
/// seed.
async fn assert_rolls_follow(player: &Visitor, revealed: &Value, rolls: &[Value]) {
    let server_seed = ServerSeed::from_text(text(&revealed["serverSeed"]).to_owned()).unwrap();
    assert_eq!(revealed["serverSeedHash"], server_seed.hash());
    let client_seed = ClientSeed::parse(text(&revealed["clientSeed"])).unwrap();
    assert_eq!(revealed["nonce"], rolls.len());
    for (nonce, result) in (0..).zip(rolls) {
        let rolled = Stream::new(&server_seed, &client_seed, nonce).below(100) + 1;
        assert_eq!(result["diceResult"], rolled, "{result}");
        let path = format!("/api/rounds/{}", result["roundId"]);
        let (_, round) = player.get(&path).await;
        assert_eq!(round["serverSeedHash"], revealed["serverSeedHash"]);
        assert_eq!(round["serverSeed"], revealed["serverSeed"]);
        assert_eq!(round["clientSeed"], revealed["clientSeed"]);
        assert_eq!(round["clientSeedBy"], revealed["clientSeedBy"]);
    }
}

/// The state as it is read later: only the call that changes the pair answers with its receipt.
fn without_receipt(state: &Value) -> Value {
    let mut state = state.clone();
    state["receipt"] = Value::Null;
    state
}

#[tokio::test]
async fn every_hash_is_published_before_its_client_seed_exists() {
    let server = Server::start();
    let player = server.funded_player("alice", "100.00").await;
    let registered = player.fairness().await;
    assert_eq!(registered["clientSeedBy"], "house");
    assert_eq!(registered["nonce"], 0);
    let body = json!({ "clientSeed": "own-0" });
    let (status, mut state) = player.put("/api/fairness/client-seed", &body).await;
    assert_eq!(status, StatusCode::OK, "{state}");
    assert_eq!(state["serverSeedHash"], registered["serverSeedHash"]);
    assert_eq!(
        state["nextServerSeedHash"],
        registered["nextServerSeedHash"]
    );
    let mut hashes = BTreeSet::new();
    for turn in 1..=5 {
        assert_eq!(without_receipt(&state), player.fairness().await);
        assert_eq!(state["clientSeed"], format!("own-{}", turn - 1));
        assert_eq!(state["clientSeedBy"], "player");
        hashes.insert(text(&state["serverSeedHash"]).to_owned());
        hashes.insert(text(&state["nextServerSeedHash"]).to_owned());
        assert_eq!(hashes.len(), turn + 1, "each hash is a new one");
        let mut rolls = Vec::new();
        for _ in 0..3 {
            rolls.push(roll(&player).await);
        }
        let rotation = player.rotate(&format!("own-{turn}")).await;
        assert_eq!(
            rotation["revealed"]["serverSeedHash"],
            state["serverSeedHash"]
        );
        let current = &rotation["current"];
        assert_eq!(current["serverSeedHash"], state["nextServerSeedHash"]);
        assert_eq!(current["nonce"], 0);
        assert_rolls_follow(&player, &rotation["revealed"], &rolls).await;
        state = current.clone();
    }
    server.assert_clean();
}

#[tokio::test]
async fn two_servers_keep_each_others_commitments() {
    let first = Server::start_on_postgres();
    let second = first.start_beside();
    let player = first.funded_player("alice", "100.00").await;
    let players = [player.at(&second), player];
    let mut state = players[1].fairness().await;
    for turn in 0..6 {
        let (one, other) = (&players[turn % 2], &players[(turn + 1) % 2]);
        assert_eq!(one.fairness().await, without_receipt(&state));
        assert_eq!(other.fairness().await, without_receipt(&state));
        let rolls = [roll(one).await, roll(other).await];
        let rotation = one.rotate(&format!("own-{turn}")).await;
        let current = &rotation["current"];
        assert_eq!(current["serverSeedHash"], state["nextServerSeedHash"]);
        assert_rolls_follow(other, &rotation["revealed"], &rolls).await;
        state = current.clone();
    }
    // Of two rotations at once, one on each server, one takes place.
    let body = players[0].rotation("last").await;
    let rotate = |player: &Visitor| {
        let (player, body) = (player.clone(), body.clone());
        tokio::spawn(async move { player.post("/api/fairness/rotate", &body).await })
    };
    let outcomes = [rotate(&players[0]), rotate(&players[1])];
    let mut statuses = Vec::new();
    for outcome in outcomes {
        statuses.push(outcome.await.unwrap().0.as_u16());
    }
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409]);
    let after = players[0].fairness().await;
    assert_eq!(after["serverSeedHash"], state["nextServerSeedHash"]);
    first.assert_clean();
}

#[tokio::test]
async fn rounds_with_a_client_seed_by_the_house_are_labelled() {
    let server = Server::start();
    let player = server.funded_player("alice", "100.00").await;
    let rolls = [roll(&player).await];
    let revealed = player.rotate("mine").await["revealed"].clone();
    assert_eq!(revealed["clientSeedBy"], "house");
    assert_rolls_follow(&player, &revealed, &rolls).await;
    let rolls = [roll(&player).await, roll(&player).await];
    let revealed = player.rotate("mine").await["revealed"].clone();
    assert_eq!(revealed["clientSeedBy"], "player");
    assert_rolls_follow(&player, &revealed, &rolls).await;
}

/// The player never hears of a rotation that took place.
#[tokio::test]
async fn a_rotation_without_an_answer_is_the_committed_one() {
    let mut server = Server::start();
    let player = server.funded_player("alice", "100.00").await;
    let before = player.fairness().await;
    let rolls = [roll(&player).await];
    let body = player.rotation("mine").await;
    let request = player.request(Method::POST, "/api/fairness/rotate");
    let unanswered = tokio::spawn(request.json(&body).send());
    let revealed = "SELECT server_seed AS value FROM seed_pairs WHERE server_seed IS NOT NULL";
    wait_for(async || !server.texts(revealed).is_empty()).await;
    server.crash_and_restart();
    drop(unanswered.await);
    let after = player.fairness().await;
    assert_eq!(after["serverSeedHash"], before["nextServerSeedHash"]);
    assert_eq!(after["clientSeed"], "mine");
    assert_eq!(after["clientSeedBy"], "player");
    // Repeating the request does not rotate again.
    let repeated = player.post("/api/fairness/rotate", &body).await;
    assert_refused(&repeated, 409, "next_seed_changed");
    assert_eq!(player.fairness().await, after);
    let (_, pairs) = player.get("/api/fairness/pairs").await;
    assert_eq!(pairs.as_array().unwrap().len(), 1);
    let mut revealed = pairs[0].clone();
    assert_eq!(revealed["serverSeedHash"], before["serverSeedHash"]);
    revealed["nonce"] = revealed["rounds"].clone();
    assert_rolls_follow(&player, &revealed, &rolls).await;
    server.assert_clean();
}

#[tokio::test]
async fn of_rotations_at_once_one_takes_place() {
    let server = Server::start();
    let player = server.funded_player("alice", "100.00").await;
    let before = player.fairness().await;
    let next = &before["nextServerSeedHash"];
    let tasks: Vec<_> = (0..10)
        .map(|number| {
            let body = json!({ "clientSeed": format!("own-{number}"), "nextServerSeedHash": next });
            let player = player.clone();
            tokio::spawn(async move { player.post("/api/fairness/rotate", &body).await })
        })
        .collect();
    let mut winners = Vec::new();
    for task in tasks {
        match task.await.unwrap() {
            (StatusCode::OK, rotation) => winners.push(rotation),
            refused => assert_refused(&refused, 409, "next_seed_changed"),
        }
    }
    assert_eq!(winners.len(), 1);
    assert_eq!(
        player.fairness().await,
        without_receipt(&winners[0]["current"])
    );
    assert_eq!(winners[0]["current"]["serverSeedHash"], *next);
    server.assert_clean();
}

#[tokio::test]
async fn a_wrong_rotation_changes_nothing() {
    let server = Server::start();
    let player = server.funded_player("alice", "100.00").await;
    let first = player.fairness().await;
    player.rotate("mine").await;
    let state = player.fairness().await;
    let next = &state["nextServerSeedHash"];
    let rotate = |body: Value| {
        let player = player.clone();
        async move { player.post("/api/fairness/rotate", &body).await }
    };
    for stale in [
        &first["nextServerSeedHash"],
        &first["serverSeedHash"],
        &json!("0".repeat(64)),
    ] {
        let body = json!({ "clientSeed": "other", "nextServerSeedHash": stale });
        assert_refused(&rotate(body).await, 409, "next_seed_changed");
    }
    for malformed in [
        "",
        "abc",
        &text(next).to_uppercase(),
        &format!("{}0", text(next)),
    ] {
        let body = json!({ "clientSeed": "other", "nextServerSeedHash": malformed });
        assert_refused(&rotate(body).await, 400, "invalid_seed");
    }
    for seed in ["", "a b", "ä", &"x".repeat(65)] {
        let body = json!({ "clientSeed": seed, "nextServerSeedHash": next });
        assert_refused(&rotate(body).await, 400, "invalid_seed");
    }
    for body in [
        json!({}),
        json!({ "clientSeed": "other" }),
        json!({ "nextServerSeedHash": next }),
        json!({ "clientSeed": null, "nextServerSeedHash": next }),
        json!({ "clientSeed": 1, "nextServerSeedHash": next }),
        json!({ "clientSeed": "other", "nextServerSeedHash": next, "serverSeed": "mine" }),
    ] {
        assert_refused(&rotate(body).await, 400, "malformed_request");
    }
    let deal = json!({ "betAmount": "1.00" });
    let (status, round) = player.post("/api/poker/deal", &deal).await;
    assert_eq!(status, StatusCode::OK, "{round}");
    let body = json!({ "clientSeed": "other", "nextServerSeedHash": next });
    assert_refused(&rotate(body).await, 409, "round_open");
    let mut after = player.fairness().await;
    assert_eq!(after["nonce"], 1);
    after["nonce"] = json!(0);
    assert_eq!(after, state);
    let stranger = server.visitor();
    let body = json!({ "clientSeed": "other", "nextServerSeedHash": next });
    let (status, _) = stranger.post("/api/fairness/rotate", &body).await;
    assert_eq!(status, StatusCode::UNAUTHORIZED);
    server.assert_clean();
}

#[tokio::test]
async fn a_client_seed_can_be_replaced_until_the_first_round() {
    let server = Server::start();
    let player = server.funded_player("alice", "100.00").await;
    let set = |seed: Value| {
        let player = player.clone();
        async move {
            let body = json!({ "clientSeed": seed });
            player.put("/api/fairness/client-seed", &body).await
        }
    };
    for seed in ["one", "two", "two"] {
        let (status, state) = set(json!(seed)).await;
        assert_eq!(status, StatusCode::OK, "{state}");
        assert_eq!(state["clientSeed"], seed);
    }
    for seed in ["", "a b", &"x".repeat(65)] {
        assert_refused(&set(json!(seed)).await, 400, "invalid_seed");
    }
    assert_refused(&set(Value::Null).await, 400, "malformed_request");
    let rolls = [roll(&player).await];
    assert_refused(&set(json!("three")).await, 409, "seed_pair_used");
    let state = player.fairness().await;
    assert_eq!(
        (&state["clientSeed"], &state["nonce"]),
        (&json!("two"), &json!(1))
    );
    let revealed = player.rotate("four").await["revealed"].clone();
    assert_rolls_follow(&player, &revealed, &rolls).await;
    assert_eq!(set(json!("five")).await.0, StatusCode::OK);
    server.assert_clean();
}

#[tokio::test]
async fn former_pairs_are_listed_in_pages() {
    let server = Server::start();
    let player = server.funded_player("alice", "100.00").await;
    assert_eq!(player.get("/api/fairness/pairs").await.1, json!([]));
    let mut expected = Vec::new();
    for number in 0..5 {
        for _ in 0..number {
            roll(&player).await;
        }
        let mut revealed = player.rotate("next").await["revealed"].clone();
        revealed["rounds"] = revealed["nonce"].take();
        revealed.as_object_mut().unwrap().remove("nonce");
        expected.insert(0, revealed);
    }
    let mut listed = Vec::new();
    let mut path = "/api/fairness/pairs?limit=2".to_owned();
    loop {
        let response = player.request(Method::GET, &path).send().await.unwrap();
        let next = response.headers().get("next-cursor").cloned();
        let page: Vec<Value> = response.json().await.unwrap();
        assert!(page.len() <= 2);
        for mut pair in page {
            let mut times = Vec::new();
            for name in ["committedAt", "activatedAt", "revealedAt"] {
                times.push(text(&pair[name]).to_owned());
                pair.as_object_mut().unwrap().remove(name);
            }
            assert!(times.is_sorted(), "{times:?}");
            listed.push(pair);
        }
        let Some(next) = next else { break };
        path = format!(
            "/api/fairness/pairs?limit=2&cursor={}",
            next.to_str().unwrap()
        );
    }
    assert_eq!(listed, expected);
    for query in [
        "limit=0",
        "limit=101",
        "limit=x",
        "cursor=0",
        "cursor=abc",
        "other=1",
    ] {
        let (status, _) = player.get(&format!("/api/fairness/pairs?{query}")).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{query}");
    }
    let (stranger, _) = server.player("mallory").await;
    assert_eq!(stranger.get("/api/fairness/pairs").await.1, json!([]));
    let visitor = server.visitor();
    assert_eq!(
        visitor.get("/api/fairness/pairs").await.0,
        StatusCode::UNAUTHORIZED
    );
}

#[tokio::test]
async fn rotations_are_limited_for_each_player() {
    let server = Server::start_with(&[]);
    let (player, _) = server.player("alice").await;
    let (other, _) = server.player("bob").await;
    assert_limited(StatusCode::OK, async |number| {
        let body = player.rotation(&format!("own-{number}")).await;
        player.post("/api/fairness/rotate", &body).await
    })
    .await;
    let own = json!({ "clientSeed": "own" });
    let (status, _) = player.put("/api/fairness/client-seed", &own).await;
    assert_eq!(status, StatusCode::OK, "counted separately");
    other.rotate("own").await;
}
