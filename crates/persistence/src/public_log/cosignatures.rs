//! What the witnesses have cosigned.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};
use glasshouse_domain::Timestamp;

use crate::accounts::account::{signed, unsigned};
use crate::connection::AnyConnection;
use crate::engine::transaction::Transaction;
use crate::error::DatabaseError;
use crate::public_log::state::log_state;
use crate::schema::cosignatures;

/// The last cosignature of a witness.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cosignature {
    /// The verifier key of the witness.
    pub witness: String,
    /// The size of the log that was cosigned.
    pub size: u64,
    /// The line that is added to the signed checkpoint.
    pub line: String,
    /// When it was received.
    pub at: Timestamp,
}

/// The last cosignature of each witness of the log that is written.
///
/// # Errors
/// If the database fails.
pub fn last_cosignatures(
    connection: &mut AnyConnection,
) -> Result<Vec<Cosignature>, DatabaseError> {
    let log = log_state(connection)?.id;
    let rows: Vec<(String, i64, String, i64)> = cosignatures::table
        .filter(cosignatures::log_id.eq(log))
        .order(cosignatures::witness)
        .select((
            cosignatures::witness,
            cosignatures::size,
            cosignatures::line,
            cosignatures::cosigned_at_micros,
        ))
        .load(connection)?;
    rows.into_iter()
        .map(|(witness, size, line, at)| {
            Ok(Cosignature {
                witness,
                size: unsigned(size, "size of a cosigned log")?,
                line,
                at: Timestamp::from_micros(at),
            })
        })
        .collect()
}

impl Transaction<'_, '_> {
    /// Stores a cosignature in place of the witness' last one, unless that is of a larger log.
    ///
    /// # Errors
    /// If the database fails.
    pub fn save_cosignature(&mut self, new: &Cosignature) -> Result<(), DatabaseError> {
        self.execute(|connection| {
            let size = signed(new.size, "size of a cosigned log")?;
            diesel::sql_query(
                "INSERT INTO cosignatures (log_id, witness, size, line, cosigned_at_micros)
                 SELECT MAX(id), $1, $2, $3, $4 FROM log_state WHERE TRUE
                 ON CONFLICT (log_id, witness) DO UPDATE SET size = excluded.size, line = excluded.line,
                    cosigned_at_micros = excluded.cosigned_at_micros
                 WHERE cosignatures.size <= excluded.size",
            )
            .bind::<Text, _>(&new.witness)
            .bind::<BigInt, _>(size)
            .bind::<Text, _>(&new.line)
            .bind::<BigInt, _>(new.at.as_micros())
            .execute(connection)?;
            Ok(())
        })
    }
}
