//! Introduces the audit log's first key: at the first start of a new database, or in the
//! transaction of the migration that added the key's columns.

use diesel::prelude::*;
use glasshouse_domain::{AuditAction, Timestamp, UserId};

use crate::audit::key::AuditKeys;
use crate::audit::log::{NewAuditRecord, append, lock_head, system_record};
use crate::connection::AnyConnection;
use crate::error::DatabaseError;
use crate::house_clock::machine_now;
use crate::money::withdrawals::{Withdrawal, WithdrawalRow};
use crate::schema::{audit_head, audit_log, withdrawals};

/// Seals the log with the key, in one transaction with the migration that added the key's columns.
/// A record marks where the sealed part begins, and the details that earlier records of withdrawals
/// lack are recorded. In a new database the log is empty and only its end is sealed.
pub(crate) fn introduce_key(
    connection: &mut AnyConnection,
    keys: &AuditKeys,
) -> Result<(), DatabaseError> {
    let head = lock_head(connection)?;
    let key = keys.current();
    diesel::update(audit_head::table.find(1))
        .set((
            audit_head::key_id.eq(key.id()),
            audit_head::seal.eq(head.seal_with(key)),
        ))
        .execute(connection)?;
    let older: i64 = audit_log::table.count().get_result(connection)?;
    if older == 0 {
        return Ok(());
    }
    let at = machine_now(connection)?;
    append(
        connection,
        keys,
        &NewAuditRecord {
            old_value: Some(format!("{older} records without a key")),
            new_value: Some(format!("key {}", key.id())),
            ..system_record(AuditAction::AuditKeyIntroduced, at)
        },
    )?;
    record_withdrawal_details(connection, keys, at)
}

/// Records the details of earlier decisions on withdrawals, whose records lack amount and address.
fn record_withdrawal_details(
    connection: &mut AnyConnection,
    keys: &AuditKeys,
    at: Timestamp,
) -> Result<(), DatabaseError> {
    let rows: Vec<WithdrawalRow> = withdrawals::table
        .filter(withdrawals::decided_by.is_not_null())
        .order(withdrawals::id)
        .select(WithdrawalRow::as_select())
        .load(connection)?;
    for row in rows {
        let withdrawal = Withdrawal::try_from(row)?;
        let record = NewAuditRecord {
            target: Some(UserId::new(withdrawal.player.get())),
            subject: Some(withdrawal.subject()),
            new_value: Some(
                withdrawal.decision_text(withdrawal.status, withdrawal.reason.as_deref()),
            ),
            ..system_record(AuditAction::WithdrawalRestated, at)
        };
        append(connection, keys, &record)?;
    }
    Ok(())
}
