//! The payment of withdrawals by administrators, and what the database refuses.

use glasshouse_casino::administration::{PayoutRecord, SentByHand, record_payout, set_thresholds};
use glasshouse_casino::{CasinoError, PayoutRefusal, Refusal};
use glasshouse_domain::{ApprovalThresholds, PayoutState, WithdrawalId};
use rstest_reuse::apply;

use crate::support::administration::{
    APPROVAL, administrator, context, decide_withdrawal, keyed, lift_thresholds,
};
use crate::support::approvals::{balance, withdrawal};
use crate::support::{Fixture, assert_refused, both_databases};

const TRANSACTION: &str = "4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b";

fn sent() -> PayoutRecord {
    PayoutRecord::Sent(SentByHand::parse(TRANSACTION, "0.0003", "0.00001").unwrap())
}

fn failed() -> PayoutRecord {
    PayoutRecord::Failed("the wallet is empty".to_owned())
}

async fn approved(test: &Fixture, amount: &str) -> WithdrawalId {
    let player = test.player("winner", 200_000).await;
    let admin = administrator(test, "cora").await;
    let id = withdrawal(test, player, amount).await;
    test.clock.advance(std::time::Duration::from_hours(25));
    decide_withdrawal(&test.house, context(admin), id, APPROVAL)
        .await
        .unwrap();
    id
}

fn state(test: &Fixture, id: WithdrawalId) -> String {
    let query = format!("SELECT state AS value FROM payouts WHERE withdrawal_id = {id}");
    test.texts(&query).concat()
}

/// Every record in every state: only those that move the payment forward are taken.
#[apply(both_databases)]
async fn a_payment_by_hand_only_moves_forward(#[case] test: &Fixture) {
    let id = approved(test, "30").await;
    let admin = administrator(test, "carl").await;
    let record = async |record| record_payout(&test.house, context(admin), id, record).await;
    let refuse = async |records: &[PayoutRecord], state: PayoutState| {
        for one in records {
            let refused = record(one.clone()).await;
            assert_refused(refused, &PayoutRefusal::State(state).into());
        }
    };
    let returned = PayoutRecord::Returned;
    let confirmed = PayoutRecord::Confirmed;
    refuse(&[confirmed.clone(), returned.clone()], PayoutState::Claimed).await;
    let entry = record(sent()).await.unwrap();
    let payout = entry.payout.unwrap();
    assert_eq!(payout.transaction_id.as_deref(), Some(TRANSACTION));
    assert_eq!(payout.coin_amount.as_deref(), Some("0.0003"));
    assert_eq!(payout.network_fee.as_deref(), Some("0.00001"));
    assert_eq!(payout.rate.as_deref(), Some("99000"));
    test.assert_clean().await;
    refuse(&[sent(), returned.clone()], PayoutState::Sent).await;
    record(confirmed.clone()).await.unwrap();
    let all = [sent(), confirmed, failed(), returned];
    refuse(&all, PayoutState::Confirmed).await;
    assert_eq!(state(test, id), "confirmed");
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn a_repeated_record_changes_nothing(#[case] test: &Fixture) {
    let id = approved(test, "30").await;
    let admin = administrator(test, "carl").await;
    for _ in 0..2 {
        record_payout(&test.house, keyed(admin, "sent"), id, sent())
            .await
            .unwrap();
    }
    let other = record_payout(&test.house, keyed(admin, "sent"), id, failed()).await;
    assert_refused(other, &Refusal::IdempotencyConflict);
    let without_reason = PayoutRecord::Failed("  ".to_owned());
    let refused = record_payout(&test.house, context(admin), id, without_reason).await;
    assert_refused(refused, &PayoutRefusal::ReasonRequired.into());
    assert_eq!(state(test, id), "sent");
    test.assert_clean().await;
}

/// One person cannot pay a player twice by saying that a large payment had failed.
#[apply(both_databases)]
async fn a_large_amount_is_returned_by_another_person(#[case] test: &Fixture) {
    let id = approved(test, "100.01").await;
    let (ann, ben) = (
        administrator(test, "ann").await,
        administrator(test, "ben").await,
    );
    set_thresholds(&test.house, |_| ApprovalThresholds::INITIAL)
        .await
        .unwrap();
    let record = async |by, record| record_payout(&test.house, context(by), id, record).await;
    record(ann, sent()).await.unwrap();
    record(ann, failed()).await.unwrap();
    let refused: Result<_, CasinoError> = record(ann, PayoutRecord::Returned).await;
    assert_refused(refused, &PayoutRefusal::OtherPersonRequired.into());
    record(ben, PayoutRecord::Returned).await.unwrap();
    let player = test.player("somebody", 0).await;
    let small = {
        test.set_balance(player, 10_000).await.unwrap();
        withdrawal(test, player, "100").await
    };
    lift_thresholds(&test.house).await;
    test.clock.advance(std::time::Duration::from_hours(25));
    decide_withdrawal(&test.house, context(ann), small, APPROVAL)
        .await
        .unwrap();
    for step in [failed(), PayoutRecord::Returned] {
        record_payout(&test.house, context(ann), small, step)
            .await
            .unwrap();
    }
    assert_eq!(balance(test, player), 10_000);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn the_database_refuses_that_a_payment_moves_back(#[case] test: &Fixture) {
    let id = approved(test, "30").await;
    let admin = administrator(test, "carl").await;
    record_payout(&test.house, context(admin), id, sent())
        .await
        .unwrap();
    for statement in [
        "UPDATE payouts SET state = 'claimed'",
        "UPDATE payouts SET state = 'returned', returned_at_micros = 1, returned_by = 1,
            failed_at_micros = 1, problem = 'x'",
        "UPDATE payouts SET transaction_id = 'another12345'",
        "UPDATE payouts SET method = 'provider'",
        "UPDATE payouts SET external_id = 'mine'",
        "DELETE FROM payouts",
    ] {
        assert!(test.sql(statement).is_err(), "{statement}");
    }
    record_payout(&test.house, context(admin), id, PayoutRecord::Confirmed)
        .await
        .unwrap();
    let late = "UPDATE payouts SET state = 'failed', failed_at_micros = 1, problem = 'x'";
    assert!(test.sql(late).is_err());
}

/// Whoever changes what was recorded, or records something without the log, is found.
#[apply(both_databases)]
async fn the_check_compares_payments_with_the_log(#[case] test: &Fixture) {
    let id = approved(test, "30").await;
    let admin = administrator(test, "carl").await;
    record_payout(&test.house, context(admin), id, sent())
        .await
        .unwrap();
    for trigger in ["payouts_move_forward", "payouts_name_persons"] {
        let table = if test.is_postgres() {
            " ON payouts"
        } else {
            ""
        };
        test.sql(&format!("DROP TRIGGER {trigger}{table}")).unwrap();
    }
    let finds = |statement: &str| {
        test.sql(statement).unwrap();
        let report = test.check();
        let found = report.invariants.iter().filter(|finding| finding.count > 0);
        let names: Vec<_> = found.map(|finding| finding.invariant).collect();
        let recorded =
            "what administrators recorded of the payment of a withdrawal is in the audit log";
        assert!(names.contains(&recorded), "{statement}: {names:?}");
    };
    finds("UPDATE payouts SET transaction_id = 'another12345'");
    let restore = format!("UPDATE payouts SET transaction_id = '{TRANSACTION}', sent_by = 1");
    finds(&restore);
    finds("UPDATE payouts SET sent_by = NULL");
}
