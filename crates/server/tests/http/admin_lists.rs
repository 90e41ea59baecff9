//! The administrators' lists: the fields of their entries, paging, filters and search.

use std::collections::BTreeSet;

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::administration::{act, get, orphan, pages, withdraw};
use crate::sandbox_payments::{create_deposit, open_payment, start_server};
use crate::support::{Server, Visitor, assert_refused};

/// A list and the format of its entries.
pub(crate) struct List {
    /// The list's name in URLs.
    pub(crate) name: &'static str,
    /// The exact fields of its entries.
    pub(crate) fields: &'static str,
    /// The header row of its CSV file.
    pub(crate) columns: &'static str,
}

/// All lists that administrators can page and export.
pub(crate) const LISTS: [List; 8] = [
    List {
        name: "users",
        fields: "id username isAdmin role balance availableToWithdraw createdAt status banReason closedAt bettingBlockReason \
         withdrawingBlockReason",
        columns: "id,username,isAdmin,role,balance,availableToWithdraw,createdAt,status,banReason,closedAt,\
         bettingBlockReason,withdrawingBlockReason",
    },
    List {
        name: "withdraw-requests",
        fields: "id userId user amount fee netAmount currency walletAddress status reason createdAt \
         decidedAt decidedBy payableFrom delayReasons risk playerTotals payout",
        columns: "id,userId,username,amount,fee,netAmount,currency,walletAddress,status,reason,createdAt,\
         decidedAt,decidedBy,payableFrom,riskPoints,payout,coinAmount,networkFee,transactionId",
    },
    List {
        name: "game-history",
        fields: "id userId username gameType betAmount winAmount outcome createdAt",
        columns: "id,userId,username,gameType,betAmount,winAmount,outcome,createdAt",
    },
    List {
        name: "deposits",
        fields: "id userId user amount creditedAmount currency orderId invoiceId status externalStatus \
         isUnderReview paymentIds createdAt",
        columns: "id,userId,username,amount,creditedAmount,currency,orderId,invoiceId,status,\
         externalStatus,isUnderReview,createdAt",
    },
    List {
        name: "logs",
        fields: "id adminId adminUsername action targetUserId targetUsername subject subjectKind \
         subjectId details oldValue newValue address createdAt hash",
        columns: "id,adminId,adminUsername,action,targetUserId,targetUsername,subject,oldValue,newValue,\
         address,createdAt,hash",
    },
    List {
        name: "payment-statuses",
        fields: "payment_id id_type order_id status is_processed is_confirmed user_id username amount \
         credited_amount currency last_checked standing reviews",
        columns: "payment_id,id_type,order_id,status,is_processed,is_confirmed,user_id,username,amount,\
         credited_amount,currency,last_checked,standing,reviews",
    },
    List {
        name: "reviews",
        fields: "id paymentId depositId userId username kind amount details paymentStatus payCurrency \
         actuallyPaid openedAt resolvedAt resolvedBy resolution",
        columns: "id,paymentId,depositId,userId,username,kind,amount,details,paymentStatus,payCurrency,\
         actuallyPaid,openedAt,resolvedAt,resolvedBy,resolution",
    },
    List {
        name: "alerts",
        fields: "id kind text user roundId isCondition raisedAt resolvedAt acknowledgedAt acknowledgedBy \
         deliveries",
        columns: "id,kind,text,userId,username,roundId,isCondition,raisedAt,resolvedAt,acknowledgedAt,\
         acknowledgedBy,delivered,waiting,givenUp",
    },
];

/// A house with at least three entries in each of the lists.
async fn populated_house() -> (Server, Visitor, Visitor) {
    let server = start_server();
    let administrator = server.administrator().await;
    let alice = server.funded_player("Alice", "500.00").await;
    let bob = server.funded_player("bob", "50.00").await;
    let bet = json!({ "betAmount": "1.00", "targetNumber": 50, "betType": "over" });
    for player in [&alice, &bob, &alice] {
        act(player, "/api/dice/play", bet.clone()).await;
        create_deposit(player, "25.00").await;
        orphan(&server, &administrator).await;
    }
    for (player, amount) in [(&alice, "20.00"), (&bob, "21.00"), (&alice, "22.00")] {
        withdraw(player, amount).await;
    }
    (server, administrator, alice)
}

