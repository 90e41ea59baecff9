//! Query plans of the lists: each page must be one index range, without sorting.

use glasshouse_domain::{AlertKind, ReviewKind, Timestamp, WithdrawalId, WithdrawalStatus};

use crate::admin::{
    ActivePaymentQuery, AdminList, AlertQuery, AuditQuery, DepositQuery, Period, ReviewQuery,
    UserOrder, UserQuery, WithdrawalOrder, WithdrawalPlace, WithdrawalQuery,
};
use crate::queries::{payment_details, withdrawal_details};
use crate::query_plan::{plans_of, plans_on_filled};

fn plan_of(list: &impl AdminList) -> String {
    let mut plans = plans_of(|connection| drop(list.read(connection).unwrap()));
    assert_eq!(plans.len(), 1, "expected one query: {plans:?}");
    plans.remove(0)
}

fn check(list: &impl AdminList, expected: &str) {
    let plan = plan_of(list);
    assert!(plan.starts_with(expected), "{plan}");
    assert!(!plan.contains("SCAN"), "{plan}");
    assert!(!plan.contains("TEMP B-TREE"), "{plan}");
}

#[test]
fn a_page_reads_one_range_and_sorts_nothing() {
    let limit = 10;
    for (order, expected) in [
        (
            UserOrder::Newest,
            "SEARCH users USING INTEGER PRIMARY KEY (rowid<?)",
        ),
        (UserOrder::Username, "SEARCH users USING INDEX"),
    ] {
        let users = UserQuery {
            order,
            limit,
            ..UserQuery::default()
        };
        check(&users, expected);
    }
    let deposits = DepositQuery {
        limit,
        ..DepositQuery::default()
    };
    check(
        &deposits,
        "SEARCH deposits USING INTEGER PRIMARY KEY (rowid<?)",
    );
    let reviews = ReviewQuery {
        limit,
        ..ReviewQuery::default()
    };
    check(
        &reviews,
        "SEARCH reviews USING INTEGER PRIMARY KEY (rowid<?)",
    );
    let audit = AuditQuery {
        limit,
        ..AuditQuery::default()
    };
    check(
        &audit,
        "SEARCH audit_log USING INTEGER PRIMARY KEY (rowid<?)",
    );
    let withdrawals = WithdrawalQuery {
        limit,
        ..WithdrawalQuery::default()
    };
    check(
        &withdrawals,
        "SEARCH withdrawals USING INTEGER PRIMARY KEY (rowid<?)",
    );
}

#[test]
fn indexed_filters_use_their_index() {
    let limit = 10;
    let audit = AuditQuery {
        action: Some(glasshouse_domain::AuditAction::UserBanned),
        limit,
        ..AuditQuery::default()
    };
    check(
        &audit,
        "SEARCH audit_log USING INDEX audit_log_by_action (action=? AND id<?)",
    );
    let withdrawals = WithdrawalQuery {
        status: Some(WithdrawalStatus::Pending),
        limit,
        ..WithdrawalQuery::default()
    };
    check(
        &withdrawals,
        "SEARCH withdrawals USING INDEX withdrawals_by_status (status=? AND id<?)",
    );
}

#[test]
fn active_payments_are_read_in_the_order_of_indexes() {
    let active = ActivePaymentQuery {
        limit: 10,
        ..ActivePaymentQuery::default()
    };
    let plan = plan_of(&active);
    for expected in [
        "SEARCH p USING INDEX payments_by_activity (updated_at_micros<?)",
        "SEARCH d USING INDEX deposits_by_activity (status=? AND updated_at_micros<?)",
    ] {
        assert!(plan.contains(expected), "{plan}");
    }
    // What is sorted are the finished payments with an open review, the payments of the page, and the page.
    assert_eq!(plan.matches("TEMP B-TREE").count(), 3, "{plan}");
    // Nothing but the payment itself is read before it is known to be on the page.
    assert_eq!(plan.matches("SEARCH r USING").count(), 1, "{plan}");
}

