//! IDs of new rows that must be known before the rows are written: each writer reserves them in
//! blocks and hands them out one at a time.

use diesel::sql_types::BigInt;
use diesel::{PgConnection, QueryResult, QueryableByName, RunQueryDsl, SqliteConnection};

use crate::connection::AnyConnection;
use crate::engine::cached_sql::cached_sql;
use crate::error::DatabaseError;

/// The rows that the IDs are for.
#[derive(Debug, Clone, Copy)]
pub(crate) enum IdsOf {
    /// Rounds.
    Rounds,
    /// Batches of the log.
    LogBatches,
}

impl IdsOf {
    /// The largest ID so far. On SQLite the transaction holds the only write lock, so nobody else
    /// can allocate IDs.
    fn last_on_sqlite(self, connection: &mut SqliteConnection) -> QueryResult<i64> {
        let last: Number = match self {
            Self::Rounds => cached_sql!("SELECT COALESCE(MAX(id), 0) AS value FROM rounds")
                .get_result(connection)?,
            Self::LogBatches => {
                cached_sql!("SELECT COALESCE(MAX(id), 0) AS value FROM log_batches")
                    .get_result(connection)?
            }
        };
        Ok(last.value)
    }

    fn next_on_postgres(self, connection: &mut PgConnection) -> QueryResult<i64> {
        let next: Number = match self {
            Self::Rounds => {
                cached_sql!("SELECT nextval('round_ids') AS value").get_result(connection)?
            }
            Self::LogBatches => {
                cached_sql!("SELECT nextval('log_batch_ids') AS value").get_result(connection)?
            }
        };
        Ok(next.value)
    }
}

/// The IDs that a writer has reserved but not used yet.
#[derive(Debug)]
pub(crate) struct ReservedIds {
    of: IdsOf,
    next: i64,
    left: i64,
}

#[derive(QueryableByName)]
struct Number {
    #[diesel(sql_type = BigInt)]
    value: i64,
}

impl ReservedIds {
    /// The increment of the sequences.
    const BLOCK: i64 = 100;

    pub(crate) const fn new(of: IdsOf) -> Self {
        Self {
            of,
            next: 0,
            left: 0,
        }
    }

    pub(crate) fn allocate(
        &mut self,
        connection: &mut AnyConnection,
    ) -> Result<i64, DatabaseError> {
        if self.left == 0 {
            match connection {
                AnyConnection::Sqlite(sqlite) => {
                    self.next = self.of.last_on_sqlite(sqlite)? + 1;
                    self.left = i64::MAX - self.next;
                }
                AnyConnection::Postgres(postgres) => {
                    self.next = self.of.next_on_postgres(postgres)?;
                    self.left = Self::BLOCK;
                }
            }
        }
        let id = self.next;
        self.next += 1;
        self.left -= 1;
        Ok(id)
    }

    /// On SQLite a reservation is only valid for one transaction.
    pub(crate) fn begin(&mut self, connection: &AnyConnection) {
        if matches!(connection, AnyConnection::Sqlite(_)) {
            self.left = 0;
        }
    }
}
