//! IDs of new rounds: each writer reserves them in blocks and hands them out one at a time.

use diesel::sql_types::BigInt;
use diesel::{QueryableByName, RunQueryDsl};
use glasshouse_domain::RoundId;

use crate::connection::AnyConnection;
use crate::engine::cached_sql::cached_sql;
use crate::error::DatabaseError;

/// The round IDs that a writer has reserved but not used yet.
#[derive(Debug, Default)]
pub(crate) struct RoundIds {
    next: i64,
    left: i64,
}

#[derive(QueryableByName)]
struct Number {
    #[diesel(sql_type = BigInt)]
    value: i64,
}

impl RoundIds {
    /// The increment of the sequence `round_ids`.
    const BLOCK: i64 = 100;

    pub(crate) fn allocate(
        &mut self,
        connection: &mut AnyConnection,
    ) -> Result<RoundId, DatabaseError> {
        if self.left == 0 {
            match connection {
                AnyConnection::Sqlite(sqlite) => {
                    let last: Number =
                        cached_sql("SELECT COALESCE(MAX(id), 0) AS value FROM rounds")
                            .get_result(sqlite)?;
                    self.next = last.value + 1;
                    // The transaction holds the only write lock, so nobody else can allocate IDs.
                    self.left = i64::MAX - self.next;
                }
                AnyConnection::Postgres(postgres) => {
                    let first: Number =
                        cached_sql("SELECT nextval('round_ids') AS value").get_result(postgres)?;
                    self.next = first.value;
                    self.left = Self::BLOCK;
                }
            }
        }
        let id = self.next;
        self.next += 1;
        self.left -= 1;
        Ok(RoundId::new(id))
    }

    /// On SQLite a reservation is only valid for one transaction.
    pub(crate) fn begin(&mut self, connection: &AnyConnection) {
        if matches!(connection, AnyConnection::Sqlite(_)) {
            self.left = 0;
        }
    }
}
