//! Totals of a player's settled rounds, one row a game, kept up with each round.

use diesel::prelude::*;
use glasshouse_domain::{Game, Money, RoundId, UserId};

use crate::accounts::unsigned;
use crate::connection::AnyConnection;
use crate::error::DatabaseError;
use crate::rounds::{Round, RoundRow, parse_game};
use crate::schema::{player_statistics, rounds};

/// A player's totals in one game.
#[derive(Debug, Clone)]
pub struct GameStatistics {
    /// Which game.
    pub game: Game,
    /// Settled rounds.
    pub rounds: u64,
    /// Rounds that were won.
    pub wins: u64,
    /// The sum of the stakes.
    pub staked: Money,
    /// The sum of the payouts.
    pub paid: Money,
    /// The won round that paid most.
    pub biggest_win: Option<Round>,
}

#[derive(Debug, Queryable, Selectable)]
#[diesel(table_name = player_statistics)]
struct StatisticsRow {
    game: String,
    rounds: i64,
    wins: i64,
    staked_cents: i64,
    paid_cents: i64,
}

/// Reads a player's totals, one entry for each game that was played, in the order of the games'
/// names, with the biggest win of each.
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
            })
        })
        .collect()
}

/// What the rounds of a batch add to one player's totals in one game.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct StatisticsDelta {
    pub(crate) rounds: i64,
    pub(crate) wins: i64,
    pub(crate) staked_cents: i64,
    pub(crate) paid_cents: i64,
    pub(crate) biggest_win: Option<(RoundId, i64)>,
}

impl StatisticsDelta {
    /// Adds one settled round.
    pub(crate) fn add(&mut self, id: RoundId, stake: Money, payout: Money, is_win: bool) {
        self.rounds += 1;
        self.staked_cents = self.staked_cents.saturating_add(stake.cents());
        self.paid_cents = self.paid_cents.saturating_add(payout.cents());
        if is_win {
            self.wins += 1;
            let is_biggest = self
                .biggest_win
                .is_none_or(|(_, cents)| payout.cents() > cents);
            if is_biggest {
                self.biggest_win = Some((id, payout.cents()));
            }
        }
    }
}
