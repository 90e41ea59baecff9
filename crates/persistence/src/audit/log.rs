//! The audit log: what administrators and the operator did. Each record's hash covers those
//! before it and is made with a key that is not in the database; the end of the chain is kept apart,
//! with a seal of its own, so that a log that was cut short is found out, too.

use diesel::prelude::*;
use glasshouse_domain::{AuditAction, Timestamp, UserId};
use sha2::{Digest, Sha256};

use crate::audit::key::{AuditKey, AuditKeys};
use crate::connection::AnyConnection;
use crate::engine::transaction::Transaction;
use crate::error::DatabaseError;
use crate::schema::{audit_head, audit_log};

/// What the chain begins with.
const GENESIS: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// An act to be recorded.
#[derive(Debug, Clone)]
pub struct NewAuditRecord {
    /// Who did it; none for the operator at the command line.
    pub actor: Option<UserId>,
    /// What was done.
    pub action: AuditAction,
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
    /// What was done: the name of an [`AuditAction`].
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
    /// The key that the hash was made with; none for records from before there was one.
    pub key_id: Option<String>,
}

impl AuditRecord {
    /// The chain's hash up to this record, from the hash up to the one before: over that and each
    /// field with its length, so that no two records read alike. HMAC-SHA256 with the key that the
    /// record names, SHA-256 for records from before there was one.
    #[must_use]
    pub fn chained(&self, before: &str, key: Option<&AuditKey>) -> String {
        let covered = self.covered(before);
        match key {
            Some(key) => key.mac(&covered),
            None => hex::encode(Sha256::digest(&covered)),
        }
    }

    fn covered(&self, before: &str) -> Vec<u8> {
        let number = |value: Option<i64>| value.map(|value| value.to_string());
        let mut covered = Vec::new();
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
                None => covered.extend_from_slice(b"-;"),
                Some(text) => {
                    covered.extend_from_slice(format!("{};", text.len()).as_bytes());
                    covered.extend_from_slice(text.as_bytes());
                }
            }
        }
        covered
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
    /// The key of the last record and of the seal; none where the log never came under a key.
    pub key_id: Option<String>,
    /// A MAC over number and hash. Only who has the key can write it, so that no earlier end can be
    /// put here.
    pub seal: Option<String>,
}

impl AuditHead {
    /// The seal of this end.
    #[must_use]
    pub fn seal_with(&self, key: &AuditKey) -> String {
        let hash = self.hash.as_deref().unwrap_or(GENESIS);
        key.mac(format!("audit head;{};{hash}", self.records).as_bytes())
    }

    /// Whether the seal is that of this end.
    #[must_use]
    pub fn is_sealed(&self, keys: &AuditKeys) -> bool {
        let key = self.key_id.as_ref().and_then(|id| keys.find(id));
        key.is_some_and(|key| self.seal.as_deref() == Some(&self.seal_with(key)))
    }
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
        let keys = self.audit_keys();
        self.execute(|connection| append(connection, &keys, record))
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

/// Adds a record at the end of the chain. An end whose seal was broken stays without one: what was
/// done to it must not be covered up by the next act.
pub(crate) fn append(
    connection: &mut AnyConnection,
    keys: &AuditKeys,
    record: &NewAuditRecord,
) -> Result<(), DatabaseError> {
    let head = lock_head(connection)?;
    let is_sealed = head.is_sealed(keys);
    if !is_sealed {
        tracing::error!("the audit log's end carries no seal of ours: run `glasshouse check`");
    }
    let is_other_key = head
        .key_id
        .as_ref()
        .is_some_and(|id| id != keys.current().id());
    let head = if is_other_key {
        let change = key_changed(&head, keys, record.at);
        write(connection, keys.current(), &change, (head, is_sealed))?
    } else {
        head
    };
    write(connection, keys.current(), record, (head, is_sealed)).map(drop)
}

/// Writes a record behind `head`, which is locked, and returns the new end.
fn write(
    connection: &mut AnyConnection,
    key: &AuditKey,
    record: &NewAuditRecord,
    (head, is_sealed): (AuditHead, bool),
) -> Result<AuditHead, DatabaseError> {
    let before = match head.hash {
        Some(hash) => hash,
        None => hash_of_older(connection)?,
    };
    let record = AuditRecord {
        id: 0,
        actor_id: record.actor.map(UserId::get),
        action: record.action.as_str().to_owned(),
        target_user_id: record.target.map(UserId::get),
        subject: record.subject.clone(),
        old_value: record.old_value.clone(),
        new_value: record.new_value.clone(),
        address: record.address.clone(),
        idempotency_key: record.idempotency_key.clone(),
        created_at_micros: record.at.as_micros(),
        hash: None,
        key_id: Some(key.id().to_owned()),
    };
    let hash = record.chained(&before, Some(key));
    diesel::insert_into(audit_log::table)
        .values((
            audit_log::actor_id.eq(record.actor_id),
            audit_log::action.eq(record.action.as_str()),
            audit_log::target_user_id.eq(record.target_user_id),
            audit_log::subject.eq(record.subject),
            audit_log::old_value.eq(record.old_value),
            audit_log::new_value.eq(record.new_value),
            audit_log::address.eq(record.address),
            audit_log::idempotency_key.eq(record.idempotency_key),
            audit_log::created_at_micros.eq(record.created_at_micros),
            audit_log::hash.eq(&hash),
            audit_log::key_id.eq(record.key_id),
        ))
        .execute(connection)?;
    let mut end = AuditHead {
        records: head.records + 1,
        hash: Some(hash),
        key_id: Some(key.id().to_owned()),
        seal: None,
    };
    end.seal = is_sealed.then(|| end.seal_with(key));
    diesel::update(audit_head::table.find(1))
        .set((
            audit_head::records.eq(end.records),
            audit_head::hash.eq(&end.hash),
            audit_head::key_id.eq(&end.key_id),
            audit_head::seal.eq(&end.seal),
        ))
        .execute(connection)?;
    Ok(end)
}

/// Nobody else adds a record until the commit. On SQLite the transaction already holds the only
/// write lock.
pub(crate) fn lock_head(connection: &mut AnyConnection) -> Result<AuditHead, DatabaseError> {
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
    Ok(older.iter().fold(GENESIS.to_owned(), |before, record| {
        record.chained(&before, None)
    }))
}

/// The record that stands before the first one with another key.
fn key_changed(head: &AuditHead, keys: &AuditKeys, at: Timestamp) -> NewAuditRecord {
    NewAuditRecord {
        old_value: head.key_id.as_ref().map(|id| format!("key {id}")),
        new_value: Some(format!("key {}", keys.current().id())),
        ..nobody_did(AuditAction::AuditKeyChanged, at)
    }
}

/// A record of what the program itself did.
pub(crate) fn nobody_did(action: AuditAction, at: Timestamp) -> NewAuditRecord {
    NewAuditRecord {
        actor: None,
        action,
        target: None,
        subject: None,
        old_value: None,
        new_value: None,
        address: None,
        idempotency_key: None,
        at,
    }
}