#[test]
fn a_period_is_one_range() {
    let limit = 10;
    let period = Period {
        from: Some(Timestamp::from_micros(1)),
        to: Some(Timestamp::from_micros(2)),
    };
    let users = UserQuery {
        period,
        limit,
        ..<_>::default()
    };
    check(
        &users,
        "SEARCH users USING INDEX users_by_time (created_at_micros>? AND created_at_micros<?)",
    );
    let deposits = DepositQuery {
        period,
        limit,
        ..<_>::default()
    };
    check(
        &deposits,
        "SEARCH deposits USING INDEX deposits_by_time (created_at_micros>? AND created_at_micros<?)",
    );
    let audit = AuditQuery {
        period,
        limit,
        ..<_>::default()
    };
    check(
        &audit,
        "SEARCH audit_log USING INDEX audit_log_by_time (created_at_micros>? AND created_at_micros<?)",
    );
    for order in [WithdrawalOrder::Newest, WithdrawalOrder::Oldest] {
        let withdrawals = WithdrawalQuery {
            period,
            order,
            limit,
            ..<_>::default()
        };
        check(
            &withdrawals,
            "SEARCH withdrawals USING INDEX withdrawals_by_time \
             (created_at_micros>? AND created_at_micros<?)",
        );
    }
}

/// The queue is not sorted, although SQLite has no statistics in production.
#[test]
fn pending_withdrawals_are_read_in_the_order_of_their_index() {
    for (order, index) in [
        (WithdrawalOrder::Risk, "withdrawals_by_risk (status=?"),
        (WithdrawalOrder::Amount, "withdrawals_by_amount (status=?"),
    ] {
        for sort_key in [None, Some(15)] {
            let id = WithdrawalId::new(7);
            let queue = WithdrawalQuery {
                status: Some(WithdrawalStatus::Pending),
                order,
                after: sort_key.map(|_| WithdrawalPlace { id, sort_key }),
                limit: 10,
                ..WithdrawalQuery::default()
            };
            let plans = plans_on_filled("", |connection| drop(queue.read(connection).unwrap()));
            assert!(plans[0].contains(index), "{plans:?}");
            assert!(!plans[0].contains("TEMP B-TREE"), "{plans:?}");
        }
    }
}

/// A payment that one administrator has proposed to credit and another has credited twice, and a withdrawal that was
/// paid by hand.
const PAID: &str = "
    PRAGMA foreign_keys = OFF;
    INSERT INTO users (id, username, username_key, password_hash, role, created_at_micros)
        VALUES (7, 'alice', 'alice', '', 'player', 1), (8, 'ann', 'ann', '', 'owner', 1),
            (9, 'ben', 'ben', '', 'owner', 1);
    INSERT INTO deposits (id, player_id, order_id, currency, price_cents, status, credited_cents, invoice_id,
            created_at_micros, updated_at_micros)
        VALUES (3, 7, 'order', 'btc', 300, 'pending', 300, '77', 1, 1);
    INSERT INTO payments (id, deposit_id, standing, status, credited_cents, credits, details, first_seen_at_micros,
            updated_at_micros)
        VALUES ('51', 3, 'tracked', 'finished', 300, 2, '{}', 1, 1);
    INSERT INTO payment_credits (payment_id, number, player_id, amount_cents, confirmed_by, created_at_micros)
        VALUES ('51', 1, 7, 100, 8, 5), ('51', 2, 7, 200, 8, 6);
    INSERT INTO proposals (id, kind, act, user_id, cause, proposed_by, proposed_at_micros, expires_at_micros)
        VALUES (4, 'confirm_payment', 'confirm a payment: payment 51, 1.00 paid in BTC', 7, '', 9, 1, 9),
            (5, 'approve_withdrawal', 'approve a withdrawal: 7 of 100.00', 7, '', 9, 1, 9);
    INSERT INTO withdrawals (id, player_id, amount_cents, fee_cents, currency, address, status, decided_by,
            decided_at_micros, created_at_micros)
        VALUES (7, 7, 10000, 50, 'btc', 'x', 'approved', 8, 2, 1);
    INSERT INTO payouts (withdrawal_id, method, state, external_id, claimed_at_micros, sent_at_micros, sent_by)
        VALUES (7, 'manual', 'sent', 'x', 2, 3, 8)";

/// Each part of the pages of one payment and of one withdrawal is found by an index, whatever there is of others.
#[test]
fn the_pages_of_money_scan_nothing() {
    let plans = plans_on_filled(PAID, |connection| {
        let payment = payment_details(connection, "51").unwrap();
        assert!(payment.deposit.is_some());
        assert_eq!((payment.credits.len(), payment.proposals.len()), (2, 1));
        let withdrawal = withdrawal_details(connection, WithdrawalId::new(7)).unwrap();
        assert_eq!(withdrawal.unwrap().proposals.len(), 1);
    });
    for plan in &plans {
        assert!(!plan.contains("SCAN"), "{plan}");
        // An address book has few entries.
        let is_sorted = plan.contains("TEMP B-TREE") && !plan.contains("withdrawal_addresses");
        assert!(!is_sorted, "{plan}");
    }
    for index in [
        "reviews_of_payment",
        "proposals_by_act",
        "audit_log_of_user (target_user_id=? AND created_at_micros=?)",
        "withdrawals_of_address",
        "withdrawal_addresses_of_player",
    ] {
        let is_used = plans.iter().any(|plan| plan.contains(index));
        assert!(is_used, "{index}: {plans:#?}");
    }
}

