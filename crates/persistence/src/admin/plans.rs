//! Query plans of the lists: each page must be one index range, without sorting.

use glasshouse_domain::{AlertKind, ReviewKind, Timestamp, WithdrawalId, WithdrawalStatus};

use crate::admin::{
    AdminList, AlertQuery, AuditQuery, DepositQuery, Period, ReviewQuery, UserOrder, UserQuery,
    WithdrawalOrder, WithdrawalQuery,
};
use crate::queries::{payment_details, withdrawal_details};
use crate::query_plan::plans_of;

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

/// Each part of the pages of one payment and of one withdrawal is found by an index, whatever there is of others.
#[test]
fn the_pages_of_money_scan_nothing() {
    let plans = plans_of(|connection| {
        payment_details(connection, "51").unwrap();
        withdrawal_details(connection, WithdrawalId::new(7)).unwrap();
    });
    let read: Vec<&String> = plans
        .iter()
        .filter(|plan| plan.contains("SEARCH"))
        .collect();
    assert!(read.len() >= 6, "{plans:?}");
    for plan in &plans {
        assert!(!plan.contains("SCAN"), "{plan}");
        assert!(!plan.contains("TEMP B-TREE"), "{plan}");
    }
    for index in ["reviews_of_payment", "proposals_by_act"] {
        assert!(
            read.iter().any(|plan| plan.contains(index)),
            "{index}: {read:?}"
        );
    }
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
