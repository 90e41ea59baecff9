//! Bans, decisions on withdrawals, and the administrators' lists.

use std::time::Duration;

use glasshouse_casino::accounts::{
    SessionKeyHash, SignIn, confirm_session, find_session, open_session,
};
use glasshouse_casino::administration::{BanState, Decision, list, set_ban_state};
use glasshouse_casino::money::{WithdrawalRequest, request_withdrawal};
use glasshouse_casino::{
    DepositQuery, PayoutRefusal, Refusal, RequestOrigin, UserOrder, UserQuery, WithdrawalQuery,
};
use glasshouse_domain::{TypedPassword, UserId, UserStatus, WithdrawalId, WithdrawalStatus};
use rstest_reuse::apply;

use crate::support::administration::{
    APPROVAL, PASSWORD, administrator, audit_actions, context, decide_withdrawal, keyed,
};
use crate::support::cashier_fixture::{CashierFixture, at_once, dollars};
use crate::support::{Fixture, assert_refused, both_databases};

const ADDRESS: &str = "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2";
async fn withdrawal(test: &Fixture, player: UserId, amount: &str) -> WithdrawalId {
    let request = WithdrawalRequest::parse(amount, "btc", ADDRESS).unwrap();
    let requested = request_withdrawal(&test.house, player, request, None).await;
    requested.unwrap().withdrawal.id
}

