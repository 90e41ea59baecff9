//! SQLite runs in this process: one prepared statement a row costs no round trip.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable, Text};

use super::statistics_upsert;
use crate::accounts::signed;
use crate::batch::{Staged, StagedEntry, StagedRound};
use crate::error::DatabaseError;
use crate::fixed_sql::{Bind as _, fixed_sql};
use crate::schema::{ledger_entries, rounds};

pub(crate) fn write(
    connection: &mut SqliteConnection,
    staged: &Staged,
) -> Result<(), DatabaseError> {
    for account in staged.accounts.values() {
        fixed_sql(
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
    StagedRound { round, after }: &StagedRound,
) -> Result<(), DatabaseError> {
    diesel::insert_into(rounds::table)
        .values((
            rounds::id.eq(round.id.get()),
            rounds::player_id.eq(after.player.get()),
            rounds::game.eq(round.game.as_str()),
            rounds::state.eq("settled"),
            rounds::stake_cents.eq(round.stake.cents()),
            rounds::payout_cents.eq(round.payout.cents()),
            rounds::outcome.eq(&round.outcome),
            rounds::details.eq(&round.details),
            rounds::seed_pair_id.eq(after.seed_pair.get()),
            rounds::nonce.eq(signed(round.nonce, "nonce")?),
            rounds::idempotency_key.eq(round.idempotency_key.as_deref()),
            rounds::balance_after_cents.eq(after.balance_after.cents()),
            rounds::unwagered_after_cents.eq(after.unwagered_after.cents()),
            rounds::started_at_micros.eq(round.at.as_micros()),
            rounds::ended_at_micros.eq(round.at.as_micros()),
        ))
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
            ledger_entries::kind.eq(entry.movement.kind.as_str()),
            ledger_entries::amount_cents.eq(entry.movement.amount.cents()),
            ledger_entries::balance_after_cents.eq(entry.movement.balance_after.cents()),
            ledger_entries::reference.eq(&entry.reference),
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
        fixed_sql(statistics_upsert!("VALUES (?, ?, ?, ?, ?, ?, ?, ?)", "MAX"))
            .bind::<BigInt, _>(player.get())
            .bind::<Text, _>(game.as_str())
            .bind::<BigInt, _>(delta.rounds)
            .bind::<BigInt, _>(delta.wins)
            .bind::<BigInt, _>(delta.staked_cents)
            .bind::<BigInt, _>(delta.paid_cents)
            .bind::<Nullable<BigInt>, _>(biggest_id)
            .bind::<BigInt, _>(biggest_cents)
            .execute(connection)?;
    }
    Ok(())
}
