//! PostgreSQL is a round trip away, so the rows of all tables are sent as arrays, in one statement with
//! the same text for every batch.
//!
//! The updates find their rows with `= ANY (ARRAY[…])` of a single value. A plain equality could be
//! planned as a join with the whole table, which the planner prefers while the table is small. This
//! form always results in one index lookup per row.

use std::sync::LazyLock;

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Double, Nullable, Text};

use super::{house_totals_upsert, player_totals, rounds, statistics_upsert};
use crate::accounts::account::signed;
use crate::accounts::play_rules;
use crate::books::house_totals::HouseDeltas;
use crate::engine::cached_sql::{Bind as _, JoinedSql, Values, bound, cached_sql};
use crate::engine::staged::Staged;
use crate::error::DatabaseError;

/// All of a batch's rows but those of ended rounds, in one statement: each is a round trip, and has a
/// cost of its own that does not depend on the number of rows. Its parts change different tables.
/// Foreign keys are checked after all of them.
static WRITE: LazyLock<String> = LazyLock::new(|| {
    format!(
        "WITH changed_accounts AS ({UPDATE_ACCOUNTS}), new_rounds AS ({}),
              statistics AS ({UPDATE_STATISTICS}), hours AS ({}), days AS ({})
         {INSERT_ENTRIES}",
        rounds::INSERT_ON_POSTGRES,
        player_totals::HOURS_ON_POSTGRES,
        player_totals::DAYS_ON_POSTGRES,
    )
});

pub(crate) fn write(connection: &mut PgConnection, staged: &Staged) -> Result<(), DatabaseError> {
    // First, because a player's next round of a game can only begin after it.
    if !staged.settlements.is_empty() {
        rounds::settle_on_postgres(connection, &staged.settlements)?;
    }
    let parts = [
        changed_accounts(staged)?,
        rounds::inserted_on_postgres(&staged.rounds)?,
        changed_statistics(staged),
        player_totals::hours_on_postgres(staged),
        player_totals::days_on_postgres(staged),
        inserted_entries(staged),
    ];
    JoinedSql::new(&WRITE, parts.into_iter().flatten().collect()).execute(connection)?;
    write_large_wins(connection, staged)
}

fn write_large_wins(connection: &mut PgConnection, staged: &Staged) -> Result<(), DatabaseError> {
    let rounds: Vec<i64> = staged.large_wins().map(|round| round.id.get()).collect();
    if rounds.is_empty() {
        return Ok(());
    }
    cached_sql!("INSERT INTO large_wins (round_id) SELECT * FROM unnest(?)")
        .bind::<Array<BigInt>, _>(rounds)
        .execute(connection)?;
    Ok(())
}

const UPDATE_ACCOUNTS: &str = "UPDATE accounts SET
        balance_cents = new.balance_cents,
        unwagered_cents = new.unwagered_cents,
        ledger_sequence = new.ledger_sequence,
        next_nonce = new.next_nonce,
        play_rules = new.play_rules
     FROM unnest(?, ?, ?, ?, ?, ?)
        AS new (player_id, balance_cents, unwagered_cents, ledger_sequence, next_nonce,
            play_rules)
     WHERE accounts.player_id = ANY (ARRAY[new.player_id])";

fn changed_accounts(staged: &Staged) -> Result<Values<'_>, DatabaseError> {
    let accounts = || staged.accounts.values();
    let nonces: Vec<i64> = accounts()
        .map(|account| signed(account.seeds.next_nonce, "nonce"))
        .collect::<Result<_, _>>()?;
    let play_rules: Vec<Option<String>> = accounts()
        .map(|account| play_rules::text(account.play_rules.as_deref()))
        .collect::<Result<_, _>>()?;
    Ok(vec![
        bound::<Array<BigInt>, _>(column(accounts(), |account| account.player.get())),
        bound::<Array<BigInt>, _>(column(accounts(), |account| {
            account.wallet.balance().cents()
        })),
        bound::<Array<BigInt>, _>(column(accounts(), |account| {
            account.wallet.unwagered().cents()
        })),
        bound::<Array<BigInt>, _>(column(accounts(), |account| account.ledger_sequence)),
        bound::<Array<BigInt>, _>(nonces),
        bound::<Array<Nullable<Text>>, _>(play_rules),
    ])
}

const INSERT_ENTRIES: &str = "INSERT INTO ledger_entries (player_id, sequence, kind, amount_cents,
        balance_after_cents, reference, created_at_micros)
     SELECT * FROM unnest(?, ?, ?, ?, ?, ?, ?)";

fn inserted_entries(staged: &Staged) -> Values<'_> {
    let entries = || staged.entries.iter();
    vec![
        bound::<Array<BigInt>, _>(column(entries(), |entry| entry.player.get())),
        bound::<Array<BigInt>, _>(column(entries(), |entry| entry.sequence)),
        bound::<Array<Text>, _>(column(entries(), |entry| entry.posting.kind.as_str())),
        bound::<Array<BigInt>, _>(column(entries(), |entry| entry.posting.amount.cents())),
        bound::<Array<BigInt>, _>(column(entries(), |entry| {
            entry.posting.balance_after.cents()
        })),
        bound::<Array<Text>, _>(column(entries(), |entry| entry.reference.to_string())),
        bound::<Array<BigInt>, _>(column(entries(), |entry| entry.at.as_micros())),
    ]
}

const UPDATE_STATISTICS: &str = statistics_upsert!(
    "SELECT * FROM unnest(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    "GREATEST"
);

fn changed_statistics(staged: &Staged) -> Values<'static> {
    let deltas = staged.statistics();
    let deltas = || deltas.iter();
    vec![
        bound::<Array<BigInt>, _>(column(deltas(), |((player, _), _)| player.get())),
        bound::<Array<Text>, _>(column(deltas(), |((_, game), _)| game.as_str())),
        bound::<Array<BigInt>, _>(column(deltas(), |(_, delta)| delta.rounds)),
        bound::<Array<BigInt>, _>(column(deltas(), |(_, delta)| delta.wins)),
        bound::<Array<BigInt>, _>(column(deltas(), |(_, delta)| delta.staked_cents)),
        bound::<Array<BigInt>, _>(column(deltas(), |(_, delta)| delta.paid_cents)),
        bound::<Array<Nullable<BigInt>>, _>(column(deltas(), |(_, delta)| {
            delta.biggest_win.map(|(id, _)| id.get())
        })),
        bound::<Array<BigInt>, _>(column(deltas(), |(_, delta)| {
            delta.biggest_win.map_or(0, |(_, cents)| cents)
        })),
        bound::<Array<BigInt>, _>(column(deltas(), |(_, delta)| delta.cash_outs)),
        bound::<Array<BigInt>, _>(column(deltas(), |(_, delta)| delta.multiplier_total)),
        bound::<Array<BigInt>, _>(column(deltas(), |(_, delta)| delta.best_multiplier)),
    ]
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
    cached_sql!(house_totals_upsert!(
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