fn keys(entry: &Value) -> BTreeSet<&str> {
    let keys = entry.as_object().unwrap().keys();
    keys.map(String::as_str).collect()
}

fn column<'v>(entries: &'v Value, field: &str) -> Vec<&'v str> {
    let entries = entries.as_array().unwrap();
    let fields = entries.iter().map(|entry| entry[field].as_str().unwrap());
    fields.collect()
}

#[tokio::test]
async fn lists_have_the_specified_fields() {
    let (server, administrator, _) = populated_house().await;
    for List {
        name: list, fields, ..
    } in LISTS
    {
        let entries = get(&administrator, &format!("/api/admin/{list}")).await;
        let entries = entries.as_array().unwrap();
        assert!(entries.len() >= 3, "{list}: {entries:?}");
        for entry in entries {
            assert_eq!(keys(entry), fields.split(' ').collect(), "{list}");
        }
    }
    let withdrawals = get(&administrator, "/api/admin/withdraw-requests").await;
    let newest = &withdrawals[0];
    assert_eq!(
        (&newest["amount"], &newest["fee"], &newest["netAmount"]),
        (&json!("22.00"), &json!("0.22"), &json!("21.78"))
    );
    assert_eq!(
        newest["user"],
        json!({ "id": newest["userId"], "username": "Alice" })
    );
    assert_eq!(
        (&newest["status"], &newest["decidedBy"], &newest["reason"]),
        (&json!("pending"), &Value::Null, &Value::Null)
    );
    let (payment, _) = orphan(&server, &administrator).await;
    let check = get(
        &administrator,
        &format!("/api/admin/check-payment/{payment}"),
    )
    .await;
    let expected = "payment_id id_type api_status local_status user_id deposit_id price_amount pay_amount \
                    actually_paid pay_currency order_id last_checked";
    assert_eq!(keys(&check), expected.split(' ').collect());
    assert_eq!(
        check["local_status"],
        json!({ "status": "waiting", "standing": "orphan", "credited_amount": "0.00" })
    );
}

#[tokio::test]
async fn pages_contain_each_entry_once_in_the_lists_order() {
    let (_server, administrator, _) = populated_house().await;
    let mut lists: Vec<String> = LISTS.iter().map(|list| format!("{}?", list.name)).collect();
    for more in [
        "users?sort=balance&",
        "users?sort=username&",
        "withdraw-requests?sort=oldest&",
        "withdraw-requests?sort=risk&",
        "withdraw-requests?sort=amount&",
        "logs?action=balance_override&",
        "reviews?kind=orphan&",
        "alerts?kind=review&acknowledged=false&",
    ] {
        lists.push(more.to_owned());
    }
    // From now on it has been recorded that the log was looked at.
    get(&administrator, "/api/admin/logs").await;
    for list in lists {
        let all = get(&administrator, &format!("/api/admin/{list}limit=200")).await;
        let all = all.as_array().unwrap();
        assert!(all.len() >= 2, "{list}");
        for limit in [1, 2, all.len()] {
            let path = format!("/api/admin/{list}limit={limit}");
            assert_eq!(pages(&administrator, &path).await, *all, "{path}");
        }
    }
    for (list, time) in [
        ("users", "createdAt"),
        ("withdraw-requests", "createdAt"),
        ("deposits", "createdAt"),
        ("logs", "createdAt"),
        ("payment-statuses", "last_checked"),
        ("reviews", "openedAt"),
        ("alerts", "raisedAt"),
    ] {
        let entries = get(&administrator, &format!("/api/admin/{list}")).await;
        let times = column(&entries, time);
        assert!(times.is_sorted_by(|one, next| one >= next), "{list}");
    }
}

