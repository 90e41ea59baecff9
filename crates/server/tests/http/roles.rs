//! What administrators can do depends on their roles. The calls and the permissions that they need are
//! taken from the OpenAPI document, so that a new call is tested as well.

use glasshouse_domain::{Permission, Role};
use reqwest::Method;
use serde_json::json;

use crate::administration::{
    Places, act, calls, colleague_as, get, newest_alert, orphan, play_round, proposal,
    set_seconds_ago, withdraw,
};
use crate::support::{Server, assert_refused, read};

/// Permissions that a call needs for some bodies only. The use cases test them for every role.
const JUDGED_BY_THE_BODY: [Permission; 2] = [Permission::ResumeHouse, Permission::BlockBetting];

/// The administrators' roles.
fn roles() -> impl Iterator<Item = Role> {
    Role::ALL
        .iter()
        .copied()
        .filter(|role| role.is_administrator())
}

#[tokio::test]
async fn every_call_is_refused_to_the_roles_that_do_not_permit_it() {
    let server = Server::start();
    let owner = server.administrator().await;
    let victim = server.funded_player("victim", "100.00").await;
    let (payment, review) = orphan(&server, &owner).await;
    let victim_id = get(&victim, "/api/user").await["id"].clone();
    let places = Places {
        alert: newest_alert(&server),
        round: play_round(&victim).await,
        proposal: proposal(&server, &victim_id).await,
        user: victim_id,
        withdrawal: withdraw(&victim, "20.00").await,
        payment,
        review,
    };
    let calls = calls(&server).await;
    let mut used = Vec::new();
    for role in roles() {
        let name = format!("an-{}", role.as_str());
        let visitor = colleague_as(&server, &name, role.as_str()).await;
        // A call that a role permits is then refused for lack of a confirmation, or reads.
        set_seconds_ago(&server, "confirmed_at_micros", 3_600);
        for call in &calls {
            let permission = Permission::parse(&call.permission).unwrap();
            used.push(permission);
            let request = visitor.request(call.method.clone(), &call.path(&places));
            let request = if call.is_unsafe() {
                request.json(&call.body(&places))
            } else {
                request
            };
            let answer = read(request.send().await.unwrap()).await;
            if role.may(permission) {
                assert_ne!(answer.1["code"], "role_forbidden", "{name} {call:?}");
            } else {
                assert_refused(&answer, 403, "role_forbidden");
            }
        }
    }
    used.extend(JUDGED_BY_THE_BODY);
    for permission in Permission::ALL {
        assert!(used.contains(permission), "no call needs {permission:?}");
    }
    server.assert_clean();
}

#[tokio::test]
async fn each_role_does_what_it_is_for() {
    let server = Server::start();
    let owner = server.administrator().await;
    let victim = server.funded_player("victim", "100.00").await;
    let id = get(&victim, "/api/user").await["id"].clone();
    let withdrawal = withdraw(&victim, "20.00").await;

    let cashier = colleague_as(&server, "cashier", "cashier").await;
    let path = format!("/api/admin/withdraw-requests/{withdrawal}/process");
    act(&cashier, &path, json!({ "action": "approve" })).await;
    let finance = colleague_as(&server, "finance", "finance").await;
    let path = format!("/api/admin/users/{id}/balance");
    act(
        &finance,
        &path,
        json!({ "balance": "7.00", "reason": "a test" }),
    )
    .await;
    let refused = cashier
        .post(&path, &json!({ "balance": "8.00", "reason": "a test" }))
        .await;
    assert_refused(&refused, 403, "role_forbidden");
    let support = colleague_as(&server, "support", "support").await;
    let path = format!("/api/admin/users/{id}/status");
    act(
        &support,
        &path,
        json!({ "status": "banned", "banReason": "a bot" }),
    )
    .await;
    let auditor = colleague_as(&server, "auditor", "auditor").await;
    let export = auditor.request(Method::GET, "/api/admin/export/users.csv");
    let csv = export.send().await.unwrap().text().await.unwrap();
    assert!(csv.contains("victim"), "{csv}");

    let user = get(&auditor, "/api/user").await;
    assert_eq!(
        (&user["isAdmin"], &user["role"]),
        (&json!(true), &json!("auditor"))
    );
    let expected = json!([
        "read_panel",
        "read_security_events",
        "read_figures",
        "export"
    ]);
    assert_eq!(user["permissions"], expected);
    let entry = &get(&owner, "/api/admin/users?search=cashier").await[0];
    assert_eq!(
        (&entry["isAdmin"], &entry["role"]),
        (&json!(true), &json!("cashier"))
    );
    server.assert_clean();
}

#[tokio::test]
async fn a_changed_role_counts_from_the_next_request() {
    let server = Server::start();
    let deputy = colleague_as(&server, "deputy", "owner").await;
    let summary = "/api/admin/users";
    get(&deputy, summary).await;
    // With fewer permissions, the session goes on.
    assert!(
        server
            .operate(&["admin", "grant", "deputy", "--role", "auditor"])
            .status
            .success()
    );
    assert_eq!(get(&deputy, "/api/user").await["role"], "auditor");
    // With more, the user signs in again.
    assert!(
        server
            .operate(&["admin", "grant", "deputy", "--role", "finance"])
            .status
            .success()
    );
    assert_refused(&deputy.get(summary).await, 401, "not_signed_in");
    let unknown = server.operate(&["admin", "grant", "deputy", "--role", "king"]);
    assert_eq!(unknown.status.code(), Some(2));
    server.assert_clean();
}
