//! Writes the staged changes of a batch: row by row on SQLite, where statements cost no round trip,
//! and in one statement for almost all tables on PostgreSQL.

pub(crate) mod house_flows;
mod player_totals;
pub(crate) mod postgres;
mod rounds;
pub(crate) mod sqlite;

use crate::connection::AnyConnection;
use crate::engine::staged::HouseChanges;
use crate::error::DatabaseError;

/// Writes the changes of the whole house to the rows of a writer. Every writer locks the tables in this order.
pub(crate) fn write_house_changes(
    connection: &mut AnyConnection,
    shard: i64,
    HouseChanges {
        totals,
        flows,
        exposures,
    }: &HouseChanges,
) -> Result<(), DatabaseError> {
    exposures.write(connection, shard)?;
    match connection {
        AnyConnection::Sqlite(sqlite) => sqlite::write_house_totals(sqlite, shard, totals)?,
        AnyConnection::Postgres(postgres) => postgres::write_house_totals(postgres, shard, totals)?,
    }
    house_flows::write_house_flows(connection, shard, flows)
}

/// Updates a player's totals. `old` is the stored row and `excluded` the delta. The function for
/// the larger of two values differs between the databases.
macro_rules! statistics_upsert {
    ($values:literal, $larger:literal) => {
        concat!(
            "INSERT INTO player_statistics AS old
                (player_id, game, rounds, wins, staked_cents, paid_cents,
                 biggest_win_round_id, biggest_win_cents, cash_outs,
                 multiplier_thousandths_total, best_multiplier_thousandths) ",
            $values,
            " ON CONFLICT (player_id, game) DO UPDATE SET
                rounds = old.rounds + excluded.rounds,
                wins = old.wins + excluded.wins,
                staked_cents = old.staked_cents + excluded.staked_cents,
                paid_cents = old.paid_cents + excluded.paid_cents,
                biggest_win_round_id = CASE
                    WHEN old.biggest_win_round_id IS NULL
                        OR excluded.biggest_win_cents > old.biggest_win_cents
                    THEN COALESCE(excluded.biggest_win_round_id, old.biggest_win_round_id)
                    ELSE old.biggest_win_round_id
                END,
                biggest_win_cents = ",
            $larger,
            "(old.biggest_win_cents, excluded.biggest_win_cents),
                cash_outs = old.cash_outs + excluded.cash_outs,
                multiplier_thousandths_total =
                    old.multiplier_thousandths_total + excluded.multiplier_thousandths_total,
                best_multiplier_thousandths = ",
            $larger,
            "(old.best_multiplier_thousandths, excluded.best_multiplier_thousandths)"
        )
    };
}
pub(crate) use statistics_upsert;

/// Updates the house's totals, with the same aliases.
macro_rules! house_totals_upsert {
    ($values:literal) => {
        concat!(
            "INSERT INTO house_totals AS old
                (day, game, shard, rounds, wins, staked_cents, paid_cents,
                 expected_cents, variance) ",
            $values,
            " ON CONFLICT (day, game, shard) DO UPDATE SET
                rounds = old.rounds + excluded.rounds,
                wins = old.wins + excluded.wins,
                staked_cents = old.staked_cents + excluded.staked_cents,
                paid_cents = old.paid_cents + excluded.paid_cents,
                expected_cents = old.expected_cents + excluded.expected_cents,
                variance = old.variance + excluded.variance"
        )
    };
}
pub(crate) use house_totals_upsert;
