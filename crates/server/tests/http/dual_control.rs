//! Dual control over HTTP: what one administrator may do alone, proposals, and the operator's thresholds.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::administration::{act, colleague_as, get, post_once, thresholds, withdraw};
use crate::support::{Server, Visitor, assert_refused};

const OVERVIEW: &str = "/api/admin/approval";
const PROPOSALS: &str = "/api/admin/proposals";

async fn propose(visitor: &Visitor, path: &str, body: Value) -> Value {
    let (status, answer) = visitor.post(path, &body).await;
    assert_eq!(status, StatusCode::ACCEPTED, "{path}: {answer}");
    answer
}

#[tokio::test]
async fn a_house_with_one_administrator_says_what_is_not_available() {
    let server = Server::start();
    let owner = server.administrator().await;
    let (player, id) = server.player("alice").await;
    let overview = get(&owner, OVERVIEW).await;
    let expected = json!({
        "adjustment": "100.00",
        "confirmation": "500.00",
        "withdrawal": "1000.00",
        "personPerDay": "2000.00",
        "housePerDay": "10000.00",
        "automaticWithdrawal": "0.00",
    });
    assert_eq!(overview["thresholds"], expected);
    let nobody = json!({
        "adjustBalances": false,
        "confirmPayments": false,
        "decideWithdrawals": false,
        "changeRoles": false,
        "changeThresholds": false,
    });
    assert_eq!(overview["secondPerson"], nobody);
    let path = format!("/api/admin/users/{id}/balance");
    let mut body = json!({ "balance": "100.01", "reason": "a test" });
    let refused = owner.post(&path, &body).await;
    assert_refused(&refused, 403, "second_person_required");
    let message = "Adjustments of more than $100.00 need a second person.";
    assert_eq!(refused.1["message"], message);
    body["propose"] = json!(true);
    assert_refused(&owner.post(&path, &body).await, 409, "no_second_person");
    let refused = owner
        .post("/api/admin/approval/thresholds", &thresholds("5"))
        .await;
    assert_refused(&refused, 409, "no_second_person");
    let path = format!("/api/admin/users/{id}/role");
    let body = json!({ "role": "finance", "reason": "a test" });
    assert_refused(&owner.post(&path, &body).await, 409, "no_second_person");
    assert_eq!(player.balance().await, "0.00");
    assert_eq!(get(&owner, PROPOSALS).await, json!([]));
    server.assert_clean();
}

#[tokio::test]
async fn a_shift_with_two_people() {
    let mut server = Server::start();
    let owner = server.administrator().await;
    let (player, id) = server.player("alice").await;
    let finance = colleague_as(&server, "fay", "finance").await;
    let path = format!("/api/admin/users/{id}/balance");
    let body = json!({ "balance": "150.00", "reason": "a lost round", "propose": true });
    let made = propose(&finance, &path, body).await;
    for (field, value) in [
        ("kind", json!("adjust_balance")),
        ("amount", json!("150.00")),
        ("summary", json!("adjust the balance: from 0.00 to 150.00")),
        ("reason", json!("a lost round")),
        ("state", json!("open")),
        ("canDecide", json!(false)),
        ("isOwn", json!(true)),
    ] {
        assert_eq!(made[field], value, "{field}");
    }
    let approve = format!("{PROPOSALS}/{}/approve", made["id"]);
    let own = finance.post(&approve, &Value::Null).await;
    assert_refused(&own, 403, "own_proposal");
    assert_refused(&player.post(&approve, &Value::Null).await, 403, "forbidden");
    let support = colleague_as(&server, "sue", "support").await;
    let refused = support.post(&approve, &Value::Null).await;
    assert_refused(&refused, 403, "role_forbidden");
    let cashier = colleague_as(&server, "cas", "cashier").await;
    let refused = cashier.post(&approve, &Value::Null).await;
    assert_refused(&refused, 403, "not_permitted");
    let listed = get(&cashier, PROPOSALS).await;
    assert_eq!(listed[0]["canDecide"], false);
    assert_eq!(get(&owner, PROPOSALS).await[0]["canDecide"], true);
    // The server is killed: the proposal is there, and is carried out once.
    server.crash_and_restart();
    let first = post_once(&owner, &approve, "k", &Value::Null).await;
    assert_eq!(first.0, StatusCode::OK, "{}", first.1);
    server.crash_and_restart();
    let again = post_once(&owner, &approve, "k", &Value::Null).await;
    assert_eq!(again, first);
    assert_eq!(player.balance().await, "150.00");
    assert_refused(
        &owner.post(&approve, &Value::Null).await,
        409,
        "proposal_decided",
    );
    // The owner has credited the account, and does not pay it out alone.
    let request = withdraw(&player, "20.00").await;
    let path = format!("/api/admin/withdraw-requests/{request}/process");
    let refused = owner.post(&path, &json!({ "action": "approve" })).await;
    assert_refused(&refused, 403, "second_person_required");
    act(&cashier, &path, json!({ "action": "approve" })).await;
    let done = get(&owner, &format!("{PROPOSALS}?state=approved")).await;
    assert_eq!(done[0]["decidedBy"]["username"], "admin");
    assert_eq!(get(&owner, OVERVIEW).await["openProposals"], 0);
    server.assert_clean();
}

