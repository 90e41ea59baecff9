//! PostgreSQL is a round trip away, so each table's rows are sent as arrays, in one statement with
//! the same text for every batch.
//!
//! The updates find their rows with `= ANY (ARRAY[…])` of a single value. A plain equality could be
//! planned as a join with the whole table, which the planner prefers while the table is small. This
//! form always results in one index lookup per row.

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Double, Nullable, Text};

use super::{house_totals_upsert, player_totals, rounds, statistics_upsert};
use crate::accounts::account::signed;
use crate::accounts::play_rules;
use crate::books::house_totals::HouseDeltas;
use crate::engine::cached_sql::{Bind as _, cached_sql};
use crate::engine::staged::Staged;
use crate::error::DatabaseError;

pub(crate) fn write(connection: &mut PgConnection, staged: &Staged) -> Result<(), DatabaseError> {
    if !staged.accounts.is_empty() {
        write_accounts(connection, staged)?;
    }
    if !staged.settlements.is_empty() {
        rounds::settle_on_postgres(connection, &staged.settlements)?;
    }
    if !staged.rounds.is_empty() {
        rounds::insert_on_postgres(connection, &staged.rounds)?;
    }
    write_statistics(connection, staged)?;
    if !staged.entries.is_empty() {
        write_entries(connection, staged)?;
    }
    write_large_wins(connection, staged)?;
    player_totals::write_on_postgres(connection, staged)
}

fn write_large_wins(connection: &mut PgConnection, staged: &Staged) -> Result<(), DatabaseError> {
    let rounds: Vec<i64> = staged.large_wins().map(|round| round.id.get()).collect();
    if rounds.is_empty() {
        return Ok(());
    }
    cached_sql("INSERT INTO large_wins (round_id) SELECT * FROM unnest(?)")
        .bind::<Array<BigInt>, _>(rounds)
        .execute(connection)?;
    Ok(())
}

fn write_accounts(connection: &mut PgConnection, staged: &Staged) -> Result<(), DatabaseError> {
    let accounts = || staged.accounts.values();
    let nonces: Vec<i64> = accounts()
        .map(|account| signed(account.seeds.next_nonce, "nonce"))
        .collect::<Result<_, _>>()?;
    let play_rules: Vec<Option<String>> = accounts()
        .map(|account| play_rules::text(account.play_rules.as_deref()))
        .collect::<Result<_, _>>()?;
    cached_sql(
        "UPDATE accounts SET
                balance_cents = new.balance_cents,
                unwagered_cents = new.unwagered_cents,
                ledger_sequence = new.ledger_sequence,
                next_nonce = new.next_nonce,
                play_rules = new.play_rules
             FROM unnest(?, ?, ?, ?, ?, ?)
                AS new (player_id, balance_cents, unwagered_cents, ledger_sequence, next_nonce,
                    play_rules)
             WHERE accounts.player_id = ANY (ARRAY[new.player_id])",
    )
    .bind::<Array<BigInt>, _>(column(accounts(), |account| account.player.get()))
    .bind::<Array<BigInt>, _>(column(accounts(), |account| {
        account.wallet.balance().cents()
    }))
    .bind::<Array<BigInt>, _>(column(accounts(), |account| {
        account.wallet.unwagered().cents()
    }))
    .bind::<Array<BigInt>, _>(column(accounts(), |account| account.ledger_sequence))
    .bind::<Array<BigInt>, _>(nonces)
    .bind::<Array<Nullable<Text>>, _>(play_rules)
    .execute(connection)?;
    Ok(())
}

