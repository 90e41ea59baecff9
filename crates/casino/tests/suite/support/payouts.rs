//! What the tests of the payment of withdrawals have in common.

use std::time::Duration;

use glasshouse_casino::administration::{PayoutRecord, record_payout};
use glasshouse_casino::money::payouts::pay_due;
use glasshouse_casino::money::{Cashier, WithdrawalRequest, read_withdrawals, request_withdrawal};
use glasshouse_casino::{CasinoError, Payout, WithdrawalEntry};
use glasshouse_domain::{PayoutState, UserId, WithdrawalId};
use glasshouse_sandbox::{Answer, FaultInjection, PayoutView};

use super::Fixture;
use super::administration::{APPROVAL, administrator, context, decide_withdrawal};
use super::cashier_fixture::CashierFixture;

pub(crate) const ADDRESS: &str = "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2";
/// Longer than any wait between two steps.
const LONG: Duration = Duration::from_mins(15);

/// A house whose withdrawals the sandbox pays, with a player who has money and two administrators.
pub(crate) struct Paying<'t> {
    pub(crate) fixture: CashierFixture<'t>,
    pub(crate) cashier: Cashier,
    pub(crate) player: UserId,
    pub(crate) cashiers: [UserId; 2],
}

impl<'t> Paying<'t> {
    pub(crate) async fn open(test: &'t Fixture) -> Self {
        let fixture = CashierFixture::open(test).await;
        let player = test.player("winner", 100_000).await;
        Self {
            cashier: fixture.paying_cashier(),
            cashiers: [
                administrator(test, "cora").await,
                administrator(test, "carl").await,
            ],
            fixture,
            player,
        }
    }

    /// Requests a withdrawal and lets its delay pass.
    pub(crate) async fn request(&self, amount: &str) -> WithdrawalId {
        let id = request(&self.cashier, self.player, amount).await;
        self.fixture.test.clock.advance(Duration::from_hours(25));
        id
    }

    /// Requests a withdrawal and approves it.
    pub(crate) async fn approved(&self, amount: &str) -> WithdrawalId {
        let id = self.request(amount).await;
        let by = context(self.cashiers[0]);
        decide_withdrawal(self.cashier.house(), by, id, APPROVAL)
            .await
            .unwrap();
        id
    }

    /// Takes all steps that are due now.
    pub(crate) async fn step(&self) {
        pay_due(&self.cashier).await.unwrap();
        self.fixture.sandbox.rest().await.unwrap();
    }

    /// Takes the steps of a long time.
    pub(crate) async fn steps(&self, count: usize) {
        for _ in 0..count {
            self.step().await;
            self.fixture.test.clock.advance(LONG);
        }
    }

    pub(crate) async fn payout(&self, id: WithdrawalId) -> Payout {
        payout_of(&self.cashier, self.player, id).await
    }

    pub(crate) async fn state(&self, id: WithdrawalId) -> PayoutState {
        self.payout(id).await.state
    }

    /// What the sandbox has paid under the ID of a payment.
    pub(crate) async fn paid(&self, id: WithdrawalId) -> Vec<PayoutView> {
        let external_id = Some(self.payout(id).await.external_id);
        let payouts = self.fixture.sandbox.payouts().into_iter();
        payouts
            .filter(|payout| payout.external_id == external_id && payout.paid)
            .collect()
    }

    /// Records something about a payment.
    pub(crate) async fn record(
        &self,
        by: usize,
        id: WithdrawalId,
        record: PayoutRecord,
    ) -> Result<WithdrawalEntry, CasinoError> {
        record_payout(self.cashier.house(), context(self.cashiers[by]), id, record).await
    }
}

pub(crate) async fn request(cashier: &Cashier, player: UserId, amount: &str) -> WithdrawalId {
    let request = WithdrawalRequest::parse(amount, "btc", ADDRESS).unwrap();
    let requested = request_withdrawal(cashier.house(), player, request, None).await;
    requested.unwrap().withdrawal.id
}

pub(crate) async fn payout_of(cashier: &Cashier, player: UserId, id: WithdrawalId) -> Payout {
    let page = read_withdrawals(cashier.house(), player, None, 100).await;
    let entries = page.unwrap().entries.into_iter();
    let mut found = entries.filter(|paid| paid.withdrawal.id == id);
    found.next().unwrap().payout.unwrap()
}

/// The next calls that verify a payment are answered like this.
pub(crate) fn answer_verifications(paying: &Paying<'_>, answer: Answer, count: u32) {
    paying.fixture.sandbox.inject_fault(FaultInjection {
        answer: Some(answer),
        only_suffix: Some("/verify".to_owned()),
        count: Some(count),
        ..FaultInjection::default()
    });
}

/// A payment that the provider was told to make, in vain.
pub(crate) async fn told_in_vain(paying: &Paying<'_>, amount: &str) -> WithdrawalId {
    let id = paying.approved(amount).await;
    answer_verifications(paying, Answer::Fault, 1);
    paying.step().await;
    let payout = paying.payout(id).await;
    assert_eq!(payout.state, PayoutState::Claimed);
    assert!(payout.verified_at.is_some() && payout.can_be_stopped());
    id
}