#[apply(both_databases)]
async fn a_ban_ends_all_sessions_and_can_be_lifted(#[case] test: &Fixture) {
    let admin = administrator(test, "warden").await;
    let player = test.player("rowdy", 0).await;
    let key = open_session(&test.house, player, RequestOrigin::default())
        .await
        .unwrap();
    let ban = |reason: &str| BanState::Banned(reason.to_owned());
    let refused = set_ban_state(&test.house, context(admin), player, ban("  ")).await;
    assert_refused(refused, &Refusal::BanReasonRequired);
    let refused = set_ban_state(&test.house, context(admin), admin, ban("coup")).await;
    assert_refused(refused, &Refusal::AdministratorNotBannable);
    let refused = set_ban_state(&test.house, context(admin), UserId::new(999), ban("who")).await;
    assert_refused(refused, &Refusal::NotFound);
    assert!(
        find_session(&test.house, SessionKeyHash::of(&key))
            .await
            .unwrap()
            .is_some()
    );
    let banned = set_ban_state(&test.house, context(admin), player, ban(" bots "))
        .await
        .unwrap();
    assert_eq!(
        banned.user.status,
        UserStatus::Banned {
            reason: "bots".to_owned()
        }
    );
    let refused = find_session(&test.house, SessionKeyHash::of(&key)).await;
    assert_refused(
        refused,
        &Refusal::Banned {
            reason: "bots".to_owned(),
        },
    );
    // Repeating the ban records nothing.
    set_ban_state(&test.house, context(admin), player, ban("bots"))
        .await
        .unwrap();
    let ban_state = set_ban_state(&test.house, context(admin), player, BanState::Active)
        .await
        .unwrap();
    assert_eq!(ban_state.user.status, UserStatus::Active);
    assert!(
        find_session(&test.house, SessionKeyHash::of(&key))
            .await
            .unwrap()
            .is_none()
    );
    assert_eq!(
        audit_actions(test).await,
        ["user_unbanned", "user_banned", "administrator_created"]
    );
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn concurrent_decisions_on_a_withdrawal_take_effect_once(#[case] test: &Fixture) {
    let one = administrator(test, "first").await;
    let two = administrator(test, "second").await;
    let player = test.player("asker", 10_000).await;
    let houses = [test.house.clone(), test.another_house()];
    let mut expected = 10_000;
    for round in 0..4 {
        let id = withdrawal(test, player, "20").await;
        expected -= 2_000;
        let outcomes = at_once(10, |number| {
            let house = houses[number % 2].clone();
            let decider = if number % 2 == 0 { one } else { two };
            let decision = if (number + round) % 3 == 0 {
                APPROVAL
            } else {
                Decision::Reject("not today".to_owned())
            };
            async move { decide_withdrawal(&house, context(decider), id, decision).await }
        })
        .await;
        let (decided, refused): (Vec<_>, Vec<_>) = outcomes.into_iter().partition(Result::is_ok);
        assert_eq!(decided.len(), 1);
        let status = decided[0].as_ref().unwrap().withdrawal.status;
        if status == WithdrawalStatus::Rejected {
            expected += 2_000;
        }
        for outcome in refused {
            assert_refused(outcome, &Refusal::AlreadyDecided(status));
        }
    }
    let query = UserQuery {
        search: Some("asker".to_owned()),
        limit: 10,
        ..UserQuery::default()
    };
    let users = list(&test.house, query).await.unwrap();
    assert_eq!(users.entries[0].wallet.balance(), dollars(expected));
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn a_repeated_decision_returns_the_first_result(#[case] test: &Fixture) {
    let admin = administrator(test, "decider").await;
    let player = test.player("asker", 10_000).await;
    let (one, other) = (
        withdrawal(test, player, "20").await,
        withdrawal(test, player, "20").await,
    );
    let reject = |reason: &str| Decision::Reject(reason.to_owned());
    let decide =
        async |id, decision| decide_withdrawal(&test.house, keyed(admin, "a"), id, decision).await;
    for _ in 0..2 {
        let entry = decide(one, reject("no")).await.unwrap();
        assert_eq!(entry.withdrawal.status, WithdrawalStatus::Rejected);
    }
    for (id, decision) in [
        (one, reject("never")),
        (one, APPROVAL),
        (other, reject("no")),
    ] {
        assert_refused(decide(id, decision).await, &Refusal::IdempotencyConflict);
    }
    let ban = set_ban_state(&test.house, keyed(admin, "a"), player, BanState::Active).await;
    assert_refused(ban, &Refusal::IdempotencyConflict);
    let done = [
        "withdrawal_rejected",
        "balance_override",
        "thresholds_changed",
        "administrator_created",
    ];
    assert_eq!(audit_actions(test).await, done);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn administrators_cannot_decide_on_their_own_withdrawal(#[case] test: &Fixture) {
    let admin = administrator(test, "greedy").await;
    test.set_balance(admin, 10_000).await.unwrap();
    let id = withdrawal(test, admin, "50").await;
    let refused = decide_withdrawal(&test.house, context(admin), id, APPROVAL).await;
    assert_refused(refused, &PayoutRefusal::OwnWithdrawal.into());
    let other = administrator(test, "other").await;
    let blank_reason = Decision::Reject("\n".to_owned());
    let refused = decide_withdrawal(&test.house, context(other), id, blank_reason).await;
    assert_refused(refused, &Refusal::RejectionReasonRequired);
    let unknown = WithdrawalId::new(77);
    let refused = decide_withdrawal(&test.house, context(other), unknown, APPROVAL).await;
    assert_refused(refused, &Refusal::NotFound);
    let entry = decide_withdrawal(&test.house, context(other), id, APPROVAL)
        .await
        .unwrap();
    assert_eq!(entry.decided_by.unwrap().username, "other");
    assert_eq!(audit_actions(test).await[0], "withdrawal_approved");
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn user_list_pages_are_complete_in_every_order(#[case] test: &Fixture) {
    let balances = [0, 1_000, 95, 1_000, 999_999, 25_000, 31_000];
    for (number, balance) in balances.into_iter().enumerate() {
        let name = format!("user-{number}");
        let player = test.player(&name, 7 * balance).await;
        // It also falls, within its number of digits and below it.
        test.set_balance(player, balance).await.unwrap();
    }
    for order in [UserOrder::Newest, UserOrder::Balance, UserOrder::Username] {
        let mut listed = Vec::new();
        let mut after = None;
        loop {
            let query = UserQuery {
                order,
                after,
                limit: 2,
                ..UserQuery::default()
            };
            let page = list(&test.house, query).await.unwrap();
            listed.extend(
                page.entries
                    .into_iter()
                    .map(|entry| (entry.user.id, entry.user.username, entry.wallet.balance())),
            );
            after = page.next;
            if after.is_none() {
                break;
            }
        }
        // Six players, the administrator, and who has set their balances.
        assert_eq!(listed.len(), 8, "{order:?}");
        let mut sorted = listed.clone();
        match order {
            UserOrder::Newest => sorted.sort_by_key(|one| std::cmp::Reverse(one.0)),
            UserOrder::Balance => sorted.sort_by_key(|one| std::cmp::Reverse((one.2, one.0))),
            UserOrder::Username => sorted.sort_by(|one, other| one.1.cmp(&other.1)),
        }
        assert_eq!(listed, sorted, "{order:?}");
    }
    let found = async |search: &str| {
        let query = UserQuery {
            search: Some(search.to_owned()),
            limit: 10,
            ..UserQuery::default()
        };
        list(&test.house, query).await.unwrap().entries.len()
    };
    assert_eq!(found("USER").await, 7);
    assert_eq!(found("user-3").await, 1);
    assert_eq!(
        (found("%").await, found("_").await),
        (0, 0),
        "wildcards are matched literally"
    );
}

#[apply(both_databases)]
async fn deposits_and_withdrawals_are_filtered_and_searched(#[case] test: &Fixture) {
    use glasshouse_domain::DepositStatus::{Completed, Failed, Pending, Requested};
    let fixture = CashierFixture::open(test).await;
    let (first, invoice) = fixture.deposit().await;
    fixture.pay_percent(&invoice, 100).await;
    fixture.deposit().await;
    let deposits = async |statuses, search: Option<&str>| {
        let search = search.map(str::to_owned);
        let query = DepositQuery {
            statuses,
            search,
            limit: 10,
            ..DepositQuery::default()
        };
        list(&test.house, query).await.unwrap().entries.len()
    };
    assert_eq!(deposits(None, None).await, 2);
    assert_eq!(deposits(Some([Completed; 2]), None).await, 1);
    assert_eq!(deposits(Some([Pending, Requested]), None).await, 1);
    assert_eq!(deposits(Some([Failed; 2]), None).await, 0);
    assert_eq!(deposits(None, Some(&first.order_id)).await, 1);
    assert_eq!(deposits(None, Some("depositor")).await, 2);
    let player = test.player("asker", 20_000).await;
    for _ in 0..3 {
        withdrawal(test, player, "20").await;
    }
    let withdrawals = async |status, search: Option<&str>| {
        let search = search.map(str::to_owned);
        let query = WithdrawalQuery {
            status,
            search,
            limit: 10,
            ..WithdrawalQuery::default()
        };
        list(&test.house, query).await.unwrap().entries.len()
    };
    assert_eq!(withdrawals(Some(WithdrawalStatus::Pending), None).await, 3);
    assert_eq!(withdrawals(Some(WithdrawalStatus::Approved), None).await, 0);
    assert_eq!(withdrawals(None, Some("1BvBM")).await, 3);
    assert_eq!(withdrawals(None, Some("asker")).await, 3);
    assert_eq!(withdrawals(None, Some("depositor")).await, 0);
}

#[apply(both_databases)]
async fn a_step_up_is_valid_for_five_minutes(#[case] test: &Fixture) {
    let admin = administrator(test, "keeper").await;
    let key = open_session(&test.house, admin, RequestOrigin::default())
        .await
        .unwrap();
    let until = async || {
        let session = find_session(&test.house, SessionKeyHash::of(&key))
            .await
            .unwrap();
        session.unwrap().confirmed_until
    };
    assert_eq!(
        until().await.saturating_since(test.house.now()),
        Duration::from_mins(5)
    );
    test.clock.advance(Duration::from_mins(6));
    assert!(until().await < test.house.now());
    let confirm = async |password: &str| {
        let hash = SessionKeyHash::of(&key);
        let attempt = SignIn {
            username: "keeper".to_owned(),
            password: TypedPassword::new(password.to_owned()),
            origin: RequestOrigin::default(),
        };
        confirm_session(&test.house, hash, attempt).await
    };
    assert_refused(
        confirm("wrong-password").await,
        &Refusal::InvalidCredentials,
    );
    assert!(until().await < test.house.now());
    confirm(PASSWORD).await.unwrap();
    assert_eq!(
        until().await.saturating_since(test.house.now()),
        Duration::from_mins(5)
    );
}
