//! The public log, receipts and proofs over HTTP: everything verifies with the published keys, and
//! nobody needs a session to read the log.

use glasshouse_transparency::checkpoint::Checkpoint;
use glasshouse_transparency::entry::{Entry, decode_bundle, leaf_hash};
use glasshouse_transparency::keys::VerifierKeys;
use glasshouse_transparency::proof::{verify_consistency, verify_inclusion};
use glasshouse_transparency::receipt::{RoundState, SignedReceipt, Statement};
use glasshouse_transparency::tile::RightEdge;
use glasshouse_transparency::{EMPTY_HASH, Hash};
use reqwest::header::HeaderMap;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::{Server, Visitor, assert_refused, wait_for};

const FOREVER: &str = "public, max-age=31536000, immutable";

/// Something public, with its headers. It is read without a session, and starts none.
async fn public(visitor: &Visitor, path: &str) -> (HeaderMap, Vec<u8>) {
    let response = visitor.request(Method::GET, path).send().await.unwrap();
    assert_eq!(response.status(), StatusCode::OK, "{path}");
    let headers = response.headers().clone();
    assert!(!headers.contains_key("set-cookie"), "{path}");
    (headers, response.bytes().await.unwrap().to_vec())
}

async fn public_text(visitor: &Visitor, path: &str) -> String {
    String::from_utf8(public(visitor, path).await.1).unwrap()
}

async fn keys(visitor: &Visitor) -> VerifierKeys {
    VerifierKeys::parse(&public_text(visitor, "/transparency/key").await).unwrap()
}

async fn checkpoint(visitor: &Visitor) -> Checkpoint {
    let signed = public_text(visitor, "/log/checkpoint").await;
    Checkpoint::open(&signed, &keys(visitor).await).unwrap()
}

/// Waits until the log has this number of entries.
async fn checkpoint_of(visitor: &Visitor, size: u64) -> Checkpoint {
    wait_for(async || checkpoint(visitor).await.size >= size).await;
    checkpoint(visitor).await
}

/// The entries of a log of less than 256, compared with tile and root.
async fn entries(visitor: &Visitor, end: &Checkpoint) -> Vec<String> {
    let path = format!("/log/tile/entries/000.p/{}", end.size);
    let bundle = public(visitor, &path).await.1;
    let lines = decode_bundle(&bundle, u16::try_from(end.size).unwrap()).unwrap();
    let leaves: Vec<Hash> = lines.iter().map(|line| leaf_hash(line)).collect();
    let mut edge = RightEdge::empty();
    edge.append(&leaves).unwrap();
    assert_eq!(edge.checkpoint(), *end);
    let tile = public(visitor, &format!("/log/tile/0/000.p/{}", end.size))
        .await
        .1;
    assert_eq!(
        tile,
        leaves.iter().flat_map(|leaf| leaf.0).collect::<Vec<u8>>()
    );
    lines
        .into_iter()
        .map(|line| String::from_utf8(line.to_vec()).unwrap())
        .collect()
}

fn hashes(path: &Value) -> Vec<Hash> {
    let parse = |text: &Value| Hash::parse_hash(text.as_str().unwrap()).unwrap();
    path.as_array().unwrap().iter().map(parse).collect()
}

async fn roll(player: &Visitor) -> Value {
    let bet = json!({ "betAmount": "1.00", "targetNumber": 50, "betType": "over" });
    let (status, result) = player.post("/api/dice/play", &bet).await;
    assert_eq!(status, StatusCode::OK, "{result}");
    result
}

#[tokio::test]
async fn receipts_and_proofs_verify_with_the_published_key() {
    let server = Server::start();
    let player = server.funded_player("alice", "100.00").await;
    let keys = keys(&server.visitor()).await;
    for number in 0..3 {
        let rolled = roll(&player).await;
        let id = rolled["roundId"].as_i64().unwrap();
        // The receipt of the response is the one that is returned again.
        let (status, receipt) = player.get(&format!("/api/rounds/{id}/receipt")).await;
        assert_eq!((status, &receipt), (StatusCode::OK, &rolled["receipt"]));
        let signed: SignedReceipt = serde_json::from_value(receipt).unwrap();
        let Statement::Round(stated) = signed.verify(&keys).unwrap().statement else {
            panic!("{signed:?}")
        };
        let RoundState::Settled { entry, .. } = stated.state else {
            panic!("{stated:?}")
        };
        assert_eq!(
            (stated.round, stated.stake, stated.nonce),
            (id, 100, number)
        );

        // A proof exists as soon as the round is in the log.
        let path = format!("/api/rounds/{id}/proof");
        wait_for(async || player.get(&path).await.0 == StatusCode::OK).await;
        let proof = player.get(&path).await.1;
        let end = Checkpoint::open(proof["checkpoint"].as_str().unwrap(), &keys).unwrap();
        let line = proof["entry"].as_str().unwrap();
        assert_eq!(leaf_hash(line.as_bytes()), entry);
        let index = proof["index"].as_u64().unwrap();
        verify_inclusion(&hashes(&proof["path"]), index, entry, &end).unwrap();
        let lines = entries(&server.visitor(), &end).await;
        assert_eq!(lines[usize::try_from(index).unwrap()], line);
    }
    server.assert_clean();
}

