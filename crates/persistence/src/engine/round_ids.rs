//! The numbers of new rounds: taken by a writer in blocks, given out one at a time.

use diesel::sql_types::BigInt;
use diesel::{QueryableByName, RunQueryDsl};
use glasshouse_domain::RoundId;

use crate::connection::AnyConnection;
use crate::engine::cached_sql::cached_sql;
use crate::error::DatabaseError;

/// The numbers of rounds that a writer has taken and not yet given out.
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
    /// As the sequence `round_ids` steps.
    const BLOCK: i64 = 100;

    pub(crate) fn take(
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
                    // The transaction holds the only write lock: nobody else takes a number.
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

    /// On SQLite numbers hold for one transaction only.
    pub(crate) fn begin(&mut self, connection: &AnyConnection) {
        if matches!(connection, AnyConnection::Sqlite(_)) {
            self.left = 0;
        }
    }
}
