//! Wire types of the trainer's analysis of a hand.

use glasshouse_games::heads_up::{Action, Equity};
use glasshouse_games::video_poker::HoldValue;
use serde::Serialize;
use utoipa::ToSchema;

use crate::wire::cards::HeadsUpAction;
use crate::wire::ratio::Ratio;

/// A choice of holds and its expected value.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AnalysedHold {
    held_indexes: Vec<usize>,
    /// The mean payout over all possible draws, as a multiple of the bet.
    #[schema(value_type = f64)]
    expected_return: Ratio,
    /// The number of possible draws.
    draws: u64,
}

/// The expected value of an action in heads-up.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AnalysedAction {
    action: HeadsUpAction,
    /// The total stake, as a multiple of the opening bet.
    staked: u64,
    /// The mean payout, as a multiple of the opening bet.
    #[schema(value_type = f64)]
    expected_return: Ratio,
    /// The mean payout less the total stake.
    #[schema(value_type = f64)]
    expected_net: Ratio,
}

/// The expected values of the decisions in a hand.
#[derive(Serialize, ToSchema)]
#[serde(
    tag = "kind",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub(crate) enum RoundAnalysis {
    /// Video poker: all 32 choices of holds, best first.
    VideoPoker {
        holds: Vec<AnalysedHold>,
        chosen: Vec<usize>,
        best: Vec<usize>,
    },
    /// Heads-up: how many of all completions have which result, and the actions, best first.
    HeadsUp {
        completions: u64,
        wins: u64,
        ties: u64,
        losses: u64,
        #[serde(rename = "houseUnqualified")]
        house_unqualified: u64,
        actions: Vec<AnalysedAction>,
        chosen: HeadsUpAction,
    },
}

/// Converts the value of a choice of holds.
pub(crate) fn analysed_hold(value: &HoldValue) -> AnalysedHold {
    AnalysedHold {
        held_indexes: value.holds.positions(),
        expected_return: Ratio::new(value.paid_times.into(), value.draws),
        draws: value.draws,
    }
}

/// Converts the counts of the results, and the actions sorted by value, best first.
pub(crate) fn analysed_equity(equity: &Equity, chosen: Action) -> RoundAnalysis {
    let staked = |action: Action| u64::try_from(1 + action.added_bets()).unwrap_or(1);
    let net = |action: Action| {
        i128::from(equity.paid_bets(action)) - i128::from(staked(action) * equity.total)
    };
    let mut actions = Action::ALL;
    actions.sort_by_key(|action| std::cmp::Reverse(net(*action)));
    let analysed = |action: &Action| AnalysedAction {
        action: (*action).into(),
        staked: staked(*action),
        expected_return: Ratio::new(equity.paid_bets(*action).into(), equity.total),
        expected_net: Ratio::new(net(*action), equity.total),
    };
    RoundAnalysis::HeadsUp {
        completions: equity.total,
        wins: equity.wins,
        ties: equity.ties,
        losses: equity.losses(),
        house_unqualified: equity.unqualified,
        actions: actions.iter().map(analysed).collect(),
        chosen: chosen.into(),
    }
}
