//! How risky a withdrawal is, and how far its payment has come, as administrators see it.

use glasshouse_casino::{Payout, PlayerTotals as Totals};
use glasshouse_domain::{Currency, RiskFactor, UserId, WithdrawalRisk as Risk};
use serde::Serialize;
use utoipa::ToSchema;

use crate::wire::cell::Cell;
use crate::wire::payout::{PayoutMethodName, PayoutState, PayoutView};
use crate::wire::time::iso;

/// A reason for a closer look at a withdrawal.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = RiskFactor)]
pub(crate) enum RiskFactorName {
    /// Other players use the address too.
    SharedAddress,
    /// A payment of the player was under review.
    OpenReview,
    /// The password or the second factor was changed recently.
    SecurityChange,
    /// The player has never deposited anything.
    NoDeposit,
    /// The player has won ten times the deposits or more.
    HighProfit,
    /// The player has wagered less than twice the deposits.
    LittleWagered,
    /// The player has never withdrawn to the address.
    FirstUse,
}

impl From<RiskFactor> for RiskFactorName {
    fn from(factor: RiskFactor) -> Self {
        match factor {
            RiskFactor::SharedAddress => Self::SharedAddress,
            RiskFactor::OpenReview => Self::OpenReview,
            RiskFactor::SecurityChange => Self::SecurityChange,
            RiskFactor::NoDeposit => Self::NoDeposit,
            RiskFactor::HighProfit => Self::HighProfit,
            RiskFactor::LittleWagered => Self::LittleWagered,
            RiskFactor::FirstUse => Self::FirstUse,
        }
    }
}

/// Why a withdrawal deserves a closer look, as judged when it was requested.
#[derive(Serialize, ToSchema)]
pub(crate) struct WithdrawalRisk {
    /// The sum of the factors' points; 0 if there is none.
    #[schema(minimum = 0, example = 15)]
    pub(crate) points: i64,
    /// Those that weigh most first.
    factors: Vec<RiskFactorName>,
}

impl From<Risk> for WithdrawalRisk {
    fn from(risk: Risk) -> Self {
        Self {
            points: risk.points(),
            factors: risk
                .factors()
                .iter()
                .map(|factor| (*factor).into())
                .collect(),
        }
    }
}

/// What a player has moved so far, in US dollars.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PlayerTotals {
    #[schema(example = "100.00")]
    deposited: String,
    /// Withdrawals less those that were returned.
    #[schema(example = "40.00")]
    withdrawn: String,
    #[schema(example = "250.00")]
    wagered: String,
    /// What was won beyond the stakes; negative if it was lost.
    #[schema(example = "-20.00")]
    profit: String,
    /// The number of the player's payments under review.
    open_reviews: i64,
}

impl From<Totals> for PlayerTotals {
    fn from(totals: Totals) -> Self {
        Self {
            deposited: totals.deposited.to_string(),
            withdrawn: totals.withdrawn.to_string(),
            wagered: totals.wagered.to_string(),
            profit: totals.profit().to_string(),
            open_reviews: totals.open_reviews,
        }
    }
}

/// The payment of an approved withdrawal, as administrators see it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AdminPayout {
    #[serde(flatten)]
    view: PayoutView,
    method: PayoutMethodName,
    /// The last problem, or why it failed.
    problem: Option<String>,
    /// Whether it can still be stopped: the provider was not told to pay it.
    can_be_stopped: bool,
    /// When the provider is asked next; null if there is nothing to ask.
    #[schema(format = "date-time")]
    next_step_at: Option<String>,
    #[schema(format = "date-time")]
    failed_at: Option<String>,
    /// The ID of the administrator who recorded that it failed; null if the provider reported it.
    failed_by: Option<i64>,
}

impl AdminPayout {
    pub(crate) fn new(payout: Payout, currency: Currency) -> Self {
        Self {
            view: PayoutView::new(&payout, currency),
            method: payout.method.into(),
            can_be_stopped: payout.can_be_stopped(),
            next_step_at: payout.next_step_at.map(iso),
            failed_at: payout.failed_at.map(iso),
            failed_by: payout.failed_by.map(UserId::get),
            problem: payout.problem,
        }
    }

    /// The state, and the cells of the CSV export: coin amount, network fee and transaction ID.
    pub(crate) fn into_cells(self) -> (PayoutState, [Option<Cell>; 3]) {
        self.view.into_cells()
    }
}
