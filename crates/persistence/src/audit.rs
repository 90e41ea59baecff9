//! The audit log: what administrators and the operator did.

use diesel::prelude::*;
use glasshouse_domain::{Timestamp, UserId};

use crate::error::DatabaseError;
use crate::schema::audit_log;
use crate::transaction::Transaction;

/// An act to be recorded.
#[derive(Debug, Clone)]
pub struct NewAuditRecord {
    /// Who did it; none for the operator at the command line.
    pub actor: Option<UserId>,
    /// What was done, in underscored words.
    pub action: &'static str,
    /// To whom.
    pub target: Option<UserId>,
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
    /// What was done, in underscored words.
    pub action: String,
    /// To whom.
    pub target_user_id: Option<i64>,
    /// What was there before.
    pub old_value: Option<String>,
    /// What was put there.
    pub new_value: Option<String>,
}

impl Transaction<'_, '_> {
    /// Adds to the audit log.
    ///
    /// # Errors
    /// If the database fails.
    pub fn add_audit_record(&mut self, record: &NewAuditRecord) -> Result<(), DatabaseError> {
        self.execute(|connection| {
            diesel::insert_into(audit_log::table)
                .values((
                    audit_log::actor_id.eq(record.actor.map(UserId::get)),
                    audit_log::action.eq(record.action),
                    audit_log::target_user_id.eq(record.target.map(UserId::get)),
                    audit_log::old_value.eq(&record.old_value),
                    audit_log::new_value.eq(&record.new_value),
                    audit_log::address.eq(&record.address),
                    audit_log::idempotency_key.eq(&record.idempotency_key),
                    audit_log::created_at_micros.eq(record.at.as_micros()),
                ))
                .execute(connection)?;
            Ok(())
        })
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