/// Nothing is compared with a search text but what the index of parts has found.
fn check_search(list: &impl AdminList, table: &str, key: &str) {
    let plans = plans_on_filled(PAID, |connection| drop(list.read(connection)));
    let parts = "SEARCH search_suffixes USING PRIMARY KEY (subject=? AND suffix>? AND suffix<?)";
    assert!(plans[0].contains(parts), "{plans:?}");
    let of_table = |plan: &String| plan.contains(&format!("SEARCH {table} USING {key}"));
    assert!(plans.iter().any(of_table), "{key}: {plans:#?}");
    let of_range = format!("SEARCH {table} USING INDEX {table}_by");
    assert!(
        !plans.iter().any(|plan| plan.contains(&of_range)),
        "{plans:#?}"
    );
}

#[test]
fn searches_read_only_what_is_found() {
    let (search, limit) = (Some("lic".to_owned()), 10);
    let by_id = "INTEGER PRIMARY KEY (rowid=?)";
    for order in [UserOrder::Newest, UserOrder::Username, UserOrder::Balance] {
        let users = UserQuery {
            search: search.clone(),
            order,
            limit,
            ..UserQuery::default()
        };
        check_search(&users, "users", by_id);
    }
    let deposits = DepositQuery {
        search: search.clone(),
        limit,
        ..DepositQuery::default()
    };
    check_search(&deposits, "deposits", by_id);
    for order in [WithdrawalOrder::Newest, WithdrawalOrder::Risk] {
        let withdrawals = WithdrawalQuery {
            status: Some(WithdrawalStatus::Pending),
            search: search.clone(),
            order,
            limit,
            ..WithdrawalQuery::default()
        };
        check_search(&withdrawals, "withdrawals", by_id);
    }
    let entries = AuditQuery {
        search: search.clone(),
        limit,
        ..AuditQuery::default()
    };
    for index in [
        "audit_log_of_actor (actor_id=?",
        "audit_log_of_target (target_user_id=?",
    ] {
        check_search(&entries, "audit_log", &format!("INDEX {index}"));
    }
    let payments = ActivePaymentQuery {
        search: Some("51".to_owned()),
        limit,
        ..ActivePaymentQuery::default()
    };
    check_search(&payments, "p", "PRIMARY KEY (id=?)");
    check_search(&payments, "d", by_id);
}

#[test]
fn open_reviews_are_read_without_the_resolved_ones() {
    let reviews = ReviewQuery {
        is_open: Some(true),
        kind: Some(ReviewKind::Orphan),
        limit: 10,
        ..ReviewQuery::default()
    };
    let plan = plan_of(&reviews);
    assert!(
        plan.starts_with("SCAN reviews USING INDEX reviews_open;"),
        "{plan}"
    );
}

#[test]
fn alerts_are_read_without_those_of_other_kinds_or_acknowledged_ones() {
    let range = "(raised_at_micros>? AND raised_at_micros<?)";
    for (kind, is_acknowledged, in_period, expected) in [
        (
            None,
            None,
            false,
            "INTEGER PRIMARY KEY (rowid<?)".to_owned(),
        ),
        (
            None,
            Some(false),
            false,
            "INDEX alerts_unacknowledged (acknowledged_at_micros=? AND id<?)".to_owned(),
        ),
        (
            Some(AlertKind::Rtp),
            None,
            false,
            "INDEX alerts_by_kind (kind=? AND id<?)".to_owned(),
        ),
        (
            Some(AlertKind::Rtp),
            Some(false),
            false,
            "INDEX alerts_unacknowledged_by_kind (kind=? AND acknowledged_at_micros=? AND id<?)"
                .to_owned(),
        ),
        (None, None, true, format!("INDEX alerts_by_time {range}")),
        (
            Some(AlertKind::Rtp),
            None,
            true,
            format!(
                "INDEX alerts_by_kind_and_time {}",
                range.replace('(', "(kind=? AND ")
            ),
        ),
    ] {
        let from = in_period.then(|| Timestamp::from_micros(1));
        let to = in_period.then(|| Timestamp::from_micros(2));
        let alerts = AlertQuery {
            kind,
            is_acknowledged,
            period: Period { from, to },
            limit: 10,
            ..AlertQuery::default()
        };
        check(&alerts, &format!("SEARCH alerts USING {expected}"));
    }
}
