//! Writes rounds. Each column is listed once, with its SQL type and its value; the statements for
//! both databases are generated from the list.

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Nullable, Text};
use glasshouse_domain::{Money, RoundResult, Timestamp};

use crate::accounts::account::signed;
use crate::engine::cached_sql::{Bind as _, Values, bound, cached_sql};
use crate::engine::staged::{StagedRound, StagedSettlement};
use crate::error::DatabaseError;

/// A placeholder for each column.
macro_rules! placeholder {
    ($column:ident) => {
        "?"
    };
}

/// Generates `insert_on_sqlite`, for one row, and for PostgreSQL the statement for all rows and its
/// values.
macro_rules! insert {
    (|$staged:ident: $Staged:ty| {
        $first:ident: $FirstType:ty = $first_value:expr,
        $($column:ident: $SqlType:ty = $value:expr,)*
    }) => {
        pub(crate) fn insert_on_sqlite(
            connection: &mut SqliteConnection,
            $staged: &$Staged,
        ) -> Result<(), DatabaseError> {
            cached_sql!(concat!(
                "INSERT INTO rounds (",
                stringify!($first), $(", ", stringify!($column),)*
                ") VALUES (",
                placeholder!($first), $(", ", placeholder!($column),)*
                ")"
            ))
            .bind::<$FirstType, _>($first_value)
            $(.bind::<$SqlType, _>($value))*
            .execute(connection)?;
            Ok(())
        }

        pub(super) const INSERT_ON_POSTGRES: &str = concat!(
            "INSERT INTO rounds (",
            stringify!($first), $(", ", stringify!($column),)*
            ") SELECT * FROM unnest(",
            placeholder!($first), $(", ", placeholder!($column),)*
            ")"
        );

        pub(super) fn inserted_on_postgres(rows: &[$Staged]) -> Result<Values<'_>, DatabaseError> {
            Ok(vec![
                bound::<Array<$FirstType>, _>(values(rows, |$staged| Ok($first_value))?),
                $(bound::<Array<$SqlType>, _>(values(rows, |$staged| Ok($value))?),)*
            ])
        }
    };
}

/// Generates `settle_on_sqlite`, for one round that was written as open, and `settle_on_postgres`,
/// for all of them in one statement.
macro_rules! settle {
    (|$staged:ident: $Staged:ty| {
        $($column:ident: $SqlType:ty = $value:expr,)*
    }) => {
        pub(crate) fn settle_on_sqlite(
            connection: &mut SqliteConnection,
            $staged: &$Staged,
        ) -> Result<(), DatabaseError> {
            cached_sql!(concat!(
                "UPDATE rounds SET state = 'settled'",
                $(", ", stringify!($column), " = ?",)*
                " WHERE id = ?"
            ))
            $(.bind::<$SqlType, _>($value))*
            .bind::<BigInt, _>($staged.round.id.get())
            .execute(connection)?;
            Ok(())
        }

        // By seed pair and nonce, which only one index covers; the ID is also part of the history's
        // indexes. `= ANY (ARRAY[…])` as in the other updates of `postgres.rs`.
        pub(crate) fn settle_on_postgres(
            connection: &mut PgConnection,
            rows: &[$Staged],
        ) -> Result<(), DatabaseError> {
            cached_sql!(concat!(
                "UPDATE rounds SET state = 'settled'",
                $(", ", stringify!($column), " = new.", stringify!($column),)*
                " FROM unnest(?, ?", $(", ", placeholder!($column),)*
                ") AS new (seed_pair_id, nonce", $(", ", stringify!($column),)*
                ") WHERE rounds.seed_pair_id = ANY (ARRAY[new.seed_pair_id])
                    AND rounds.nonce = new.nonce"
            ))
            .bind::<Array<BigInt>, _>(values(rows, |$staged| Ok($staged.round.seed_pair.get()))?)
            .bind::<Array<BigInt>, _>(values(rows, |$staged| signed($staged.round.nonce, "nonce"))?)
            $(.bind::<Array<$SqlType>, _>(values(rows, |$staged| Ok($value))?))*
            .execute(connection)?;
            Ok(())
        }
    };
}

insert!(|staged: StagedRound| {
    id: BigInt = staged.round.id.get(),
    player_id: BigInt = staged.round.player.get(),
    game: Text = staged.round.game.as_str(),
    state: Text = staged.round.state().as_str(),
    stake_cents: BigInt = staged.round.stake.cents(),
    payout_cents: BigInt = staged.round.payout.cents(),
    result: Nullable<Text> = staged.round.result.map(RoundResult::as_str),
    details: Text = staged.round.details.as_str(),
    seed_pair_id: BigInt = staged.round.seed_pair.get(),
    nonce: BigInt = signed(staged.round.nonce, "nonce")?,
    idempotency_key: Nullable<Text> = staged.idempotency_key.as_deref(),
    balance_after_cents: BigInt = staged.round.balance_after.cents(),
    unwagered_after_cents: BigInt = staged.round.unwagered_after.cents(),
    started_at_micros: BigInt = staged.round.started_at.as_micros(),
    ended_at_micros: Nullable<BigInt> = staged.round.ended_at.map(Timestamp::as_micros),
    due_at_micros: Nullable<BigInt> = staged.round.due_at.map(Timestamp::as_micros),
    multiplier_thousandths: Nullable<BigInt> = staged.round.multiplier_thousandths(),
    settlement_key: Nullable<Text> = staged.settlement_key.as_deref(),
    rules_version: BigInt = i64::from(staged.round.rules.number()),
    receipt_batch_id: Nullable<BigInt> = staged.round.receipt.map(|receipt| receipt.batch),
    receipt_index: Nullable<BigInt> = staged.round.receipt.map(|receipt| receipt.index),
    exposure_cents: Nullable<BigInt> = staged.round.exposure.map(Money::cents),
});

settle!(|staged: StagedSettlement| {
    stake_cents: BigInt = staged.round.stake.cents(),
    payout_cents: BigInt = staged.round.payout.cents(),
    result: Nullable<Text> = staged.round.result.map(RoundResult::as_str),
    details: Text = staged.round.details.as_str(),
    balance_after_cents: BigInt = staged.round.balance_after.cents(),
    unwagered_after_cents: BigInt = staged.round.unwagered_after.cents(),
    ended_at_micros: Nullable<BigInt> = staged.round.ended_at.map(Timestamp::as_micros),
    multiplier_thousandths: Nullable<BigInt> = staged.round.multiplier_thousandths(),
    settlement_key: Nullable<Text> = staged.key.as_deref(),
    receipt_batch_id: Nullable<BigInt> = staged.round.receipt.map(|receipt| receipt.batch),
    receipt_index: Nullable<BigInt> = staged.round.receipt.map(|receipt| receipt.index),
});

/// The values of a column, one per row.
fn values<'r, R, T>(
    rows: &'r [R],
    value: impl Fn(&'r R) -> Result<T, DatabaseError>,
) -> Result<Vec<T>, DatabaseError> {
    rows.iter().map(value).collect()
}