#[tokio::test]
async fn roles_and_thresholds_change_with_a_second_owner() {
    let server = Server::start();
    let owner = server.administrator().await;
    let deputy = colleague_as(&server, "deputy", "owner").await;
    let (_, id) = server.player("alice").await;
    let role = format!("/api/admin/users/{id}/role");
    let unknown = owner
        .post(&role, &json!({ "role": "king", "reason": "x" }))
        .await;
    assert_refused(&unknown, 400, "malformed_request");
    let body = json!({ "role": "support", "reason": "weekends" });
    let made = propose(&owner, &role, body).await;
    let path = format!("{PROPOSALS}/{}/approve", made["id"]);
    act(&deputy, &path, Value::Null).await;
    let user = get(&owner, &format!("/api/admin/users/{id}")).await;
    assert_eq!(user["role"], "support");
    let user = act(
        &deputy,
        &role,
        json!({ "role": "player", "reason": "left" }),
    )
    .await;
    assert_eq!(user["role"], "player");

    let path = "/api/admin/approval/thresholds";
    for amount in ["-1", "1.001", "1000000000.01", "x"] {
        let refused = owner.post(path, &thresholds(amount)).await;
        assert_refused(&refused, 400, "invalid_amount");
    }
    let made = propose(&owner, path, thresholds("7.50")).await;
    let refuse = format!("{PROPOSALS}/{}/refuse", made["id"]);
    let blank = deputy.post(&refuse, &json!({ "reason": "" })).await;
    assert_refused(&blank, 422, "reason_required");
    let refused = act(&deputy, &refuse, json!({ "reason": "too low" })).await;
    assert_eq!(
        (&refused["state"], &refused["decisionReason"]),
        (&json!("refused"), &json!("too low"))
    );
    let made = propose(&owner, path, thresholds("8")).await;
    let withdraw = format!("{PROPOSALS}/{}/withdraw", made["id"]);
    let others = deputy.post(&withdraw, &Value::Null).await;
    assert_refused(&others, 403, "others_proposal");
    act(&owner, &withdraw, Value::Null).await;
    let made = propose(&owner, path, thresholds("9")).await;
    let path = format!("{PROPOSALS}/{}/approve", made["id"]);
    act(&deputy, &path, Value::Null).await;
    let overview = get(&owner, OVERVIEW).await;
    assert_eq!(overview["thresholds"]["housePerDay"], "9.00");
    assert!(overview["setAt"].is_string());
    for path in [
        format!("{PROPOSALS}/999/approve"),
        format!("{PROPOSALS}/x/approve"),
    ] {
        let unknown = owner.post(&path, &Value::Null).await;
        assert_refused(&unknown, 404, "not_found");
    }
    server.assert_clean();
}

#[tokio::test]
async fn the_operator_sets_thresholds() {
    let server = Server::start();
    let owner = server.administrator().await;
    let output = server.operate(&["admin", "thresholds", "--adjustment", "250"]);
    assert!(output.status.success());
    let said = String::from_utf8_lossy(&output.stdout);
    let expected = "One person may move alone: 250.00 for an adjustment, 500.00 for a confirmation, \
                    1000.00 for a withdrawal, 2000.00 a day for a person, 10000.00 a day for the house.";
    assert!(said.contains(expected), "{said}");
    let overview = get(&owner, OVERVIEW).await;
    assert_eq!(overview["thresholds"]["adjustment"], "250.00");
    let record = &get(&owner, "/api/admin/logs?limit=1").await[0];
    assert_eq!(
        (&record["action"], &record["adminId"]),
        (&json!("thresholds_changed"), &Value::Null)
    );
    for wrong in ["-1", "1.001", "x", "2000000000"] {
        let argument = format!("--adjustment={wrong}");
        let output = server.operate(&["admin", "thresholds", &argument]);
        assert!(!output.status.success(), "{wrong}");
    }
    server.assert_clean();
}
