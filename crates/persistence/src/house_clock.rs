//! The limits of the house's clock: the database's clock where servers share it, and the stored
//! floor below which the house's clock must not go.

use diesel::prelude::*;
use diesel::sql_types::BigInt;
use glasshouse_domain::Timestamp;

use crate::connection::AnyConnection;
use crate::engine::transaction::Transaction;
use crate::error::DatabaseError;
use crate::schema::house_clock;

#[derive(QueryableByName)]
struct Micros {
    #[diesel(sql_type = BigInt)]
    value: i64,
}

/// The clock of the database server, or `None` for SQLite, where it is this computer's clock.
///
/// # Errors
/// If the database fails.
pub fn database_now(connection: &mut AnyConnection) -> Result<Option<Timestamp>, DatabaseError> {
    let AnyConnection::Postgres(postgres) = connection else {
        return Ok(None);
    };
    let now: Micros = diesel::sql_query(
        "SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT) AS value",
    )
    .get_result(postgres)?;
    Ok(Some(Timestamp::from_micros(now.value)))
}

/// The time of the machine that the database runs on, for migrations: the house's clock does not run
/// yet.
pub(crate) fn machine_now(connection: &mut AnyConnection) -> Result<Timestamp, DatabaseError> {
    let query = match connection {
        AnyConnection::Sqlite(_) => {
            "SELECT CAST((julianday('now') - 2440587.5) * 86400000 AS BIGINT) * 1000 AS value"
        }
        AnyConnection::Postgres(_) => {
            "SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT) AS value"
        }
    };
    let now: Micros = diesel::sql_query(query).get_result(connection)?;
    Ok(Timestamp::from_micros(now.value))
}

/// The stored floor of the house's clock.
///
/// # Errors
/// If the database fails.
pub fn clock_floor(connection: &mut AnyConnection) -> Result<Timestamp, DatabaseError> {
    let micros: i64 = house_clock::table
        .find(1)
        .select(house_clock::not_before_micros)
        .get_result(connection)?;
    Ok(Timestamp::from_micros(micros))
}

impl Transaction<'_, '_> {
    /// Raises the floor of the house's clock to `moment`.
    ///
    /// # Errors
    /// If the database fails.
    pub fn persist_clock_lease(&mut self, moment: Timestamp) -> Result<(), DatabaseError> {
        self.execute(|connection| {
            diesel::update(house_clock::table.find(1))
                .filter(house_clock::not_before_micros.lt(moment.as_micros()))
                .set(house_clock::not_before_micros.eq(moment.as_micros()))
                .execute(connection)?;
            Ok(())
        })
    }
}
