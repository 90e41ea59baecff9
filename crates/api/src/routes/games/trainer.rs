//! What the trainer says of a hand, on the wire.

use glasshouse_games::heads_up::{Action, Equity};
use glasshouse_games::video_poker::HoldValue;
use serde::Serialize;
use utoipa::ToSchema;

use crate::wire::cards::HeadsUpAction;
use crate::wire::ratio::Ratio;

/// A choice of holds and what it was worth.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AnalysedHold {
    held_indexes: Vec<usize>,
    /// What the bet is paid times on average, over every possible draw.
    #[schema(value_type = f64)]
    expected_return: Ratio,
    /// How many draws there are.
    draws: u64,
}

/// What an action in heads-up was worth.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AnalysedAction {
    action: HeadsUpAction,
    /// All that is staked, in bets.
    staked: u64,
    /// What is credited on average, in bets.
    #[schema(value_type = f64)]
    expected_return: Ratio,
    /// The same less what is staked.
    #[schema(value_type = f64)]
    expected_net: Ratio,
}

/// What the decisions in a hand were worth.
#[derive(Serialize, ToSchema)]
#[serde(
    tag = "kind",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub(crate) enum RoundAnalysis {
    /// Of video poker: all 32 choices, the best first.
    VideoPoker {
        holds: Vec<AnalysedHold>,
        chosen: Vec<usize>,
        best: Vec<usize>,
    },
    /// Of heads-up: what happens how often, of all completions, and the actions, the best first.
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

/// A choice of holds on the wire.
pub(crate) fn analysed_hold(value: &HoldValue) -> AnalysedHold {
    AnalysedHold {
        held_indexes: value.holds.positions(),
        expected_return: Ratio::new(value.paid_times.into(), value.draws),
        draws: value.draws,
    }
}

/// What happens how often, and the actions, the best first.
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