#[tokio::test]
async fn the_log_is_read_without_a_session() {
    let server = Server::start();
    let (player, visitor) = (
        server.funded_player("alice", "100.00").await,
        server.visitor(),
    );
    let first = checkpoint_of(&visitor, 2).await;
    for _ in 0..3 {
        roll(&player).await;
    }
    let last = checkpoint_of(&visitor, 5).await;
    let lines = entries(&visitor, &last).await;
    let parsed: Vec<Entry> = lines
        .iter()
        .map(|line| Entry::parse(line).unwrap())
        .collect();
    let [Entry::Key(key), Entry::Rules(rules), rest @ ..] = parsed.as_slice() else {
        panic!("{parsed:?}")
    };
    assert_eq!(format!("{}\n", key.vkey), keys(&visitor).await.to_string());
    let published = public_text(&visitor, "/transparency/rules").await;
    assert_eq!(rules.sha256, sha256(&published));
    assert!(
        rest.iter().all(|entry| matches!(entry, Entry::Round(_))),
        "{rest:?}"
    );

    for (from, to) in [(first, last), (last, last), (first, first)] {
        let path = format!("/api/log/consistency?from={}&to={}", from.size, to.size);
        let (status, answer) = visitor.get(&path).await;
        assert_eq!(status, StatusCode::OK, "{answer}");
        verify_consistency(&hashes(&answer["path"]), &from, &to).unwrap();
    }
    let path = format!("/api/log/consistency?from=0&to={}", last.size);
    let empty = Checkpoint {
        size: 0,
        root: EMPTY_HASH,
    };
    let (_, answer) = visitor.get(&path).await;
    verify_consistency(&hashes(&answer["path"]), &empty, &last).unwrap();

    let (status, overview) = visitor.get("/api/transparency").await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(overview["verifierKeys"], json!([key.vkey]));
}

fn sha256(text: &str) -> [u8; 32] {
    use sha2::Digest as _;
    sha2::Sha256::digest(text.as_bytes()).into()
}

#[tokio::test]
async fn tiles_are_cached_and_the_end_of_the_log_is_not() {
    let server = Server::start();
    let visitor = server.visitor();
    checkpoint_of(&visitor, 2).await;
    for (path, cache, content_type) in [
        ("/log/checkpoint", "no-store", "text/plain; charset=utf-8"),
        ("/transparency/key", "no-store", "text/plain; charset=utf-8"),
        ("/transparency/rules", "no-store", "application/json"),
        ("/log/tile/0/000.p/2", FOREVER, "application/octet-stream"),
        ("/log/tile/0/000.p/1", FOREVER, "application/octet-stream"),
        (
            "/log/tile/entries/000.p/2",
            FOREVER,
            "application/octet-stream",
        ),
    ] {
        let (headers, _) = public(&visitor, path).await;
        assert_eq!(headers["cache-control"], cache, "{path}");
        assert_eq!(headers["content-type"], content_type, "{path}");
        // Any web page may read it.
        assert_eq!(headers["access-control-allow-origin"], "*", "{path}");
    }
}

/// Paths below `/log/tile/` that name nothing in a log of two entries.
const MISSING_TILES: &[&str] = &[
    "0/000",
    "0/000.p/0",
    "0/000.p/3",
    "0/000.p/256",
    "0/000.p/02",
    "0/000.p/+2",
    "0/000.p/-1",
    "0/000.p/2/",
    "0/000.p/99999999999999999999",
    "0/0.p/2",
    "0/00.p/2",
    "0/0000.p/2",
    "0/x000/000.p/2",
    "0/001.p/2",
    "0/x999/x999/x999/x999/x999/999",
    "0/x009/x223/x372/x036/x854/x775/808",
    "0/x018/x446/x744/x073/x709/x551/615",
    "0/x999/x999/x999/x999/x999/x999/x999/x999/999",
    "1/000.p/1",
    "63/000",
    "64/000",
    "00/000.p/2",
    "+0/000.p/2",
    "-1/000.p/2",
    "256/000.p/2",
    "8/0/000.p/2",
    "entries/000",
    "entries/000.p/3",
    "entries/000.p/02",
    "entries/x999/x999/x999/x999/x999/999",
    "entries/x018/x446/x744/x073/x709/x551/615.p/255",
    "data/000.p/2",
    "ENTRIES/000.p/2",
    "0",
    "",
    "0/%30%30%30.p/2x",
    "0/..%2f..%2fcheckpoint",
];

