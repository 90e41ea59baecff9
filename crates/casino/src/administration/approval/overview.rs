//! What the panel shows of dual control.

use glasshouse_domain::{MovedToday, Permission, ProposalId, ProposalState, Role, UserId};
use glasshouse_persistence::approval::{ProposalEntry, ProposalQuery, ThresholdsVersion};
use glasshouse_persistence::{Page, queries};

use crate::administration::lists::{list, read_entry};
use crate::error::CasinoError;
use crate::house::House;

/// The state of dual control, as one administrator sees it.
#[derive(Debug, Clone)]
pub struct ApprovalOverview {
    /// The thresholds in force.
    pub thresholds: ThresholdsVersion,
    /// What was moved today by persons who acted alone.
    pub today: MovedToday,
    /// The number of proposals that wait for a decision.
    pub open_proposals: i64,
    viewer: UserId,
    administrators: Vec<(UserId, Role)>,
}

impl ApprovalOverview {
    /// Whether somebody else could approve what needs this permission.
    #[must_use]
    pub fn has_second_person(&self, permission: Permission) -> bool {
        self.administrators
            .iter()
            .any(|(id, role)| *id != self.viewer && role.may_approve(permission))
    }
}

/// Reads the state of dual control.
///
/// # Errors
/// On a fault.
pub async fn approval_overview(
    house: &House,
    viewer: UserId,
) -> Result<ApprovalOverview, CasinoError> {
    let at = house.now();
    house
        .database
        .read::<_, CasinoError, _>(move |connection| {
            Ok(ApprovalOverview {
                thresholds: queries::approval_thresholds(connection)?,
                today: queries::moved_today(connection, viewer, at)?,
                open_proposals: queries::open_proposals(connection, at)?,
                administrators: queries::administrators(connection)?,
                viewer,
            })
        })
        .await
}

/// Reads a page of the proposals in a state, newest first.
///
/// # Errors
/// On a fault.
pub async fn proposals(
    house: &House,
    state: ProposalState,
    (before, limit): (Option<ProposalId>, usize),
) -> Result<Page<ProposalEntry, ProposalId>, CasinoError> {
    let query = ProposalQuery {
        state,
        at: house.now(),
        before,
        limit,
    };
    list(house, query).await
}

/// Reads a proposal.
///
/// # Errors
/// [`crate::Refusal::NotFound`], or a fault.
pub async fn find_proposal(house: &House, id: ProposalId) -> Result<ProposalEntry, CasinoError> {
    read_entry(house, move |connection| {
        queries::proposal_entry(connection, id)
    })
    .await
}
