//! The audit log: what administrators and the operator did. Each record's hash covers those
//! before it, and the end of the chain is kept apart: changing the past means writing a new chain to
//! its end, whose hashes are others than those that were noted elsewhere.

use diesel::prelude::*;
use glasshouse_domain::{Timestamp, UserId};
use sha2::{Digest, Sha256};

use crate::connection::AnyConnection;
use crate::error::DatabaseError;
use crate::schema::{audit_head, audit_log};
use crate::transaction::Transaction;

/// What the chain begins with.
const GENESIS: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// An act to be recorded.
#[derive(Debug, Clone)]
pub struct NewAuditRecord {
    /// Who did it; none for the operator at the command line.
    pub actor: Option<UserId>,
    /// What was done, in underscored words.
    pub action: &'static str,
    /// To whom.
    pub target: Option<UserId>,
    /// What it was about, such as `withdrawal 7`, where it was not the user as such.
    pub subject: Option<String>,
    /// What was there before.
    pub old_value: Option<String>,
    /// What is there now.
    pub new_value: Option<String>,
    /// The network address the request came from.
    pub address: Option<String>,
    /// The caller's key for repeating the call.
    pub idempotency_key: Option<String>,
    /// When.
    pub at: Timestamp,
}

/// A recorded act.
#[derive(Debug, Clone, Queryable, Selectable)]
#[diesel(table_name = audit_log)]
pub struct AuditRecord {
    /// Its number.
    pub id: i64,
    /// Who did it; none for the operator at the command line.
    pub actor_id: Option<i64>,
    /// What was done, in underscored words.
    pub action: String,
    /// To whom.
    pub target_user_id: Option<i64>,
    /// What it was about, where it was not the user as such.
    pub subject: Option<String>,
    /// What was there before.
    pub old_value: Option<String>,
    /// What was put there.
    pub new_value: Option<String>,
    /// The network address the request came from.
    pub address: Option<String>,
    /// The caller's key for repeating the call.
    pub idempotency_key: Option<String>,
    /// When, in microseconds since the Unix epoch.
    pub created_at_micros: i64,
    /// The chain's hash up to this record; none for records from before there was a chain.
    pub hash: Option<String>,
}

impl AuditRecord {
    /// The chain's hash up to this record, from the hash up to the one before: SHA-256 of that and
    /// of each field with its length, so that no two records read alike.
    #[must_use]
    pub fn chained(&self, before: &str) -> String {
        let number = |value: Option<i64>| value.map(|value| value.to_string());
        let mut hash = Sha256::new();
        let fields = [
            Some(before.to_owned()),
            number(self.actor_id),
            Some(self.action.clone()),
            number(self.target_user_id),
            self.subject.clone(),
            self.old_value.clone(),
            self.new_value.clone(),
            self.address.clone(),
            self.idempotency_key.clone(),
            Some(self.created_at_micros.to_string()),
        ];
        for field in fields {
            match field {
                // No length is written like this one.
                None => hash.update(b"-;"),
                Some(text) => {
                    hash.update(format!("{};", text.len()).as_bytes());
                    hash.update(text.as_bytes());
                }
            }
        }
        hex::encode(hash.finalize())
    }

    /// What the chain begins with.
    #[must_use]
    pub const fn genesis() -> &'static str {
        GENESIS
    }
}

/// The end of the chain, as it is kept apart from the records.
#[derive(Debug, Clone, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = audit_head)]
pub struct AuditHead {
    /// How many records it covers.
    pub records: i64,
    /// Their hash; none before the first.
    pub hash: Option<String>,
}

/// The end of the chain.
///
/// # Errors
/// If the database fails.
pub fn audit_head(connection: &mut AnyConnection) -> Result<AuditHead, DatabaseError> {
    Ok(audit_head::table
        .find(1)
        .select(AuditHead::as_select())
        .first(connection)?)
}

