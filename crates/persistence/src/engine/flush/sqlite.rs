//! SQLite runs in this process, so one prepared statement per row costs no round trip.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Double, Nullable, Text};

use super::{house_totals_upsert, player_totals, rounds, statistics_upsert};
use crate::accounts::account::signed;
use crate::accounts::play_rules;
use crate::books::house_totals::HouseDeltas;
use crate::engine::cached_sql::{Bind as _, cached_sql};
use crate::engine::staged::{Staged, StagedEntry};
use crate::error::DatabaseError;
use crate::schema::ledger_entries;

pub(crate) fn write(
    connection: &mut SqliteConnection,
    staged: &Staged,
) -> Result<(), DatabaseError> {
    for account in staged.accounts.values() {
        cached_sql!(
            "UPDATE accounts SET balance_cents = ?, unwagered_cents = ?, ledger_sequence = ?,
                next_nonce = ?, play_rules = ?
             WHERE player_id = ?",
        )
        .bind::<BigInt, _>(account.wallet.balance().cents())
        .bind::<BigInt, _>(account.wallet.unwagered().cents())
        .bind::<BigInt, _>(account.ledger_sequence)
        .bind::<BigInt, _>(signed(account.seeds.next_nonce, "nonce")?)
        .bind::<Nullable<Text>, _>(play_rules::text(account.play_rules.as_deref())?)
        .bind::<BigInt, _>(account.player.get())
        .execute(connection)?;
    }
    for settlement in &staged.settlements {
        rounds::settle_on_sqlite(connection, settlement)?;
    }
    for round in &staged.rounds {
        rounds::insert_on_sqlite(connection, round)?;
    }
    for entry in &staged.entries {
        write_entry(connection, entry)?;
    }
    write_statistics(connection, staged)?;
    for round in staged.large_wins() {
        cached_sql!("INSERT INTO large_wins (round_id) VALUES (?)")
            .bind::<BigInt, _>(round.id.get())
            .execute(connection)?;
    }
    player_totals::write_on_sqlite(connection, staged)
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
        cached_sql!(statistics_upsert!(
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
        cached_sql!(house_totals_upsert!("VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"))
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
