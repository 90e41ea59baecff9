//! SQLite runs in this process, so one prepared statement per row costs no round trip.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Double, Nullable, Text};
use glasshouse_domain::Timestamp;

use super::{house_totals_upsert, result, statistics_upsert, thousandths};
use crate::accounts::account::signed;
use crate::books::house_totals::HouseDeltas;
use crate::engine::cached_sql::{Bind as _, cached_sql};
use crate::engine::staged::{Staged, StagedEntry, StagedRound, StagedSettlement};
use crate::error::DatabaseError;
use crate::schema::{ledger_entries, rounds};

pub(crate) fn write(
    connection: &mut SqliteConnection,
    staged: &Staged,
) -> Result<(), DatabaseError> {
    for account in staged.accounts.values() {
        cached_sql(
            "UPDATE accounts SET balance_cents = ?, unwagered_cents = ?, ledger_sequence = ?,
                next_nonce = ?
             WHERE player_id = ?",
        )
        .bind::<BigInt, _>(account.wallet.balance().cents())
        .bind::<BigInt, _>(account.wallet.unwagered().cents())
        .bind::<BigInt, _>(account.ledger_sequence)
        .bind::<BigInt, _>(signed(account.seeds.next_nonce, "nonce")?)
        .bind::<BigInt, _>(account.player.get())
        .execute(connection)?;
    }
    for settlement in &staged.settlements {
        write_settlement(connection, settlement)?;
    }
    for round in &staged.rounds {
        write_round(connection, round)?;
    }
    for entry in &staged.entries {
        write_entry(connection, entry)?;
    }
    write_statistics(connection, staged)
}

fn write_round(
    connection: &mut SqliteConnection,
    staged: &StagedRound,
) -> Result<(), DatabaseError> {
    let round = &staged.round;
    diesel::insert_into(rounds::table)
        .values((
            rounds::id.eq(round.id.get()),
            rounds::player_id.eq(round.player.get()),
            rounds::game.eq(round.game.as_str()),
            rounds::state.eq(round.state().as_str()),
            rounds::stake_cents.eq(round.stake.cents()),
            rounds::payout_cents.eq(round.payout.cents()),
            rounds::result.eq(result(round)),
            rounds::details.eq(&round.details),
            rounds::seed_pair_id.eq(round.seed_pair.get()),
            rounds::nonce.eq(signed(round.nonce, "nonce")?),
            rounds::idempotency_key.eq(staged.idempotency_key.as_deref()),
            rounds::balance_after_cents.eq(round.balance_after.cents()),
            rounds::unwagered_after_cents.eq(round.unwagered_after.cents()),
            rounds::started_at_micros.eq(round.started_at.as_micros()),
            rounds::ended_at_micros.eq(round.ended_at.map(Timestamp::as_micros)),
            rounds::due_at_micros.eq(round.due_at.map(Timestamp::as_micros)),
            rounds::multiplier_thousandths.eq(thousandths(round)),
            rounds::settlement_key.eq(staged.settlement_key.as_deref()),
            rounds::rules_version.eq(i64::from(round.rules.number())),
        ))
        .execute(connection)?;
    Ok(())
}

fn write_settlement(
    connection: &mut SqliteConnection,
    StagedSettlement { round, key, .. }: &StagedSettlement,
) -> Result<(), DatabaseError> {
    cached_sql(
        "UPDATE rounds SET state = 'settled', stake_cents = ?, payout_cents = ?, result = ?, details = ?,
            balance_after_cents = ?, unwagered_after_cents = ?, ended_at_micros = ?,
            multiplier_thousandths = ?, settlement_key = ?
         WHERE id = ?",
    )
    .bind::<BigInt, _>(round.stake.cents())
    .bind::<BigInt, _>(round.payout.cents())
    .bind::<Nullable<Text>, _>(result(round))
    .bind::<Text, _>(&round.details)
    .bind::<BigInt, _>(round.balance_after.cents())
    .bind::<BigInt, _>(round.unwagered_after.cents())
    .bind::<Nullable<BigInt>, _>(round.ended_at.map(Timestamp::as_micros))
    .bind::<Nullable<BigInt>, _>(thousandths(round))
    .bind::<Nullable<Text>, _>(key.as_deref())
    .bind::<BigInt, _>(round.id.get())
    .execute(connection)?;
    Ok(())
}

fn write_entry(
    connection: &mut SqliteConnection,
    entry: &StagedEntry,
) -> Result<(), DatabaseError> {
    diesel::insert_into(ledger_entries::table)
        .values((
            ledger_entries::player_id.eq(entry.player.get()),
            ledger_entries::sequence.eq(entry.sequence),
            ledger_entries::kind.eq(entry.posting.kind.as_str()),
            ledger_entries::amount_cents.eq(entry.posting.amount.cents()),
            ledger_entries::balance_after_cents.eq(entry.posting.balance_after.cents()),
            ledger_entries::reference.eq(entry.reference.to_string()),
            ledger_entries::created_at_micros.eq(entry.at.as_micros()),
        ))
        .execute(connection)?;
    Ok(())
}

fn write_statistics(
    connection: &mut SqliteConnection,
    staged: &Staged,
) -> Result<(), DatabaseError> {
    for ((player, game), delta) in staged.statistics() {
        let (biggest_id, biggest_cents) = delta
            .biggest_win
            .map_or((None, 0), |(id, cents)| (Some(id.get()), cents));
        cached_sql(statistics_upsert!(
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            "MAX"
        ))
        .bind::<BigInt, _>(player.get())
        .bind::<Text, _>(game.as_str())
        .bind::<BigInt, _>(delta.rounds)
        .bind::<BigInt, _>(delta.wins)
        .bind::<BigInt, _>(delta.staked_cents)
        .bind::<BigInt, _>(delta.paid_cents)
        .bind::<Nullable<BigInt>, _>(biggest_id)
        .bind::<BigInt, _>(biggest_cents)
        .bind::<BigInt, _>(delta.cash_outs)
        .bind::<BigInt, _>(delta.multiplier_total)
        .bind::<BigInt, _>(delta.best_multiplier)
        .execute(connection)?;
    }
    Ok(())
}

pub(crate) fn write_house_totals(
    connection: &mut SqliteConnection,
    shard: i64,
    deltas: &HouseDeltas,
) -> Result<(), DatabaseError> {
    for (key, delta) in deltas.iter() {
        cached_sql(house_totals_upsert!("VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"))
            .bind::<BigInt, _>(key.day)
            .bind::<Text, _>(key.game)
            .bind::<BigInt, _>(shard)
            .bind::<BigInt, _>(delta.rounds)
            .bind::<BigInt, _>(delta.wins)
            .bind::<BigInt, _>(delta.staked_cents)
            .bind::<BigInt, _>(delta.paid_cents)
            .bind::<Double, _>(delta.spread.expected_cents)
            .bind::<Double, _>(delta.spread.variance)
            .execute(connection)?;
    }
    Ok(())
}
