//! The audit log of what administrators and the operator did. Each record's hash covers all earlier
//! records and is made with a key that is not in the database. The end of the chain is stored
//! separately with its own seal, so that truncating the log is detected.

use diesel::prelude::*;
use glasshouse_domain::{AuditAction, AuditSubject, Timestamp, UserId};
use sha2::{Digest, Sha256};

use crate::audit::key::AuditKeys;
use crate::connection::AnyConnection;
use crate::engine::transaction::Transaction;
use crate::error::DatabaseError;
use crate::keys::SecretKey;
use crate::schema::{audit_head, audit_log};

/// The hash that precedes the first record.
const GENESIS: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// A record to be added to the audit log.
#[derive(Debug, Clone)]
pub struct NewAuditRecord {
    /// The user who acted; `None` for the operator at the command line.
    pub actor: Option<UserId>,
    /// The action.
    pub action: AuditAction,
    /// The user affected.
    pub target: Option<UserId>,
    /// The object affected, if it is not the user as such.
    pub subject: Option<AuditSubject>,
    /// The value before the change.
    pub old_value: Option<String>,
    /// The value after the change.
    pub new_value: Option<String>,
    /// The client's network address.
    pub address: Option<String>,
    /// The idempotency key of the call.
    pub idempotency_key: Option<String>,
    /// The time of the action.
    pub at: Timestamp,
}

/// A record of the audit log.
#[derive(Debug, Clone, Queryable, Selectable)]
#[diesel(table_name = audit_log)]
pub struct AuditRecord {
    /// The record's ID.
    pub id: i64,
    /// The user who acted; `None` for the operator at the command line.
    pub actor_id: Option<i64>,
    /// The name of an [`AuditAction`].
    pub action: String,
    /// The user affected.
    pub target_user_id: Option<i64>,
    /// The stored form of the [`AuditSubject`].
    pub subject: Option<String>,
    /// The value before the change.
    pub old_value: Option<String>,
    /// The value after the change.
    pub new_value: Option<String>,
    /// The client's network address.
    pub address: Option<String>,
    /// The idempotency key of the call.
    pub idempotency_key: Option<String>,
    /// The time of the action, in microseconds since the Unix epoch.
    pub created_at_micros: i64,
    /// The chain's hash up to this record; `None` for records that predate the chain.
    pub hash: Option<String>,
    /// The ID of the key that the hash was made with; `None` for records that predate the keys.
    pub key_id: Option<String>,
}

impl AuditRecord {
    /// The object affected; `None` if there is none, or if it cannot be parsed.
    #[must_use]
    pub fn subject(&self) -> Option<AuditSubject> {
        AuditSubject::parse(self.subject.as_deref()?)
    }

    /// Computes the chain's hash up to this record from the hash up to the previous one. It covers
    /// that hash and each field with its length, so that no two records are encoded alike. It is an
    /// HMAC-SHA256 with the key that the record names, or SHA-256 for records that predate the
    /// keys.
    #[must_use]
    pub fn chained(&self, previous: &str, key: Option<&SecretKey>) -> String {
        let encoded = self.encoded(previous);
        match key {
            Some(key) => hex::encode(key.mac(&[&encoded])),
            None => hex::encode(Sha256::digest(&encoded)),
        }
    }

    fn encoded(&self, previous: &str) -> Vec<u8> {
        let number = |value: Option<i64>| value.map(|value| value.to_string());
        let mut encoded = Vec::new();
        let fields = [
            Some(previous.to_owned()),
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
                // Distinct from every encoded length.
                None => encoded.extend_from_slice(b"-;"),
                Some(text) => {
                    encoded.extend_from_slice(format!("{};", text.len()).as_bytes());
                    encoded.extend_from_slice(text.as_bytes());
                }
            }
        }
        encoded
    }

    /// The hash that precedes the first record.
    #[must_use]
    pub const fn genesis() -> &'static str {
        GENESIS
    }
}

/// The end of the chain, stored separately from the records.
#[derive(Debug, Clone, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = audit_head)]
pub struct AuditHead {
    /// The number of records covered.
    pub records: i64,
    /// The hash up to the last record; `None` before the first.
    pub hash: Option<String>,
    /// The ID of the key used for the last record and the seal; `None` if the log never had a key.
    pub key_id: Option<String>,
    /// A MAC over number and hash. It cannot be forged without the key, so an earlier end cannot be
    /// put in place of this one.
    pub seal: Option<String>,
}

impl AuditHead {
    /// Computes the seal of this end.
    #[must_use]
    pub fn seal_with(&self, key: &SecretKey) -> String {
        let hash = self.hash.as_deref().unwrap_or(GENESIS);
        let text = format!("audit head;{};{hash}", self.records);
        hex::encode(key.mac(&[text.as_bytes()]))
    }

