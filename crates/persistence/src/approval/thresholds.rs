//! The versions of the approval thresholds.

use diesel::prelude::*;
use glasshouse_domain::{ApprovalThresholds, Money, Timestamp};

use crate::connection::AnyConnection;
use crate::engine::transaction::Transaction;
use crate::error::DatabaseError;
use crate::schema::approval_thresholds;

/// A version of the thresholds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ThresholdsVersion {
    /// The thresholds.
    pub thresholds: ApprovalThresholds,
    /// The audit record that introduced it; it is in force for later ones.
    pub audit_record: i64,
    /// When it was set; `None` for those of a new house.
    pub set_at: Option<Timestamp>,
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = approval_thresholds)]
pub(crate) struct ThresholdsRow {
    adjustment_cents: i64,
    confirmation_cents: i64,
    withdrawal_cents: i64,
    person_per_day_cents: i64,
    house_per_day_cents: i64,
    automatic_withdrawal_cents: i64,
    audit_record_id: i64,
    set_at_micros: Option<i64>,
}

impl From<ThresholdsRow> for ThresholdsVersion {
    fn from(row: ThresholdsRow) -> Self {
        Self {
            thresholds: ApprovalThresholds {
                adjustment: Money::from_cents(row.adjustment_cents),
                confirmation: Money::from_cents(row.confirmation_cents),
                withdrawal: Money::from_cents(row.withdrawal_cents),
                person_per_day: Money::from_cents(row.person_per_day_cents),
                house_per_day: Money::from_cents(row.house_per_day_cents),
                automatic_withdrawal: Money::from_cents(row.automatic_withdrawal_cents),
            },
            audit_record: row.audit_record_id,
            set_at: row.set_at_micros.map(Timestamp::from_micros),
        }
    }
}

/// The thresholds in force.
///
/// # Errors
/// If the database fails.
pub fn approval_thresholds(
    connection: &mut AnyConnection,
) -> Result<ThresholdsVersion, DatabaseError> {
    let row: ThresholdsRow = approval_thresholds::table
        .order(approval_thresholds::id.desc())
        .select(ThresholdsRow::as_select())
        .first(connection)?;
    Ok(row.into())
}

impl Transaction<'_, '_> {
    /// The thresholds in force.
    ///
    /// # Errors
    /// If the database fails.
    pub fn approval_thresholds(&mut self) -> Result<ThresholdsVersion, DatabaseError> {
        self.execute(approval_thresholds)
    }

    /// Sets new thresholds. To be called after their audit record was added.
    ///
    /// # Errors
    /// If the database fails.
    pub fn add_approval_thresholds(
        &mut self,
        new: &ApprovalThresholds,
        at: Timestamp,
    ) -> Result<(), DatabaseError> {
        let audit_record = self.last_audit_record_id()?;
        self.execute(|connection| {
            diesel::insert_into(approval_thresholds::table)
                .values((
                    approval_thresholds::adjustment_cents.eq(new.adjustment.cents()),
                    approval_thresholds::confirmation_cents.eq(new.confirmation.cents()),
                    approval_thresholds::withdrawal_cents.eq(new.withdrawal.cents()),
                    approval_thresholds::person_per_day_cents.eq(new.person_per_day.cents()),
                    approval_thresholds::house_per_day_cents.eq(new.house_per_day.cents()),
                    approval_thresholds::automatic_withdrawal_cents
                        .eq(new.automatic_withdrawal.cents()),
                    approval_thresholds::audit_record_id.eq(audit_record),
                    approval_thresholds::set_at_micros.eq(at.as_micros()),
                ))
                .execute(connection)?;
            Ok(())
        })
    }
}