#[tokio::test]
async fn periods_and_amounts_are_validated() {
    let server = Server::start();
    let administrator = server.administrator().await;
    for (list, query) in [
        ("withdraw-requests", "from=yesterday"),
        ("deposits", "to=2026-11-26"),
        ("users", "from=2026-11-26T12:00:00Z&to=2026-11-26T12:00:00Z"),
        ("logs", "from=%00"),
        ("logs", "minAmount=1"),
        ("deposits", "minAmount=1.234"),
        ("withdraw-requests", "minAmount=5&maxAmount=4"),
        ("game-history", "minAmount=5"),
        ("reviews", "from=2026-11-26T12:00:00Z"),
        ("alerts", "to=tomorrow"),
    ] {
        let path = format!("/api/admin/{list}?{query}");
        let answer = administrator.get(&path).await;
        assert_refused(&answer, 400, "malformed_request");
    }
    for (list, query) in [
        ("withdraw-requests", "from=&to=&minAmount=&maxAmount="),
        ("game-history", "minAmount=5&from=2026-11-26T12:00:00Z"),
        ("game-history", "maxAmount=5.00&userId=1"),
        ("users", "to=2026-11-26T12:00:00%2B01:00"),
    ] {
        let path = format!("/api/admin/{list}?{query}");
        let (status, body) = administrator.get(&path).await;
        assert_eq!(status, StatusCode::OK, "{path}: {body}");
    }
}

#[tokio::test]
async fn list_parameters_are_validated() {
    let server = Server::start();
    let administrator = server.administrator().await;
    let long = format!("search={}", "x".repeat(101));
    let for_all_lists = [
        "limit=0",
        "limit=201",
        "limit=-1",
        "limit=x",
        "limit=",
        "cursor=x",
        "cursor=",
        "page=2",
        "cursor=%00",
        "cursor=1-%00",
        "limit=99999999999999999999",
        "limit=1&limit=2",
    ];
    let for_single_lists = [
        ("users", "status=gone"),
        ("users", "sort=age"),
        ("users", &*long),
        ("users", "search=%00"),
        ("withdraw-requests", "status=paid"),
        ("withdraw-requests", &*long),
        ("game-history", "gameType=roulette"),
        ("game-history", "userId=x"),
        ("deposits", "status=gone"),
        ("deposits", "search=%07"),
        ("logs", &*long),
        ("logs", "action=%00"),
        ("payment-statuses", "standing=lying"),
        ("reviews", "open=maybe"),
        ("reviews", "kind=strange"),
        ("alerts", "kind=strange"),
        ("alerts", "kind=%00"),
        ("alerts", "acknowledged=maybe"),
    ];
    let all = LISTS
        .iter()
        .flat_map(|list| for_all_lists.map(|query| (list.name, query)));
    for (list, query) in all.chain(for_single_lists) {
        let answer = administrator
            .get(&format!("/api/admin/{list}?{query}"))
            .await;
        assert_eq!(
            answer.0,
            StatusCode::BAD_REQUEST,
            "{list}?{query}: {}",
            answer.1
        );
        assert_refused(&answer, 400, "malformed_request");
    }
}

#[tokio::test]
async fn invalid_list_parameters_are_explained() {
    let server = Server::start();
    let administrator = server.administrator().await;
    let long = format!("search={}", "x".repeat(101));
    let wrong_order = administrator
        .get("/api/admin/users?sort=balance&cursor=1-x")
        .await;
    assert_refused(&wrong_order, 422, "cursor_of_another_order");
    for (query, message) in [
        ("limit=201", "limit must be from 1 to 200"),
        ("cursor=x", "Invalid cursor"),
        (
            "sort=age",
            "Malformed query: unknown variant `age`, expected one of `newest`, `balance`, `username`",
        ),
        (&long, "search must be at most 100 plain characters"),
    ] {
        let (_, answer) = administrator
            .get(&format!("/api/admin/users?{query}"))
            .await;
        assert_eq!(answer["message"], message);
    }
    let (_, answer) = administrator.get("/api/admin/users?page=2").await;
    let message = answer["message"].as_str().unwrap();
    assert!(message.contains("page"), "{message}");
}