    /// Whether the stored seal is valid for this end.
    #[must_use]
    pub fn is_sealed(&self, keys: &AuditKeys) -> bool {
        let key = self.key_id.as_ref().and_then(|id| keys.find(id));
        key.is_some_and(|key| self.seal.as_deref() == Some(&self.seal_with(key)))
    }
}

/// Reads the end of the chain.
///
/// # Errors
/// If the database fails.
pub fn audit_head(connection: &mut AnyConnection) -> Result<AuditHead, DatabaseError> {
    Ok(audit_head::table
        .find(1)
        .select(AuditHead::as_select())
        .first(connection)?)
}

/// Reads the next records in ascending order of IDs.
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
    /// Appends a record to the audit log.
    ///
    /// # Errors
    /// If the database fails.
    pub fn add_audit_record(&mut self, record: &NewAuditRecord) -> Result<(), DatabaseError> {
        let keys = self.keys();
        self.execute(|connection| append(connection, &keys.audit, record))
    }

    /// The ID of the last record, which is the one that this transaction has added last, if it has added
    /// one.
    ///
    /// # Errors
    /// If the database fails, or if there is no record.
    pub(crate) fn last_audit_record_id(&mut self) -> Result<i64, DatabaseError> {
        self.execute(|connection| {
            Ok(audit_log::table
                .order(audit_log::id.desc())
                .select(audit_log::id)
                .first(connection)?)
        })
    }

    /// Locks the audit log against additions until the commit.
    ///
    /// # Errors
    /// If the database fails.
    pub fn lock_audit_log(&mut self) -> Result<(), DatabaseError> {
        self.execute(|connection| lock_head(connection).map(drop))
    }

    /// The actor's record that was added by a call with this idempotency key.
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

/// Appends a record to the chain. An end whose seal is invalid stays unsealed, because the next
/// record must not cover up a manipulation.
pub(crate) fn append(
    connection: &mut AnyConnection,
    keys: &AuditKeys,
    record: &NewAuditRecord,
) -> Result<(), DatabaseError> {
    let head = lock_head(connection)?;
    let is_sealed = head.is_sealed(keys);
    if !is_sealed {
        tracing::error!("the end of the audit log has no valid seal; run `glasshouse check`");
    }
    let is_new_key = head
        .key_id
        .as_ref()
        .is_some_and(|id| id != keys.current().id());
    let head = if is_new_key {
        let change = key_changed(&head, keys, record.at);
        write(connection, keys.current(), &change, (head, is_sealed))?
    } else {
        head
    };
    write(connection, keys.current(), record, (head, is_sealed)).map(drop)
}

/// Writes a record after `head`, which is locked, and returns the new end.
fn write(
    connection: &mut AnyConnection,
    key: &SecretKey,
    record: &NewAuditRecord,
    (head, is_sealed): (AuditHead, bool),
) -> Result<AuditHead, DatabaseError> {
    let previous = match head.hash {
        Some(hash) => hash,
        None => hash_of_unchained_records(connection)?,
    };
    let record = AuditRecord {
        id: 0,
        actor_id: record.actor.map(UserId::get),
        action: record.action.as_str().to_owned(),
        target_user_id: record.target.map(UserId::get),
        subject: record.subject.as_ref().map(AuditSubject::to_string),
        old_value: record.old_value.clone(),
        new_value: record.new_value.clone(),
        address: record.address.clone(),
        idempotency_key: record.idempotency_key.clone(),
        created_at_micros: record.at.as_micros(),
        hash: None,
        key_id: Some(key.id().to_owned()),
    };
    let hash = record.chained(&previous, Some(key));
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

/// Locks the end of the chain until the commit. On SQLite the transaction already holds the only
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

/// The hash over the records that predate the chain.
fn hash_of_unchained_records(connection: &mut AnyConnection) -> Result<String, DatabaseError> {
    let older = audit_records_after(connection, 0, i64::MAX)?;
    Ok(older.iter().fold(GENESIS.to_owned(), |previous, record| {
        record.chained(&previous, None)
    }))
}

/// The record that precedes the first one with a new key.
fn key_changed(head: &AuditHead, keys: &AuditKeys, at: Timestamp) -> NewAuditRecord {
    NewAuditRecord {
        old_value: head.key_id.as_ref().map(|id| format!("key {id}")),
        new_value: Some(format!("key {}", keys.current().id())),
        ..system_record(AuditAction::AuditKeyChanged, at)
    }
}

/// A record of an action of the program itself.
pub(crate) fn system_record(action: AuditAction, at: Timestamp) -> NewAuditRecord {
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
