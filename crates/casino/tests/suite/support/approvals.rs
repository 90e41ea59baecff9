//! What the tests of dual control have in common.

use std::time::Duration;

use glasshouse_casino::administration::{Adjustment, Outcome, adjust_balance, proposals};
use glasshouse_casino::money::{WithdrawalRequest, request_withdrawal};
use glasshouse_casino::{ApprovalRefusal, CasinoError};
use glasshouse_domain::{
    MoneyActKind, ProposalId, ProposalState, SecondPersonCause, UserId, WithdrawalId,
};

use super::Fixture;
use super::administration::{adjustment, context};
use super::cashier_fixture::dollars;

const ADDRESS: &str = "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2";
pub(crate) const HOUR: Duration = Duration::from_hours(1);

/// An adjustment that may be proposed.
pub(crate) fn proposable(player: UserId, cents: i64) -> Adjustment {
    Adjustment {
        may_propose: true,
        ..adjustment(player, dollars(cents))
    }
}

pub(crate) fn proposed<T: std::fmt::Debug>(outcome: Result<Outcome<T>, CasinoError>) -> ProposalId {
    match outcome.unwrap() {
        Outcome::Proposed(id) => id,
        Outcome::Done(done) => panic!("it was done: {done:?}"),
    }
}

pub(crate) async fn propose_adjustment(
    test: &Fixture,
    by: UserId,
    player: UserId,
    cents: i64,
) -> ProposalId {
    proposed(adjust_balance(&test.house, context(by), proposable(player, cents)).await)
}

pub(crate) fn balance(test: &Fixture, player: UserId) -> i64 {
    let query = format!(
        "SELECT CAST(balance_cents AS TEXT) AS value FROM accounts WHERE player_id = {player}"
    );
    test.texts(&query).concat().parse().unwrap()
}

pub(crate) async fn withdrawal(test: &Fixture, player: UserId, amount: &str) -> WithdrawalId {
    let request = WithdrawalRequest::parse(amount, "btc", ADDRESS).unwrap();
    let requested = request_withdrawal(&test.house, player, request, None).await;
    requested.unwrap().withdrawal.id
}

pub(crate) async fn open_count(test: &Fixture) -> usize {
    let page = proposals(&test.house, ProposalState::Open, (None, 100)).await;
    page.unwrap().entries.len()
}

pub(crate) const ABOVE_ADJUSTMENT: ApprovalRefusal = ApprovalRefusal::SecondPersonRequired(
    SecondPersonCause::Amount(MoneyActKind::Adjustment, dollars(10_000)),
);