/// Queries of `/api/log/consistency` that are no two sizes.
const MALFORMED_SIZES: &[&str] = &[
    "",
    "from=1",
    "to=1",
    "from=-1&to=1",
    "from=a&to=1",
    "from=1&to=",
    "from=1&to=18446744073709551616",
    "from=1&to=2&more=1",
    "from=1&from=1&to=2",
];

/// Queries of `/api/receipts` that are no page.
const MALFORMED_PAGES: &[&str] = &[
    "cursor=",
    "cursor=a",
    "cursor=0",
    "cursor=-1",
    "cursor=%2B1",
    "cursor=9223372036854775808",
    "limit=0",
    "limit=101",
    "limit=a",
    "more=1",
];

#[tokio::test]
async fn bad_paths_sizes_and_cursors_are_refused() {
    let server = Server::start();
    let (player, visitor) = (
        server.funded_player("alice", "100.00").await,
        server.visitor(),
    );
    checkpoint_of(&visitor, 2).await;
    for path in MISSING_TILES {
        let answer = visitor.get(&format!("/log/tile/{path}")).await;
        assert_refused(&answer, 404, "not_found");
    }
    let missing = visitor.request(Method::GET, "/log/tile/0/000.p/255");
    let missing = missing.send().await.unwrap();
    // What does not exist yet will: it must not be cached as missing.
    assert_eq!(missing.headers()["cache-control"], "no-store");
    for sizes in [
        "from=2&to=1",
        "from=0&to=999",
        "from=999&to=999",
        "from=0&to=18446744073709551615",
    ] {
        let answer = visitor.get(&format!("/api/log/consistency?{sizes}")).await;
        assert_refused(&answer, 404, "not_found");
    }
    for sizes in MALFORMED_SIZES {
        let answer = visitor.get(&format!("/api/log/consistency?{sizes}")).await;
        assert_refused(&answer, 400, "malformed_request");
    }
    for query in MALFORMED_PAGES {
        let answer = player.get(&format!("/api/receipts?{query}")).await;
        assert_eq!(answer.0, StatusCode::BAD_REQUEST, "{query}");
        assert_refused(&answer, 400, "malformed_request");
    }
    for id in ["0", "-1", "a", "99", "9223372036854775808", "1%2F"] {
        for what in ["receipt", "proof"] {
            let answer = player.get(&format!("/api/rounds/{id}/{what}")).await;
            assert_refused(&answer, 404, "not_found");
        }
    }
}

#[tokio::test]
async fn rounds_of_others_are_not_found() {
    let server = Server::start();
    let player = server.funded_player("alice", "100.00").await;
    let id = roll(&player).await["roundId"].as_i64().unwrap();
    let (other, _) = server.player("bob").await;
    let administrator = server.administrator().await;
    for what in ["receipt", "proof"] {
        let path = format!("/api/rounds/{id}/{what}");
        wait_for(async || player.get(&path).await.0 == StatusCode::OK).await;
        for somebody in [&other, &administrator] {
            assert_refused(&somebody.get(&path).await, 404, "not_found");
        }
        assert_refused(&server.visitor().get(&path).await, 401, "not_signed_in");
    }
    assert_refused(
        &server.visitor().get("/api/receipts").await,
        401,
        "not_signed_in",
    );
}

/// The player's receipts of seed pairs, deposits and withdrawals, page by page.
#[tokio::test]
async fn receipts_are_listed_newest_first() {
    let server = Server::start();
    let player = server.funded_player("alice", "100.00").await;
    let keys = keys(&server.visitor()).await;
    let request = json!({
        "amount": "20.00",
        "currency": "btc",
        "walletAddress": "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2",
    });
    let (status, held) = player.post("/api/withdraw-requests", &request).await;
    assert!(status.is_success(), "{held}");
    player.rotate("mine").await;
    let mut subjects = Vec::new();
    let mut path = "/api/receipts?limit=1".to_owned();
    loop {
        let response = player.request(Method::GET, &path).send().await.unwrap();
        let next = response.headers().get("next-cursor").cloned();
        let page: Vec<SignedReceipt> = response.json().await.unwrap();
        for receipt in &page {
            receipt.verify(&keys).unwrap();
            let subject = receipt.text.lines().nth(3).unwrap();
            subjects.push(subject.split(' ').nth(1).unwrap().to_owned());
        }
        let Some(next) = next else { break };
        path = format!("/api/receipts?limit=1&cursor={}", next.to_str().unwrap());
    }
    assert_eq!(subjects, ["pair", "withdrawal", "pair"]);
}
