//! The lists as CSV files: complete, and without formulas that a spreadsheet would execute.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::admin_lists::{LISTS, List};
use crate::administration::{act, get, orphan, pages, withdraw};
use crate::sandbox_payments::create_deposit;
use crate::support::{Server, Visitor, assert_refused};

async fn csv(visitor: &Visitor, query: &str) -> String {
    let path = format!("/api/admin/export/{query}");
    let response = visitor.request(Method::GET, &path).send().await.unwrap();
    assert_eq!(response.status(), StatusCode::OK, "{query}");
    response.text().await.unwrap()
}

async fn play_dice(player: &Visitor, count: usize) {
    let bet = json!({ "betAmount": "1.00", "targetNumber": 50, "betType": "over" });
    for _ in 0..count {
        act(player, "/api/dice/play", bet.clone()).await;
    }
}

/// The first cell of a line, without its quotation marks.
fn first_cell(line: &str) -> &str {
    line.split(',').next().unwrap().trim_matches('"')
}

#[tokio::test]
async fn every_export_has_the_entries_of_its_list() {
    let server = Server::start();
    let administrator = server.administrator().await;
    let player = server.funded_player("alice", "500.00").await;
    play_dice(&player, 3).await;
    create_deposit(&player, "25.00").await;
    create_deposit(&player, "26.00").await;
    withdraw(&player, "20.00").await;
    withdraw(&player, "21.00").await;
    orphan(&server, &administrator).await;
    orphan(&server, &administrator).await;
    for List {
        name: list,
        columns: header,
        ..
    } in LISTS
    {
        let path = format!("/api/admin/export/{list}.csv");
        let request = administrator.request(Method::GET, &path);
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), StatusCode::OK, "{list}");
        let header_value = |name: &str| response.headers()[name].to_str().unwrap().to_owned();
        assert_eq!(header_value("content-type"), "text/csv; charset=utf-8");
        let name = format!("attachment; filename=\"glasshouse-{list}.csv\"");
        assert_eq!(header_value("content-disposition"), name);
        assert_eq!(header_value("x-content-type-options"), "nosniff");
        assert_eq!(header_value("cache-control"), "no-store");
        let text = response.text().await.unwrap();
        let mut lines = text.lines();
        let columns: Vec<_> = header
            .split(',')
            .map(|name| format!("\"{name}\""))
            .collect();
        assert_eq!(lines.next(), Some(columns.join(",").as_str()));
        // The first column holds the first field of the entries, in the same order.
        let field = header.split(',').next().unwrap();
        let entries = get(&administrator, &format!("/api/admin/{list}")).await;
        let ids = entries.as_array().unwrap().iter().map(|entry| {
            let id = &entry[field];
            id.as_str().map_or_else(|| id.to_string(), str::to_owned)
        });
        let first_cells: Vec<&str> = lines.map(first_cell).collect();
        assert!(first_cells.len() >= 2, "{list}: {text}");
        assert_eq!(first_cells, ids.collect::<Vec<_>>(), "{list}");
    }
}

#[tokio::test]
async fn formulas_are_escaped() {
    let server = Server::start();
    let administrator = server.administrator().await;
    let player = server.funded_player("-rogue", "100.00").await;
    let id = withdraw(&player, "20.00").await;
    let path = format!("/api/admin/withdraw-requests/{id}/process");
    let body = json!({ "action": "reject", "reason": "@SUM(1,2)" });
    act(&administrator, &path, body).await;
    let user = get(&player, "/api/user").await["id"].clone();
    let path = format!("/api/admin/users/{user}/status");
    let body = json!({ "status": "banned", "banReason": "=1+1" });
    act(&administrator, &path, body).await;
    for (query, expected, never) in [
        ("users.csv", ",\"'=1+1\",\"\",\"\",\"\"\n", "\"=1"),
        ("users.csv", ",\"'-rogue\",", "\"-rogue"),
        ("withdraw-requests.csv", ",\"'@SUM(1,2)\",", "\"@SUM"),
        ("logs.csv", ",\"'=1+1\",\"127.0.0.1\",", "\"=1"),
    ] {
        let text = csv(&administrator, query).await;
        assert!(text.contains(expected), "{query}: {text}");
        assert!(!text.contains(never), "{query}: {text}");
    }
    // Quotation marks, commas and line breaks stay within their cell.
    let body = json!({ "status": "banned", "banReason": "a \"b\", c\r\n=2" });
    act(&administrator, &path, body).await;
    let text = csv(&administrator, "users.csv?status=banned").await;
    assert!(
        text.ends_with(",\"a \"\"b\"\", c  =2\",\"\",\"\",\"\"\n"),
        "{text}"
    );
    assert_eq!(text.lines().count(), 2, "{text}");
}

#[tokio::test]
async fn exports_apply_the_filters_of_their_lists() {
    let server = Server::start();
    let administrator = server.administrator().await;
    let alice = server.funded_player("alice", "50.00").await;
    let bob = server.funded_player("bob", "60.00").await;
    play_dice(&alice, 2).await;
    play_dice(&bob, 3).await;
    for (query, rows) in [
        ("users.csv?search=alice".to_owned(), 1),
        ("users.csv?status=banned".to_owned(), 0),
        ("users.csv?sort=username".to_owned(), 3),
        ("logs.csv?action=balance_override".to_owned(), 2),
        ("game-history.csv?gameType=crash".to_owned(), 0),
        (
            format!(
                "game-history.csv?userId={}",
                get(&bob, "/api/user").await["id"]
            ),
            3,
        ),
    ] {
        let text = csv(&administrator, &query).await;
        assert_eq!(text.lines().count(), rows + 1, "{query}: {text}");
    }
    for query in [
        "users.csv?status=gone",
        "logs.csv?page=2",
        "reviews.csv?open=x",
    ] {
        let answer = administrator
            .get(&format!("/api/admin/export/{query}"))
            .await;
        assert_refused(&answer, 400, "malformed_request");
    }
    for name in ["sessions.csv", "x.csv", "..%2Fusers.csv"] {
        let answer = administrator
            .get(&format!("/api/admin/export/{name}"))
            .await;
        assert_refused(&answer, 404, "not_found");
    }
    for List { name: list, .. } in LISTS {
        let path = format!("/api/admin/export/{list}.csv");
        assert_refused(&alice.get(&path).await, 403, "forbidden");
        assert_refused(&server.visitor().get(&path).await, 401, "not_signed_in");
    }
}

/// More rows than one page of the query.
#[tokio::test]
async fn a_long_list_is_exported_completely() {
    let server = Server::start();
    let administrator = server.administrator().await;
    let player = server.funded_player("alice", "9000.00").await;
    play_dice(&player, 1_003).await;
    let all = pages(&administrator, "/api/admin/game-history?limit=200").await;
    assert_eq!(all.len(), 1_003);
    let text = csv(&administrator, "game-history.csv").await;
    let ids: Vec<Value> = text
        .lines()
        .skip(1)
        .map(|line| first_cell(line).parse().unwrap())
        .collect();
    let expected: Vec<Value> = all.iter().map(|round| round["id"].clone()).collect();
    assert_eq!(ids, expected);
}