/// The next records in the order of their numbers.
///
/// # Errors
/// If the database fails.
pub fn audit_records_after(
    connection: &mut AnyConnection,
    after: i64,
    limit: i64,
) -> Result<Vec<AuditRecord>, DatabaseError> {
    Ok(audit_log::table
        .filter(audit_log::id.gt(after))
        .order(audit_log::id)
        .limit(limit)
        .select(AuditRecord::as_select())
        .load(connection)?)
}

impl Transaction<'_, '_> {
    /// Adds to the audit log, at the end of its chain.
    ///
    /// # Errors
    /// If the database fails.
    pub fn add_audit_record(&mut self, record: &NewAuditRecord) -> Result<(), DatabaseError> {
        self.execute(|connection| {
            let head = lock_head(connection)?;
            let before = match head.hash {
                Some(hash) => hash,
                None => hash_of_older(connection)?,
            };
            let unhashed = AuditRecord {
                id: 0,
                actor_id: record.actor.map(UserId::get),
                action: record.action.to_owned(),
                target_user_id: record.target.map(UserId::get),
                subject: record.subject.clone(),
                old_value: record.old_value.clone(),
                new_value: record.new_value.clone(),
                address: record.address.clone(),
                idempotency_key: record.idempotency_key.clone(),
                created_at_micros: record.at.as_micros(),
                hash: None,
            };
            let hash = unhashed.chained(&before);
            diesel::insert_into(audit_log::table)
                .values((
                    audit_log::actor_id.eq(unhashed.actor_id),
                    audit_log::action.eq(unhashed.action),
                    audit_log::target_user_id.eq(unhashed.target_user_id),
                    audit_log::subject.eq(unhashed.subject),
                    audit_log::old_value.eq(unhashed.old_value),
                    audit_log::new_value.eq(unhashed.new_value),
                    audit_log::address.eq(unhashed.address),
                    audit_log::idempotency_key.eq(unhashed.idempotency_key),
                    audit_log::created_at_micros.eq(unhashed.created_at_micros),
                    audit_log::hash.eq(&hash),
                ))
                .execute(connection)?;
            diesel::update(audit_head::table.find(1))
                .set((
                    audit_head::records.eq(audit_head::records + 1),
                    audit_head::hash.eq(&hash),
                ))
                .execute(connection)?;
            Ok(())
        })
    }

    /// Keeps everybody else from adding to the audit log until the commit.
    ///
    /// # Errors
    /// If the database fails.
    pub fn lock_audit_log(&mut self) -> Result<(), DatabaseError> {
        self.execute(|connection| lock_head(connection).map(drop))
    }

    /// The act that already answered this idempotency key of the actor.
    ///
    /// # Errors
    /// If the database fails.
    pub fn audit_record_by_key(
        &mut self,
        actor: UserId,
        key: &str,
    ) -> Result<Option<AuditRecord>, DatabaseError> {
        self.execute(|connection| {
            Ok(audit_log::table
                .filter(audit_log::actor_id.eq(actor.get()))
                .filter(audit_log::idempotency_key.eq(key))
                .select(AuditRecord::as_select())
                .first(connection)
                .optional()?)
        })
    }
}

/// Nobody else adds a record until the commit. On SQLite the transaction already holds the only
/// write lock.
fn lock_head(connection: &mut AnyConnection) -> Result<AuditHead, DatabaseError> {
    match connection {
        AnyConnection::Sqlite(_) => audit_head(connection),
        AnyConnection::Postgres(postgres) => Ok(audit_head::table
            .find(1)
            .for_update()
            .select(AuditHead::as_select())
            .first(postgres)?),
    }
}

/// The hash over the records from before there was a chain.
fn hash_of_older(connection: &mut AnyConnection) -> Result<String, DatabaseError> {
    let older = audit_records_after(connection, 0, i64::MAX)?;
    Ok(older
        .iter()
        .fold(GENESIS.to_owned(), |before, record| record.chained(&before)))
}
