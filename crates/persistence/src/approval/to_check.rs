//! What the check of the books reads of dual control.

use diesel::prelude::*;

use crate::approval::proposals::{Proposal, ProposalRow};
use crate::approval::thresholds::{ThresholdsRow, ThresholdsVersion};
use crate::connection::AnyConnection;
use crate::error::DatabaseError;
use crate::schema::{approval_thresholds, money_acts, proposals};

/// All rows of dual control.
#[derive(Debug, Clone)]
pub struct ApprovalRows {
    /// The versions of the thresholds, oldest first.
    pub thresholds: Vec<ThresholdsVersion>,
    /// The proposals, oldest first.
    pub proposals: Vec<Proposal>,
    /// The acts that move money, oldest first.
    pub acts: Vec<MoneyActRow>,
}

/// A recorded act that moves money.
#[derive(Debug, Clone, Queryable, Selectable)]
#[diesel(table_name = money_acts)]
pub struct MoneyActRow {
    /// The audit record that describes it.
    pub audit_record_id: i64,
    /// The day, counted since 1970-01-01.
    pub day: i64,
    /// Who acted.
    pub administrator_id: i64,
    /// Whose account it concerns.
    pub player_id: i64,
    /// The name of a `MoneyActKind`.
    pub kind: String,
    /// The amount; negative if it was taken from a balance.
    pub amount_cents: i64,
    /// The proposal; `None` if one person acted alone.
    pub proposal_id: Option<i64>,
}

/// Reads all rows of dual control.
///
/// # Errors
/// If the database fails.
pub(crate) fn approval_rows(connection: &mut AnyConnection) -> Result<ApprovalRows, DatabaseError> {
    let thresholds: Vec<ThresholdsRow> = approval_thresholds::table
        .order(approval_thresholds::id)
        .select(ThresholdsRow::as_select())
        .load(connection)?;
    let rows: Vec<ProposalRow> = proposals::table
        .order(proposals::id)
        .select(ProposalRow::as_select())
        .load(connection)?;
    Ok(ApprovalRows {
        thresholds: thresholds
            .into_iter()
            .map(ThresholdsVersion::from)
            .collect(),
        proposals: rows
            .into_iter()
            .map(Proposal::try_from)
            .collect::<Result<_, _>>()?,
        acts: money_acts::table
            .order(money_acts::audit_record_id)
            .select(MoneyActRow::as_select())
            .load(connection)?,
    })
}