#[tokio::test]
async fn users_are_searched_filtered_and_sorted() {
    let (server, administrator, _) = populated_house().await;
    let (_, id) = server.player("carol").await;
    let path = format!("/api/admin/users/{id}/status");
    let ban = json!({ "status": "banned", "banReason": "cards" });
    act(&administrator, &path, ban).await;
    let names = async |query: &str| {
        let users = get(&administrator, &format!("/api/admin/users?{query}")).await;
        let names = column(&users, "username").into_iter();
        names.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(names("").await, ["carol", "bob", "Alice", "admin"]);
    assert_eq!(
        names("sort=username").await,
        ["admin", "Alice", "bob", "carol"]
    );
    assert_eq!(names("sort=balance").await[..2], ["Alice", "bob"]);
    assert_eq!(names("search=AL").await, ["Alice"]);
    assert_eq!(names(&format!("search={id}")).await, ["carol"]);
    assert!(
        names("search=%25").await.is_empty(),
        "wildcards are matched literally"
    );
    assert!(names("search=%27%20OR%201=1--").await.is_empty());
    assert_eq!(names("status=banned").await, ["carol"]);
    assert_eq!(names("status=active&search=o").await, ["bob"]);
    let one = get(&administrator, &format!("/api/admin/users/{id}")).await;
    let listed = get(&administrator, "/api/admin/users?search=carol").await;
    assert_eq!(listed, json!([one]));
    // With a number sign the search matches the user's ID only, not parts of usernames.
    server.player(&format!("carol-{id}")).await;
    assert_eq!(names(&format!("search={id}")).await.len(), 2);
    assert_eq!(names(&format!("search=%23{id}")).await, ["carol"]);
    assert!(names("search=%23carol").await.is_empty());
}

#[tokio::test]
async fn withdrawals_deposits_and_payments_are_searched_and_filtered() {
    let (_server, administrator, alice) = populated_house().await;
    let created = create_deposit(&alice, "33.00").await;
    open_payment(created["invoiceUrl"].as_str().unwrap()).await;
    let deposit = &created["deposit"];
    let count = async |query: &str| {
        let found = get(&administrator, &format!("/api/admin/{query}")).await;
        found.as_array().unwrap().len()
    };
    let id = deposit["invoiceId"].as_str().unwrap();
    let order = deposit["orderId"].as_str().unwrap();
    for (query, expected) in [
        ("withdraw-requests?status=pending".to_owned(), 3),
        ("withdraw-requests?status=approved".to_owned(), 0),
        ("withdraw-requests?search=alice".to_owned(), 2),
        ("withdraw-requests?search=1BvBM".to_owned(), 3),
        ("deposits?status=pending".to_owned(), 4),
        ("deposits?status=completed".to_owned(), 0),
        ("deposits?search=bob".to_owned(), 1),
        (format!("deposits?search={order}"), 1),
        (format!("deposits?search={id}"), 1),
        ("payment-statuses?standing=orphan".to_owned(), 3),
        ("payment-statuses?standing=quarantined".to_owned(), 0),
        (format!("payment-statuses?search={order}"), 1),
        (format!("payment-statuses?search=%23{id}"), 1),
        (format!("payment-statuses?search=%23{}", &id[1..]), 0),
        ("game-history?id=1".to_owned(), 1),
        ("game-history?id=999999".to_owned(), 0),
        ("game-history?gameType=dice".to_owned(), 3),
        ("game-history?gameType=crash".to_owned(), 0),
        ("reviews?open=false".to_owned(), 0),
        ("reviews?kind=overpaid".to_owned(), 0),
        ("alerts?kind=review".to_owned(), 3),
        ("alerts?kind=large_win&from=".to_owned(), 0),
        ("alerts?acknowledged=true".to_owned(), 0),
        ("alerts?to=2026-01-01T00:00:00Z".to_owned(), 0),
        ("logs?search=ALICE&action=balance_override".to_owned(), 1),
        ("logs?action=administrator_created".to_owned(), 1),
    ] {
        assert_eq!(count(&query).await, expected, "{query}");
    }
}
