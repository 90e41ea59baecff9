//! Proposals: what one administrator proposes and another decides on.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable, Text};
use glasshouse_domain::{
    PROPOSAL_LIFETIME, ProposalId, ProposalState, ProposedAct, Timestamp, UserId,
};

use crate::accounts::users::NewId;
use crate::connection::{AnyConnection, locked};
use crate::engine::transaction::Transaction;
use crate::error::DatabaseError;
use crate::schema::proposals;

/// A proposal to be added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewProposal {
    /// What is proposed.
    pub act: ProposedAct,
    /// The user whom it concerns; `None` if it concerns the house.
    pub user: Option<UserId>,
    /// Why it is proposed.
    pub reason: Option<String>,
    /// Why it needs a second person.
    pub cause: String,
    /// Who proposes it.
    pub proposed_by: UserId,
    /// When.
    pub at: Timestamp,
}

/// A stored proposal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    /// The proposal's ID.
    pub id: ProposalId,
    /// What is proposed.
    pub act: ProposedAct,
    /// The user whom it concerns; `None` if it concerns the house.
    pub user: Option<UserId>,
    /// Why it was proposed.
    pub reason: Option<String>,
    /// Why it needs a second person.
    pub cause: String,
    /// Who proposed it.
    pub proposed_by: UserId,
    /// When.
    pub proposed_at: Timestamp,
    /// Until when it can be approved.
    pub expires_at: Timestamp,
    /// The state as stored; see [`ProposalState::at`].
    pub stored_state: ProposalState,
    /// Who decided on it.
    pub decided_by: Option<UserId>,
    /// When.
    pub decided_at: Option<Timestamp>,
    /// Why it was refused.
    pub decision_reason: Option<String>,
}

impl Proposal {
    /// Whether it concerns this user and was made for this reason.
    #[must_use]
    pub fn is_for(&self, user: Option<UserId>, reason: Option<&str>) -> bool {
        self.user == user && self.reason.as_deref() == reason
    }
}

/// A decision on a proposal.
#[derive(Debug, Clone, Copy)]
pub struct ProposalDecision<'a> {
    /// The new state.
    pub state: ProposalState,
    /// Who decides.
    pub by: UserId,
    /// Why it is refused.
    pub reason: Option<&'a str>,
    /// When.
    pub at: Timestamp,
}

#[derive(Debug, Queryable, Selectable)]
#[diesel(table_name = proposals)]
pub(crate) struct ProposalRow {
    id: i64,
    act: String,
    user_id: Option<i64>,
    reason: Option<String>,
    cause: String,
    proposed_by: i64,
    proposed_at_micros: i64,
    expires_at_micros: i64,
    state: String,
    decided_by: Option<i64>,
    decided_at_micros: Option<i64>,
    decision_reason: Option<String>,
}

impl TryFrom<ProposalRow> for Proposal {
    type Error = DatabaseError;

    fn try_from(row: ProposalRow) -> Result<Self, DatabaseError> {
        let corrupt =
            |what: &str| DatabaseError::corrupt(format!("proposal {}: unknown {what}", row.id));
        Ok(Self {
            id: ProposalId::new(row.id),
            act: ProposedAct::parse(&row.act).ok_or_else(|| corrupt("act"))?,
            stored_state: ProposalState::parse(&row.state).ok_or_else(|| corrupt("state"))?,
            user: row.user_id.map(UserId::new),
            reason: row.reason,
            cause: row.cause,
            proposed_by: UserId::new(row.proposed_by),
            proposed_at: Timestamp::from_micros(row.proposed_at_micros),
            expires_at: Timestamp::from_micros(row.expires_at_micros),
            decided_by: row.decided_by.map(UserId::new),
            decided_at: row.decided_at_micros.map(Timestamp::from_micros),
            decision_reason: row.decision_reason,
        })
    }
}

/// Reads a proposal.
///
/// # Errors
/// If the database fails.
pub fn proposal(
    connection: &mut AnyConnection,
    id: ProposalId,
) -> Result<Option<Proposal>, DatabaseError> {
    let row: Option<ProposalRow> = proposals::table
        .find(id.get())
        .select(ProposalRow::as_select())
        .first(connection)
        .optional()?;
    row.map(Proposal::try_from).transpose()
}

impl Transaction<'_, '_> {
    /// Adds a proposal.
    ///
    /// # Errors
    /// If the database fails.
    pub fn add_proposal(&mut self, new: &NewProposal) -> Result<ProposalId, DatabaseError> {
        let expires_at = new.at.saturating_add(PROPOSAL_LIFETIME);
        let inserted: NewId = self.execute(|connection| {
            Ok(diesel::sql_query(
                "INSERT INTO proposals (kind, act, user_id, reason, cause, proposed_by,
                    proposed_at_micros, expires_at_micros)
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING id",
            )
            .bind::<Text, _>(new.act.kind().as_str())
            .bind::<Text, _>(new.act.to_string())
            .bind::<Nullable<BigInt>, _>(new.user.map(UserId::get))
            .bind::<Nullable<Text>, _>(&new.reason)
            .bind::<Text, _>(&new.cause)
            .bind::<BigInt, _>(new.proposed_by.get())
            .bind::<BigInt, _>(new.at.as_micros())
            .bind::<BigInt, _>(expires_at.as_micros())
            .get_result(connection)?)
        })?;
        Ok(ProposalId::new(inserted.id))
    }

    /// Reads a proposal.
    ///
    /// # Errors
    /// If the database fails.
    pub fn proposal(&mut self, id: ProposalId) -> Result<Option<Proposal>, DatabaseError> {
        self.execute(|connection| proposal(connection, id))
    }

    /// Locks and reads a proposal.
    ///
    /// # Errors
    /// If the database fails.
    pub fn lock_proposal(&mut self, id: ProposalId) -> Result<Option<Proposal>, DatabaseError> {
        self.execute(|connection| {
            let found = proposals::table.find(id.get());
            let row: Option<ProposalRow> = locked!(connection, found, ProposalRow, for_update);
            row.map(Proposal::try_from).transpose()
        })
    }

    /// Whether the same act for the same user is proposed and can still be approved.
    ///
    /// # Errors
    /// If the database fails.
    pub fn is_proposed(
        &mut self,
        act: &ProposedAct,
        user: Option<UserId>,
        at: Timestamp,
    ) -> Result<bool, DatabaseError> {
        self.execute(|connection| {
            let found: Vec<Option<i64>> = proposals::table
                .filter(proposals::state.eq(ProposalState::Open.as_str()))
                .filter(proposals::expires_at_micros.gt(at.as_micros()))
                .filter(proposals::act.eq(act.to_string()))
                .select(proposals::user_id)
                .load(connection)?;
            Ok(found.contains(&user.map(UserId::get)))
        })
    }

    /// Records a decision on an open proposal.
    ///
    /// # Errors
    /// If the database fails, or refuses the decision.
    pub fn decide_proposal(
        &mut self,
        id: ProposalId,
        decision: ProposalDecision<'_>,
    ) -> Result<(), DatabaseError> {
        self.execute(|connection| {
            diesel::update(proposals::table.find(id.get()))
                .set((
                    proposals::state.eq(decision.state.as_str()),
                    proposals::decided_by.eq(decision.by.get()),
                    proposals::decided_at_micros.eq(decision.at.as_micros()),
                    proposals::decision_reason.eq(decision.reason),
                ))
                .execute(connection)?;
            Ok(())
        })
    }
}
