//! Totals of a player's settled rounds, one row per game, updated with each round.

use diesel::prelude::*;
use glasshouse_domain::{Game, Money, Multiplier, RoundId, UserId};

use crate::accounts::account::unsigned;
use crate::connection::AnyConnection;
use crate::error::DatabaseError;
use crate::rounds::round::{Round, RoundRow, parse_game, stored_multiplier};
use crate::schema::{player_statistics, rounds};

/// A player's totals in one game.
#[derive(Debug, Clone)]
pub struct GameStatistics {
    /// The game.
    pub game: Game,
    /// The number of settled rounds.
    pub rounds: u64,
    /// The number of rounds won.
    pub wins: u64,
    /// The sum of the stakes.
    pub staked: Money,
    /// The sum of the payouts.
    pub paid: Money,
    /// The won round with the largest payout.
    pub biggest_win: Option<Round>,
    /// The number of rounds that the player left with a multiplier.
    pub cash_outs: u64,
    /// The sum of their multipliers, in thousandths.
    pub multiplier_thousandths_total: u64,
    /// The highest of them.
    pub best_multiplier: Option<Multiplier>,
}

#[derive(Debug, Queryable, Selectable)]
#[diesel(table_name = player_statistics)]
struct StatisticsRow {
    game: String,
    rounds: i64,
    wins: i64,
    staked_cents: i64,
    paid_cents: i64,
    cash_outs: i64,
    multiplier_thousandths_total: i64,
    best_multiplier_thousandths: i64,
}

impl StatisticsRow {
    fn best_multiplier(&self) -> Result<Option<Multiplier>, DatabaseError> {
        (self.cash_outs > 0)
            .then(|| stored_multiplier(self.best_multiplier_thousandths))
            .transpose()
    }
}

/// Reads a player's totals in the order of the games' names, one entry for each game played, with
/// the biggest win of each.
///
/// # Errors
/// If the database fails.
pub fn statistics(
    connection: &mut AnyConnection,
    player: UserId,
) -> Result<Vec<GameStatistics>, DatabaseError> {
    let rows: Vec<(StatisticsRow, Option<RoundRow>)> = player_statistics::table
        .left_join(
            rounds::table.on(player_statistics::biggest_win_round_id.eq(rounds::id.nullable())),
        )
        .filter(player_statistics::player_id.eq(player.get()))
        .order(player_statistics::game)
        .select((StatisticsRow::as_select(), Option::<RoundRow>::as_select()))
        .load(connection)?;
    rows.into_iter()
        .map(|(totals, biggest_win)| {
            Ok(GameStatistics {
                game: parse_game(&totals.game)?,
                rounds: unsigned(totals.rounds, "count of rounds")?,
                wins: unsigned(totals.wins, "count of wins")?,
                staked: Money::from_cents(totals.staked_cents),
                paid: Money::from_cents(totals.paid_cents),
                biggest_win: biggest_win.map(Round::try_from).transpose()?,
                cash_outs: unsigned(totals.cash_outs, "count of cash-outs")?,
                multiplier_thousandths_total: unsigned(
                    totals.multiplier_thousandths_total,
                    "sum of multipliers",
                )?,
                best_multiplier: totals.best_multiplier()?,
            })
        })
        .collect()
}

/// The changes of a player's totals in one game.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct StatisticsDelta {
    pub(crate) rounds: i64,
    pub(crate) wins: i64,
    pub(crate) staked_cents: i64,
    pub(crate) paid_cents: i64,
    pub(crate) biggest_win: Option<(RoundId, i64)>,
    pub(crate) cash_outs: i64,
    pub(crate) multiplier_total: i64,
    pub(crate) best_multiplier: i64,
}

impl StatisticsDelta {
    /// Adds one settled round.
    pub(crate) fn add(&mut self, round: &Round) {
        let paid_cents = round.payout.cents();
        self.rounds += 1;
        self.staked_cents = self.staked_cents.saturating_add(round.stake.cents());
        self.paid_cents = self.paid_cents.saturating_add(paid_cents);
        if round.is_win() {
            self.wins += 1;
            if self.biggest_win.is_none_or(|(_, cents)| paid_cents > cents) {
                self.biggest_win = Some((round.id, paid_cents));
            }
        }
        if let Some(multiplier) = round.multiplier {
            let thousandths = i64::from(multiplier.thousandths());
            self.cash_outs += 1;
            self.multiplier_total = self.multiplier_total.saturating_add(thousandths);
            self.best_multiplier = self.best_multiplier.max(thousandths);
        }
    }
}
