//! PostgreSQL is a round trip away, so each table's rows are sent as arrays, in one statement with
//! the same text for every batch.
//!
//! The updates find their rows with `= ANY (ARRAY[…])` of a single value. A plain equality could be
//! planned as a join with the whole table, which the planner prefers while the table is small. This
//! form always results in one index lookup per row.

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Double, Nullable, Text};
use glasshouse_domain::Timestamp;

use super::{house_totals_upsert, result, statistics_upsert, thousandths};
use crate::accounts::account::signed;
use crate::books::house_totals::HouseDeltas;
use crate::engine::cached_sql::{Bind as _, cached_sql};
use crate::engine::staged::Staged;
use crate::error::DatabaseError;

pub(crate) fn write(connection: &mut PgConnection, staged: &Staged) -> Result<(), DatabaseError> {
    if !staged.accounts.is_empty() {
        write_accounts(connection, staged)?;
    }
    if !staged.settlements.is_empty() {
        write_settlements(connection, staged)?;
    }
    if !staged.rounds.is_empty() {
        write_rounds(connection, staged)?;
    }
    write_statistics(connection, staged)?;
    if !staged.entries.is_empty() {
        write_entries(connection, staged)?;
    }
    Ok(())
}

fn write_accounts(connection: &mut PgConnection, staged: &Staged) -> Result<(), DatabaseError> {
    let accounts = || staged.accounts.values();
    let nonces: Vec<i64> = accounts()
        .map(|account| signed(account.seeds.next_nonce, "nonce"))
        .collect::<Result<_, _>>()?;
    cached_sql(
        "UPDATE accounts SET
                balance_cents = new.balance_cents,
                unwagered_cents = new.unwagered_cents,
                ledger_sequence = new.ledger_sequence,
                next_nonce = new.next_nonce
             FROM unnest(?, ?, ?, ?, ?)
                AS new (player_id, balance_cents, unwagered_cents, ledger_sequence, next_nonce)
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
    .execute(connection)?;
    Ok(())
}

fn write_rounds(connection: &mut PgConnection, staged: &Staged) -> Result<(), DatabaseError> {
    let staged = || staged.rounds.iter();
    let rounds = || staged().map(|staged| &staged.round);
    let nonces: Vec<i64> = rounds()
        .map(|round| signed(round.nonce, "nonce"))
        .collect::<Result<_, _>>()?;
    cached_sql(
        "INSERT INTO rounds (id, player_id, game, state, stake_cents, payout_cents, result,
            details, seed_pair_id, nonce, idempotency_key, balance_after_cents,
            unwagered_after_cents, started_at_micros, ended_at_micros, due_at_micros,
            multiplier_thousandths, settlement_key, rules_version)
         SELECT * FROM unnest(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    )
    .bind::<Array<BigInt>, _>(column(rounds(), |round| round.id.get()))
    .bind::<Array<BigInt>, _>(column(rounds(), |round| round.player.get()))
    .bind::<Array<Text>, _>(column(rounds(), |round| round.game.as_str()))
    .bind::<Array<Text>, _>(column(rounds(), |round| round.state().as_str()))
    .bind::<Array<BigInt>, _>(column(rounds(), |round| round.stake.cents()))
    .bind::<Array<BigInt>, _>(column(rounds(), |round| round.payout.cents()))
    .bind::<Array<Nullable<Text>>, _>(column(rounds(), result))
    .bind::<Array<Text>, _>(column(rounds(), |round| round.details.as_str()))
    .bind::<Array<BigInt>, _>(column(rounds(), |round| round.seed_pair.get()))
    .bind::<Array<BigInt>, _>(nonces)
    .bind::<Array<Nullable<Text>>, _>(column(staged(), |staged| staged.idempotency_key.as_deref()))
    .bind::<Array<BigInt>, _>(column(rounds(), |round| round.balance_after.cents()))
    .bind::<Array<BigInt>, _>(column(rounds(), |round| round.unwagered_after.cents()))
    .bind::<Array<BigInt>, _>(column(rounds(), |round| round.started_at.as_micros()))
    .bind::<Array<Nullable<BigInt>>, _>(column(rounds(), |round| {
        round.ended_at.map(Timestamp::as_micros)
    }))
    .bind::<Array<Nullable<BigInt>>, _>(column(rounds(), |round| {
        round.due_at.map(Timestamp::as_micros)
    }))
    .bind::<Array<Nullable<BigInt>>, _>(column(rounds(), thousandths))
    .bind::<Array<Nullable<Text>>, _>(column(staged(), |staged| staged.settlement_key.as_deref()))
    .bind::<Array<BigInt>, _>(column(rounds(), |round| i64::from(round.rules.number())))
    .execute(connection)?;
    Ok(())
}

fn write_settlements(connection: &mut PgConnection, staged: &Staged) -> Result<(), DatabaseError> {
    let staged = || staged.settlements.iter();
    let rounds = || staged().map(|staged| &staged.round);
    let nonces: Vec<i64> = rounds()
        .map(|round| signed(round.nonce, "nonce"))
        .collect::<Result<_, _>>()?;
    // By seed pair and nonce, which only one index covers; the ID is also part of the history's
    // indexes.
    cached_sql(
        "UPDATE rounds SET
            state = 'settled',
            stake_cents = new.stake_cents,
            payout_cents = new.payout_cents,
            result = new.result,
            details = new.details,
            balance_after_cents = new.balance_after_cents,
            unwagered_after_cents = new.unwagered_after_cents,
            ended_at_micros = new.ended_at_micros,
            multiplier_thousandths = new.multiplier_thousandths,
            settlement_key = new.settlement_key
         FROM unnest(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            AS new (seed_pair_id, nonce, stake_cents, payout_cents, result, details, balance_after_cents,
                unwagered_after_cents, ended_at_micros, multiplier_thousandths, settlement_key)
         WHERE rounds.seed_pair_id = ANY (ARRAY[new.seed_pair_id])
            AND rounds.nonce = new.nonce",
    )
    .bind::<Array<BigInt>, _>(column(rounds(), |round| round.seed_pair.get()))
    .bind::<Array<BigInt>, _>(nonces)
    .bind::<Array<BigInt>, _>(column(rounds(), |round| round.stake.cents()))
    .bind::<Array<BigInt>, _>(column(rounds(), |round| round.payout.cents()))
    .bind::<Array<Nullable<Text>>, _>(column(rounds(), result))
    .bind::<Array<Text>, _>(column(rounds(), |round| round.details.as_str()))
    .bind::<Array<BigInt>, _>(column(rounds(), |round| round.balance_after.cents()))
    .bind::<Array<BigInt>, _>(column(rounds(), |round| round.unwagered_after.cents()))
    .bind::<Array<Nullable<BigInt>>, _>(column(rounds(), |round| {
        round.ended_at.map(Timestamp::as_micros)
    }))
    .bind::<Array<Nullable<BigInt>>, _>(column(rounds(), thousandths))
    .bind::<Array<Nullable<Text>>, _>(column(staged(), |staged| staged.key.as_deref()))
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

fn column<I: Iterator, T>(rows: I, value: impl FnMut(I::Item) -> T) -> Vec<T> {
    rows.map(value).collect()
}
