//! Administrators, and the audit log of their actions.

use glasshouse_casino::administration::{
    self, Adjustment, AdminContext, Confirmation, Confirmed, Decision, InitialPassword, Outcome,
    PayoutRecord, SentByHand, create_administrator, list, record_payout, set_game_status,
    set_thresholds,
};
use glasshouse_casino::money::Cashier;
use glasshouse_casino::{AuditQuery, CasinoError, House, IdempotencyKey, WithdrawalEntry};
use glasshouse_domain::{
    ApprovalThresholds, Game, GameStatus, MAXIMUM_AMOUNT, Money, Role, UserId, WithdrawalId,
};

use super::Fixture;

pub(crate) const PASSWORD: &str = "c4reful-hands-of-a-keeper";

pub(crate) async fn administrator(test: &Fixture, name: &str) -> UserId {
    let password = InitialPassword::Chosen(PASSWORD.to_owned());
    create_administrator(&test.house, name, password, Role::Owner)
        .await
        .unwrap()
}

pub(crate) fn context(administrator: UserId) -> AdminContext {
    AdminContext {
        administrator,
        address: Some("192.0.2.7".to_owned()),
        key: None,
    }
}

/// The same, with an idempotency key.
pub(crate) fn keyed(administrator: UserId, key: &str) -> AdminContext {
    AdminContext {
        key: Some(IdempotencyKey::parse(key).unwrap()),
        ..context(administrator)
    }
}

/// Opens mines, which is announced in a new house.
pub(crate) async fn open_mines(test: &Fixture) {
    let boss = context(administrator(test, "boss").await);
    let opened = (GameStatus::Open, "it is tested");
    set_game_status(&test.house, boss, Game::Mines, opened)
        .await
        .unwrap();
}

/// The actions in the audit log, newest first.
pub(crate) async fn audit_actions(test: &Fixture) -> Vec<String> {
    let query = AuditQuery {
        limit: 50,
        ..AuditQuery::default()
    };
    let page = list(&test.house, query).await.unwrap();
    page.entries
        .into_iter()
        .map(|entry| entry.record.action)
        .collect()
}

/// The approval of a withdrawal by one person.
pub(crate) const APPROVAL: Decision = Decision::Approve { may_propose: false };

/// Decides on a withdrawal alone.
pub(crate) async fn decide_withdrawal(
    house: &House,
    context: AdminContext,
    id: WithdrawalId,
    decision: Decision,
) -> Result<WithdrawalEntry, CasinoError> {
    let outcome = administration::decide_withdrawal(house, context, id, decision).await?;
    Ok(done(outcome))
}

/// Records that an approved withdrawal was paid by hand and has arrived.
pub(crate) async fn pay_by_hand(house: &House, by: UserId, id: WithdrawalId) {
    let sent = SentByHand::parse("4a5e1e4baab89f3a32518a88", "0.0002", "").unwrap();
    for record in [PayoutRecord::Sent(sent), PayoutRecord::Confirmed] {
        record_payout(house, context(by), id, record).await.unwrap();
    }
}

/// Credits a payment alone.
pub(crate) async fn confirm_payment(
    cashier: &Cashier,
    context: AdminContext,
    request: Confirmation,
) -> Result<Confirmed, CasinoError> {
    let outcome = administration::confirm_payment(cashier, context, request).await?;
    Ok(done(outcome))
}

/// A request to set a balance alone.
pub(crate) fn adjustment(player: UserId, balance: Money) -> Adjustment {
    Adjustment {
        player,
        balance,
        expected: None,
        reason: "funds for a test".to_owned(),
        may_propose: false,
    }
}

/// What was done, of a request that was not proposed.
pub(crate) fn done<T>(outcome: Outcome<T>) -> T {
    match outcome {
        Outcome::Done(done) => done,
        Outcome::Proposed(id) => panic!("it was proposed as {id}"),
    }
}

/// Lets one person do everything alone, as it was before there were thresholds.
pub(crate) async fn lift_thresholds(house: &House) {
    set_thresholds(house, |_| ApprovalThresholds {
        adjustment: MAXIMUM_AMOUNT,
        confirmation: MAXIMUM_AMOUNT,
        withdrawal: MAXIMUM_AMOUNT,
        person_per_day: MAXIMUM_AMOUNT,
        house_per_day: MAXIMUM_AMOUNT,
        ..ApprovalThresholds::INITIAL
    })
    .await
    .unwrap();
}
