//! What is in a database and which keys it needs, for backups and for whoever examines a house before its
//! start.

use diesel::prelude::*;
use diesel::sql_types::Text;

use crate::audit::log::audit_head;
use crate::books::checks::{CheckCount, counts};
use crate::connection::AnyConnection;
use crate::error::DatabaseError;
use crate::public_log::state::{LogState, log_state};
use crate::seeds::keys_in_use::keys_in_use;
use crate::snapshot::Snapshot;

/// What is in a database.
#[derive(Debug, Clone)]
pub struct Inventory {
    /// The number of rows of each kind.
    pub counts: Vec<CheckCount>,
    /// The hash of the whole audit log; `None` before its first record.
    pub audit_hash: Option<String>,
    /// The end of the public log.
    pub log: LogState,
    /// The keys that the database needs.
    pub keys: NeededKeys,
}

/// The keys that a database needs, by their IDs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NeededKeys {
    /// The key of the end of the audit log, which servers need; `None` if the log has no seal.
    pub last_audit: Option<String>,
    /// All keys that records of the audit log are verified with.
    pub audit: Vec<String>,
    /// The keys of the server seeds that are not revealed.
    pub seeds: Vec<String>,
    /// The keys of the second factors.
    pub factors: Vec<String>,
    /// The verifier keys that the public log names, one of which servers must be able to sign with.
    pub log: Vec<String>,
}

#[derive(QueryableByName)]
struct Id {
    #[diesel(sql_type = Text)]
    value: String,
}

impl Snapshot {
    /// Reads what is in a database of this version.
    ///
    /// # Errors
    /// If the database fails.
    pub fn inventory(&mut self) -> Result<Inventory, DatabaseError> {
        self.read(inventory)
    }
}

fn inventory(connection: &mut AnyConnection) -> Result<Inventory, DatabaseError> {
    let log = log_state(connection)?;
    let head = audit_head(connection)?;
    let keys = NeededKeys {
        last_audit: head.key_id,
        audit: ids(
            connection,
            "SELECT DISTINCT key_id AS value FROM audit_log WHERE key_id IS NOT NULL ORDER BY 1",
        )?,
        seeds: keys_in_use(connection)?,
        factors: ids(
            connection,
            "SELECT key_id AS value FROM authenticators
             UNION SELECT key_id FROM authenticator_enrolments ORDER BY 1",
        )?,
        log: log.keys.lines().map(str::to_owned).collect(),
    };
    Ok(Inventory {
        counts: counts(connection)?,
        audit_hash: head.hash,
        log,
        keys,
    })
}

fn ids(connection: &mut AnyConnection, query: &str) -> Result<Vec<String>, DatabaseError> {
    let ids: Vec<Id> = diesel::sql_query(query).load(connection)?;
    Ok(ids.into_iter().map(|id| id.value).collect())
}