fn write_entries(connection: &mut PgConnection, staged: &Staged) -> Result<(), DatabaseError> {
    let entries = || staged.entries.iter();
    cached_sql(
        "INSERT INTO ledger_entries (player_id, sequence, kind, amount_cents,
                balance_after_cents, reference, created_at_micros)
             SELECT * FROM unnest(?, ?, ?, ?, ?, ?, ?)",
    )
    .bind::<Array<BigInt>, _>(column(entries(), |entry| entry.player.get()))
    .bind::<Array<BigInt>, _>(column(entries(), |entry| entry.sequence))
    .bind::<Array<Text>, _>(column(entries(), |entry| entry.posting.kind.as_str()))
    .bind::<Array<BigInt>, _>(column(entries(), |entry| entry.posting.amount.cents()))
    .bind::<Array<BigInt>, _>(column(entries(), |entry| {
        entry.posting.balance_after.cents()
    }))
    .bind::<Array<Text>, _>(column(entries(), |entry| entry.reference.to_string()))
    .bind::<Array<BigInt>, _>(column(entries(), |entry| entry.at.as_micros()))
    .execute(connection)?;
    Ok(())
}

fn write_statistics(connection: &mut PgConnection, staged: &Staged) -> Result<(), DatabaseError> {
    let deltas = staged.statistics();
    if deltas.is_empty() {
        return Ok(());
    }
    let deltas = || deltas.iter();
    cached_sql(statistics_upsert!(
        "SELECT * FROM unnest(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        "GREATEST"
    ))
    .bind::<Array<BigInt>, _>(column(deltas(), |((player, _), _)| player.get()))
    .bind::<Array<Text>, _>(column(deltas(), |((_, game), _)| game.as_str()))
    .bind::<Array<BigInt>, _>(column(deltas(), |(_, delta)| delta.rounds))
    .bind::<Array<BigInt>, _>(column(deltas(), |(_, delta)| delta.wins))
    .bind::<Array<BigInt>, _>(column(deltas(), |(_, delta)| delta.staked_cents))
    .bind::<Array<BigInt>, _>(column(deltas(), |(_, delta)| delta.paid_cents))
    .bind::<Array<Nullable<BigInt>>, _>(column(deltas(), |(_, delta)| {
        delta.biggest_win.map(|(id, _)| id.get())
    }))
    .bind::<Array<BigInt>, _>(column(deltas(), |(_, delta)| {
        delta.biggest_win.map_or(0, |(_, cents)| cents)
    }))
    .bind::<Array<BigInt>, _>(column(deltas(), |(_, delta)| delta.cash_outs))
    .bind::<Array<BigInt>, _>(column(deltas(), |(_, delta)| delta.multiplier_total))
    .bind::<Array<BigInt>, _>(column(deltas(), |(_, delta)| delta.best_multiplier))
    .execute(connection)?;
    Ok(())
}

/// The rows are locked in the order of `deltas`, which is the same on every server.
pub(crate) fn write_house_totals(
    connection: &mut PgConnection,
    shard: i64,
    deltas: &HouseDeltas,
) -> Result<(), DatabaseError> {
    if deltas.is_empty() {
        return Ok(());
    }
    let keys = || deltas.iter().map(|(key, _)| key);
    let sums = || deltas.iter().map(|(_, delta)| delta);
    cached_sql(house_totals_upsert!(
        "SELECT new.day, new.game, ?, new.rounds, new.wins, new.staked_cents,
                new.paid_cents, new.expected_cents, new.variance
             FROM unnest(?, ?, ?, ?, ?, ?, ?, ?)
                AS new (day, game, rounds, wins, staked_cents, paid_cents,
                    expected_cents, variance)"
    ))
    .bind::<BigInt, _>(shard)
    .bind::<Array<BigInt>, _>(column(keys(), |key| key.day))
    .bind::<Array<Text>, _>(column(keys(), |key| key.game))
    .bind::<Array<BigInt>, _>(column(sums(), |delta| delta.rounds))
    .bind::<Array<BigInt>, _>(column(sums(), |delta| delta.wins))
    .bind::<Array<BigInt>, _>(column(sums(), |delta| delta.staked_cents))
    .bind::<Array<BigInt>, _>(column(sums(), |delta| delta.paid_cents))
    .bind::<Array<Double>, _>(column(sums(), |delta| delta.spread.expected_cents))
    .bind::<Array<Double>, _>(column(sums(), |delta| delta.spread.variance))
    .execute(connection)?;
    Ok(())
}

pub(super) fn column<I: Iterator, T>(rows: I, value: impl FnMut(I::Item) -> T) -> Vec<T> {
    rows.map(value).collect()
}
