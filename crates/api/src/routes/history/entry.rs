//! One record of a player's history on the wire.

use glasshouse_casino::play::RoundResults;
use glasshouse_casino::{CasinoError, Round};
use glasshouse_domain::Money;
use glasshouse_games::heads_up::Action;
use serde::Serialize;
use utoipa::ToSchema;

use crate::routes::games::dice::DiceBetType;
use crate::routes::history::GameType;
use crate::wire::multiplier::MultiplierNumber;
use crate::wire::time::iso;

/// A record of the history.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GameHistoryEntry {
    id: i64,
    game_type: GameType,
    #[schema(example = "10.00")]
    bet_amount: String,
    #[schema(example = "19.80")]
    win_amount: String,
    /// Starts with `win` for wins.
    #[schema(example = "win")]
    outcome: String,
    #[schema(format = "date-time")]
    created_at: String,
    /// What was won less what was bet; negative for a loss.
    #[schema(example = "9.80")]
    profit: String,
    #[serde(flatten)]
    results: HistoryResults,
}

/// What a record tells besides, by its game; what does not belong to it is left out.
#[derive(Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct HistoryResults {
    /// Dice: the roll, from 1 to 100.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    dice_result: Option<u8>,
    /// Dice: the number to roll over or under.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    target_number: Option<u8>,
    /// Dice: which side of the target won.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    bet_type: Option<DiceBetType>,
    /// Crash: where it crashed, or would have.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<f64>, nullable = false)]
    crash_point: Option<MultiplierNumber>,
    /// Crash: where it was to cash out by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<f64>, nullable = false)]
    auto_cashout_multiplier: Option<MultiplierNumber>,
    /// Crash and stonks: what the bet was paid times.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<f64>, nullable = false)]
    cashout_multiplier: Option<MultiplierNumber>,
    /// Poker: which of the two games.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    poker_game: Option<PokerGame>,
    /// Video poker: what the hand was paid as.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "Full House", nullable = false)]
    hand_rank: Option<String>,
    /// Heads-up: the bet before the call or raise.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "25.00", nullable = false)]
    opening_bet_amount: Option<String>,
    /// Heads-up: what the player did.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "call", nullable = false)]
    action: Option<&'static str>,
}

/// One of the two poker games.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) enum PokerGame {
    VideoPoker,
    HeadsUp,
}

impl TryFrom<&Round> for HistoryResults {
    type Error = CasinoError;

    fn try_from(round: &Round) -> Result<Self, CasinoError> {
        let none = Self::default();
        Ok(match RoundResults::of(round)? {
            RoundResults::Dice(details) => Self {
                dice_result: Some(details.dice_result),
                target_number: Some(details.target_number),
                bet_type: Some(details.bet_type()?.into()),
                ..none
            },
            RoundResults::Crash {
                auto_cashout,
                crash_point,
                cashout,
            } => Self {
                crash_point: crash_point.map(MultiplierNumber),
                auto_cashout_multiplier: auto_cashout.map(MultiplierNumber),
                cashout_multiplier: cashout.map(MultiplierNumber),
                ..none
            },
            RoundResults::Stonks { sold_at } => Self {
                cashout_multiplier: sold_at.map(MultiplierNumber),
                ..none
            },
            RoundResults::VideoPoker { hand_rank } => Self {
                poker_game: Some(PokerGame::VideoPoker),
                hand_rank,
                ..none
            },
            RoundResults::HeadsUp {
                opening_bet,
                action,
            } => Self {
                poker_game: Some(PokerGame::HeadsUp),
                opening_bet_amount: Some(opening_bet.to_string()),
                action: action.map(Action::as_str),
                ..none
            },
        })
    }
}

impl TryFrom<Round> for GameHistoryEntry {
    type Error = CasinoError;

    fn try_from(round: Round) -> Result<Self, CasinoError> {
        let profit = round.payout.cents().saturating_sub(round.stake.cents());
        Ok(Self {
            id: round.id.get(),
            game_type: round.game.into(),
            bet_amount: round.stake.to_string(),
            win_amount: round.payout.to_string(),
            created_at: iso(round.ended_at.unwrap_or(round.started_at)),
            profit: Money::from_cents(profit).to_string(),
            results: HistoryResults::try_from(&round)?,
            outcome: round.outcome,
        })
    }
}
