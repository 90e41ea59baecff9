//! Writes the money that moved otherwise than by rounds. Batches of bets alone write nothing here.

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt};

use super::postgres::column;
use crate::books::house_flows::FlowDeltas;
use crate::connection::AnyConnection;
use crate::engine::cached_sql::{Bind as _, cached_sql};
use crate::error::DatabaseError;

/// `old` is the stored row and `excluded` the delta.
macro_rules! house_flows_upsert {
    ($values:literal) => {
        concat!(
            "INSERT INTO house_flows AS old
                (day, shard, deposited_cents, held_cents, returned_cents, adjusted_cents,
                 arrived_cents, arrived_fee_cents) ",
            $values,
            " ON CONFLICT (day, shard) DO UPDATE SET
                deposited_cents = old.deposited_cents + excluded.deposited_cents,
                held_cents = old.held_cents + excluded.held_cents,
                returned_cents = old.returned_cents + excluded.returned_cents,
                adjusted_cents = old.adjusted_cents + excluded.adjusted_cents,
                arrived_cents = old.arrived_cents + excluded.arrived_cents,
                arrived_fee_cents = old.arrived_fee_cents + excluded.arrived_fee_cents"
        )
    };
}

/// The rows are locked in the order of `deltas`, which is the same on every server.
pub(crate) fn write_house_flows(
    connection: &mut AnyConnection,
    shard: i64,
    deltas: &FlowDeltas,
) -> Result<(), DatabaseError> {
    if deltas.is_empty() {
        return Ok(());
    }
    match connection {
        AnyConnection::Sqlite(sqlite) => write_on_sqlite(sqlite, shard, deltas),
        AnyConnection::Postgres(postgres) => write_on_postgres(postgres, shard, deltas),
    }
}

fn write_on_sqlite(
    connection: &mut SqliteConnection,
    shard: i64,
    deltas: &FlowDeltas,
) -> Result<(), DatabaseError> {
    for (day, delta) in deltas.iter() {
        cached_sql!(house_flows_upsert!("VALUES (?, ?, ?, ?, ?, ?, ?, ?)"))
            .bind::<BigInt, _>(day)
            .bind::<BigInt, _>(shard)
            .bind::<BigInt, _>(delta.deposited)
            .bind::<BigInt, _>(delta.held)
            .bind::<BigInt, _>(delta.returned)
            .bind::<BigInt, _>(delta.adjusted)
            .bind::<BigInt, _>(delta.arrived)
            .bind::<BigInt, _>(delta.arrived_fee)
            .execute(connection)?;
    }
    Ok(())
}

fn write_on_postgres(
    connection: &mut PgConnection,
    shard: i64,
    deltas: &FlowDeltas,
) -> Result<(), DatabaseError> {
    let sums = || deltas.iter().map(|(_, delta)| delta);
    cached_sql!(house_flows_upsert!(
        "SELECT new.day, ?, new.deposited_cents, new.held_cents, new.returned_cents,
                new.adjusted_cents, new.arrived_cents, new.arrived_fee_cents
             FROM unnest(?, ?, ?, ?, ?, ?, ?)
                AS new (day, deposited_cents, held_cents, returned_cents, adjusted_cents,
                    arrived_cents, arrived_fee_cents)"
    ))
    .bind::<BigInt, _>(shard)
    .bind::<Array<BigInt>, _>(column(deltas.iter(), |(day, _)| day))
    .bind::<Array<BigInt>, _>(column(sums(), |delta| delta.deposited))
    .bind::<Array<BigInt>, _>(column(sums(), |delta| delta.held))
    .bind::<Array<BigInt>, _>(column(sums(), |delta| delta.returned))
    .bind::<Array<BigInt>, _>(column(sums(), |delta| delta.adjusted))
    .bind::<Array<BigInt>, _>(column(sums(), |delta| delta.arrived))
    .bind::<Array<BigInt>, _>(column(sums(), |delta| delta.arrived_fee))
    .execute(connection)?;
    Ok(())
}
