//! Writes the totals by hour and by day that a player's statistics and statements are read from.
//!
//! Their rows belong to players whose accounts the batch has locked, so no two writers wait for each
//! other here.

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Text};

use super::postgres::column;
use crate::engine::cached_sql::{Bind as _, Values, bound, cached_sql};
use crate::engine::staged::Staged;
use crate::error::DatabaseError;

/// Updates the totals by hour. `old` is the stored row and `excluded` the delta.
macro_rules! hourly_upsert {
    ($values:literal) => {
        concat!(
            "INSERT INTO hourly_statistics AS old
                (player_id, hour, game, rounds, staked_cents, paid_cents) ",
            $values,
            " ON CONFLICT (player_id, hour, game) DO UPDATE SET
                rounds = old.rounds + excluded.rounds,
                staked_cents = old.staked_cents + excluded.staked_cents,
                paid_cents = old.paid_cents + excluded.paid_cents"
        )
    };
}

/// Updates the statements by day, with the same aliases. The functions for the smaller and the larger
/// of two values differ between the databases.
macro_rules! daily_upsert {
    ($values:literal, $smaller:literal, $larger:literal) => {
        concat!(
            "INSERT INTO daily_statements AS old
                (player_id, day, entries, first_sequence, last_sequence, deposited_cents,
                 withdrawn_cents, adjusted_cents, staked_cents, paid_cents) ",
            $values,
            " ON CONFLICT (player_id, day) DO UPDATE SET
                entries = old.entries + excluded.entries,
                first_sequence = ",
            $smaller,
            "(old.first_sequence, excluded.first_sequence),
                last_sequence = ",
            $larger,
            "(old.last_sequence, excluded.last_sequence),
                deposited_cents = old.deposited_cents + excluded.deposited_cents,
                withdrawn_cents = old.withdrawn_cents + excluded.withdrawn_cents,
                adjusted_cents = old.adjusted_cents + excluded.adjusted_cents,
                staked_cents = old.staked_cents + excluded.staked_cents,
                paid_cents = old.paid_cents + excluded.paid_cents"
        )
    };
}

pub(super) fn write_on_sqlite(
    connection: &mut SqliteConnection,
    staged: &Staged,
) -> Result<(), DatabaseError> {
    for (key, delta) in staged.hourly_statistics() {
        cached_sql!(hourly_upsert!("VALUES (?, ?, ?, ?, ?, ?)"))
            .bind::<BigInt, _>(key.player.get())
            .bind::<BigInt, _>(key.hour)
            .bind::<Text, _>(key.game.as_str())
            .bind::<BigInt, _>(delta.rounds)
            .bind::<BigInt, _>(delta.staked_cents)
            .bind::<BigInt, _>(delta.paid_cents)
            .execute(connection)?;
    }
    for ((player, day), delta) in staged.daily_statements() {
        cached_sql!(daily_upsert!(
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            "MIN",
            "MAX"
        ))
        .bind::<BigInt, _>(player.get())
        .bind::<BigInt, _>(day)
        .bind::<BigInt, _>(delta.entries)
        .bind::<BigInt, _>(delta.first_sequence)
        .bind::<BigInt, _>(delta.last_sequence)
        .bind::<BigInt, _>(delta.deposited_cents)
        .bind::<BigInt, _>(delta.withdrawn_cents)
        .bind::<BigInt, _>(delta.adjusted_cents)
        .bind::<BigInt, _>(delta.staked_cents)
        .bind::<BigInt, _>(delta.paid_cents)
        .execute(connection)?;
    }
    Ok(())
}

pub(super) const HOURS_ON_POSTGRES: &str = hourly_upsert!("SELECT * FROM unnest(?, ?, ?, ?, ?, ?)");
pub(super) const DAYS_ON_POSTGRES: &str = daily_upsert!(
    "SELECT * FROM unnest(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    "LEAST",
    "GREATEST"
);

pub(super) fn hours_on_postgres(staged: &Staged) -> Values<'static> {
    let hours = staged.hourly_statistics();
    let hours = || hours.iter();
    vec![
        bound::<Array<BigInt>, _>(column(hours(), |(key, _)| key.player.get())),
        bound::<Array<BigInt>, _>(column(hours(), |(key, _)| key.hour)),
        bound::<Array<Text>, _>(column(hours(), |(key, _)| key.game.as_str())),
        bound::<Array<BigInt>, _>(column(hours(), |(_, delta)| delta.rounds)),
        bound::<Array<BigInt>, _>(column(hours(), |(_, delta)| delta.staked_cents)),
        bound::<Array<BigInt>, _>(column(hours(), |(_, delta)| delta.paid_cents)),
    ]
}

pub(super) fn days_on_postgres(staged: &Staged) -> Values<'static> {
    let days = staged.daily_statements();
    let days = || days.iter();
    vec![
        bound::<Array<BigInt>, _>(column(days(), |((player, _), _)| player.get())),
        bound::<Array<BigInt>, _>(column(days(), |((_, day), _)| *day)),
        bound::<Array<BigInt>, _>(column(days(), |(_, delta)| delta.entries)),
        bound::<Array<BigInt>, _>(column(days(), |(_, delta)| delta.first_sequence)),
        bound::<Array<BigInt>, _>(column(days(), |(_, delta)| delta.last_sequence)),
        bound::<Array<BigInt>, _>(column(days(), |(_, delta)| delta.deposited_cents)),
        bound::<Array<BigInt>, _>(column(days(), |(_, delta)| delta.withdrawn_cents)),
        bound::<Array<BigInt>, _>(column(days(), |(_, delta)| delta.adjusted_cents)),
        bound::<Array<BigInt>, _>(column(days(), |(_, delta)| delta.staked_cents)),
        bound::<Array<BigInt>, _>(column(days(), |(_, delta)| delta.paid_cents)),
    ]
}
