//! The process of a withdrawal as a state machine: every act in every state that can be reached. What the model does not
//! allow is refused and changes nothing.

use glasshouse_casino::administration::{Decision, PayoutRecord, SentByHand, record_payout};
use glasshouse_casino::money::cancel_withdrawal;
use glasshouse_casino::{CasinoError, House};
use glasshouse_domain::{PayoutState, UserId, WithdrawalId};
use glasshouse_sandbox::FaultInjection;
use rstest_reuse::apply;

use crate::support::administration::{
    APPROVAL, administrator, context, decide_withdrawal, lift_thresholds,
};
use crate::support::approvals::{balance, withdrawal};
use crate::support::payouts::{Paying, told_in_vain};
use crate::support::{Fixture, both_databases};

const AMOUNT_CENTS: i64 = 2_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Pending,
    Cancelled,
    Rejected,
    Claimed,
    Sent,
    Confirmed,
    Failed,
    Returned,
}

impl State {
    /// The status of the withdrawal and the state of its payment.
    const fn stored(self) -> &'static str {
        match self {
            Self::Pending => "pending -",
            Self::Cancelled => "cancelled -",
            Self::Rejected => "rejected -",
            Self::Claimed => "approved claimed",
            Self::Sent => "approved sent",
            Self::Confirmed => "approved confirmed",
            Self::Failed => "approved failed",
            Self::Returned => "approved returned",
        }
    }

    /// Whether the amount is back on the balance.
    const fn is_returned(self) -> bool {
        matches!(self, Self::Cancelled | Self::Rejected | Self::Returned)
    }

    /// The model.
    const fn after(self, act: Act) -> Option<Self> {
        match (self, act) {
            // A cancellation can be repeated.
            (Self::Pending | Self::Cancelled, Act::Cancel) => Some(Self::Cancelled),
            (Self::Pending, Act::Approve) => Some(Self::Claimed),
            (Self::Pending, Act::Reject) => Some(Self::Rejected),
            (Self::Claimed, Act::Send) => Some(Self::Sent),
            (Self::Sent, Act::Confirm) => Some(Self::Confirmed),
            (Self::Claimed | Self::Sent, Act::Fail) => Some(Self::Failed),
            (Self::Failed, Act::Return) => Some(Self::Returned),
            _ => None,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Act {
    Cancel,
    Approve,
    Reject,
    Send,
    Confirm,
    Fail,
    Return,
}

impl Act {
    const ALL: [Self; 7] = [
        Self::Cancel,
        Self::Approve,
        Self::Reject,
        Self::Send,
        Self::Confirm,
        Self::Fail,
        Self::Return,
    ];

    /// Cancels as the player, or acts as an administrator.
    async fn perform(
        self,
        house: &House,
        (player, administrator): (UserId, UserId),
        id: WithdrawalId,
    ) -> Result<(), CasinoError> {
        let decide = async |decision| {
            let by = context(administrator);
            decide_withdrawal(house, by, id, decision).await.map(drop)
        };
        let record = async |record| {
            let by = context(administrator);
            record_payout(house, by, id, record).await.map(drop)
        };
        match self {
            Self::Cancel => cancel_withdrawal(house, player, id).await.map(drop),
            Self::Approve => decide(APPROVAL).await,
            Self::Reject => decide(Decision::Reject("a test".to_owned())).await,
            Self::Send => {
                let transaction = "4a5e1e4baab89f3a32518a88c31bc87f";
                let sent = SentByHand::parse(transaction, "0.0002", "").unwrap();
                record(PayoutRecord::Sent(sent)).await
            }
            Self::Confirm => record(PayoutRecord::Confirmed).await,
            Self::Fail => record(PayoutRecord::Failed("a test".to_owned())).await,
            Self::Return => record(PayoutRecord::Returned).await,
        }
    }
}

/// All sequences of acts that the model allows and that change the state each time, the empty one included.
fn paths(state: State, path: &[Act], found: &mut Vec<Vec<Act>>) {
    found.push(path.to_vec());
    for act in Act::ALL {
        if let Some(next) = state.after(act).filter(|next| *next != state) {
            paths(next, &[path, &[act]].concat(), found);
        }
    }
}

/// Everything that an act could have changed.
fn stored(test: &Fixture, id: WithdrawalId) -> String {
    let query = format!(
        "SELECT w.status || ' ' || COALESCE(p.state, '-') || ', payments that were stopped: '
            || (SELECT COUNT(*) FROM payouts WHERE stopped_at_micros IS NOT NULL)
            || ', records: ' || (SELECT COUNT(*) FROM audit_log)
            || ', entries: ' || (SELECT COUNT(*) FROM ledger_entries)
            || ', balance: ' || a.balance_cents AS value
         FROM withdrawals w JOIN accounts a ON a.player_id = w.player_id
            LEFT JOIN payouts p ON p.withdrawal_id = w.id
         WHERE w.id = {id}"
    );
    test.texts(&query).concat()
}

/// Performs all acts but these: all of them are refused, and nothing changes.
async fn refuse_all_but(
    test: &Fixture,
    persons: (UserId, UserId),
    id: WithdrawalId,
    allowed: impl Fn(Act) -> bool,
) {
    let before = stored(test, id);
    for act in Act::ALL.into_iter().filter(|act| !allowed(*act)) {
        let outcome = act.perform(&test.house, persons, id).await;
        assert!(
            matches!(outcome, Err(CasinoError::Refused(_))),
            "{act:?}: {before}: {outcome:?}"
        );
        assert_eq!(stored(test, id), before, "{act:?}");
    }
}

#[apply(both_databases)]
async fn by_hand_every_act_in_every_state_does_what_the_model_says(#[case] test: &Fixture) {
    lift_thresholds(&test.house).await;
    let player = test.player("winner", 100_000).await;
    let (cora, carl) = (
        administrator(test, "cora").await,
        administrator(test, "carl").await,
    );
    let mut all = Vec::new();
    paths(State::Pending, &[], &mut all);
    assert_eq!(all.len(), 10);
    for path in all {
        let before = balance(test, player);
        let id = withdrawal(test, player, "20").await;
        test.clock.advance(std::time::Duration::from_hours(25));
        let mut state = State::Pending;
        for act in &path {
            // What one has recorded as sent and then as failed, another returns.
            let by = if *act == Act::Return { carl } else { cora };
            act.perform(&test.house, (player, by), id).await.unwrap();
            state = state.after(*act).unwrap();
            assert!(stored(test, id).starts_with(state.stored()), "{path:?}");
            let held = if state.is_returned() { 0 } else { AMOUNT_CENTS };
            assert_eq!(balance(test, player), before - held, "{path:?}");
        }
        refuse_all_but(test, (player, cora), id, |act| state.after(act).is_some()).await;
    }
    test.assert_clean().await;
}

/// How far the provider has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Progress {
    Unasked,
    ToldInVain,
    Stopped,
    Sent,
    Confirmed,
    Failed,
    Returned,
}

impl Progress {
    const ALL: [Self; 7] = [
        Self::Unasked,
        Self::ToldInVain,
        Self::Stopped,
        Self::Sent,
        Self::Confirmed,
        Self::Failed,
        Self::Returned,
    ];

    /// The only thing that a person can do then.
    const fn allowed(self) -> Option<Act> {
        match self {
            Self::Unasked | Self::ToldInVain => Some(Act::Fail),
            Self::Failed => Some(Act::Return),
            Self::Stopped | Self::Sent | Self::Confirmed | Self::Returned => None,
        }
    }

    /// What becomes of the payment if nobody does it.
    const fn end(self) -> PayoutState {
        match self {
            Self::Unasked | Self::ToldInVain | Self::Sent | Self::Confirmed => {
                PayoutState::Confirmed
            }
            Self::Stopped | Self::Failed => PayoutState::Failed,
            Self::Returned => PayoutState::Returned,
        }
    }

    /// A withdrawal whose payment has come so far.
    async fn reach(self, paying: &Paying<'_>) -> WithdrawalId {
        let sandbox = &paying.fixture.sandbox;
        match self {
            Self::Unasked => paying.approved("20").await,
            Self::ToldInVain => told_in_vain(paying, "20").await,
            Self::Stopped => {
                let id = told_in_vain(paying, "20").await;
                let stop = PayoutRecord::Failed("a test".to_owned());
                paying.record(0, id, stop).await.unwrap();
                id
            }
            Self::Sent => {
                let id = paying.approved("20").await;
                sandbox.inject_fault(FaultInjection {
                    hold_payouts: true,
                    ..FaultInjection::default()
                });
                paying.steps(2).await;
                assert_eq!(paying.state(id).await, PayoutState::Sent);
                sandbox.inject_fault(FaultInjection::default());
                id
            }
            Self::Confirmed => {
                let id = paying.approved("20").await;
                paying.steps(3).await;
                id
            }
            Self::Failed | Self::Returned => {
                let id = paying.approved("20").await;
                sandbox.inject_fault(FaultInjection {
                    fail_payouts: 1,
                    ..FaultInjection::default()
                });
                paying.steps(2).await;
                if self == Self::Returned {
                    paying.record(0, id, PayoutRecord::Returned).await.unwrap();
                }
                id
            }
        }
    }
}

#[apply(both_databases)]
async fn whatever_a_person_tries_the_provider_pays_once_or_not_at_all(#[case] test: &Fixture) {
    let paying = Paying::open(test).await;
    let persons = (paying.player, paying.cashiers[0]);
    for progress in Progress::ALL {
        let before = balance(test, paying.player);
        let id = progress.reach(&paying).await;
        let allowed = progress.allowed();
        refuse_all_but(test, persons, id, |act| Some(act) == allowed).await;
        paying.steps(6).await;
        let end = paying.state(id).await;
        assert_eq!(end, progress.end(), "{progress:?}");
        let payments = usize::from(end == PayoutState::Confirmed);
        assert_eq!(paying.paid(id).await.len(), payments, "{progress:?}");
        if end == PayoutState::Failed {
            paying.record(1, id, PayoutRecord::Returned).await.unwrap();
        }
        let paid = if payments == 1 { AMOUNT_CENTS } else { 0 };
        assert_eq!(balance(test, paying.player), before - paid, "{progress:?}");
    }
    test.assert_clean().await;
}
