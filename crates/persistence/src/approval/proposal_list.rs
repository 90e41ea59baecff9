//! The list of proposals.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};
use glasshouse_domain::{ProposalId, ProposalState, Timestamp};

use crate::admin::listing::{AdminList, PageBounds, UserRef, UserRefRow, limit};
use crate::approval::proposals::{Proposal, ProposalRow};
use crate::connection::AnyConnection;
use crate::error::DatabaseError;
use crate::page::Page;
use crate::schema::{proposals, users};

diesel::alias! {
    const PROPOSERS: Alias<Proposers> = users as proposers;
    const DECIDERS: Alias<Deciders> = users as deciders;
}

/// Selects proposals.
#[derive(Debug, Clone)]
pub struct ProposalQuery {
    /// Only proposals in this state.
    pub state: ProposalState,
    /// The time that decides which ones have expired.
    pub at: Timestamp,
    /// Only proposals older than this one.
    pub before: Option<ProposalId>,
    /// The maximum number of proposals.
    pub limit: usize,
}

/// A proposal with the names of those concerned.
#[derive(Debug, Clone)]
pub struct ProposalEntry {
    /// The proposal.
    pub proposal: Proposal,
    /// The user whom it concerns; `None` if it concerns the house.
    pub user: Option<UserRef>,
    /// Who proposed it.
    pub proposed_by: UserRef,
    /// Who decided on it.
    pub decided_by: Option<UserRef>,
}

type Row = (
    ProposalRow,
    Option<UserRefRow>,
    UserRefRow,
    Option<UserRefRow>,
);

impl TryFrom<Row> for ProposalEntry {
    type Error = DatabaseError;

    fn try_from((row, user, proposed_by, decided_by): Row) -> Result<Self, DatabaseError> {
        Ok(Self {
            proposal: row.try_into()?,
            user: user.map(UserRef::from),
            proposed_by: proposed_by.into(),
            decided_by: decided_by.map(UserRef::from),
        })
    }
}

/// The query for all entries of the list.
macro_rules! proposal_entries {
    () => {
        proposals::table
            .left_join(users::table.on(users::id.nullable().eq(proposals::user_id)))
            .inner_join(PROPOSERS.on(PROPOSERS.field(users::id).eq(proposals::proposed_by)))
            .left_join(
                DECIDERS.on(DECIDERS
                    .field(users::id)
                    .nullable()
                    .eq(proposals::decided_by)),
            )
            .select((
                ProposalRow::as_select(),
                (users::id, users::username).nullable(),
                PROPOSERS.fields((users::id, users::username)),
                DECIDERS.fields((users::id, users::username)).nullable(),
            ))
    };
}

impl AdminList for ProposalQuery {
    type Entry = ProposalEntry;
    type Place = ProposalId;

    fn bounds(&mut self) -> PageBounds<'_, ProposalId> {
        PageBounds {
            after: &mut self.before,
            limit: &mut self.limit,
        }
    }

    fn read(
        &self,
        connection: &mut AnyConnection,
    ) -> Result<Page<ProposalEntry, ProposalId>, DatabaseError> {
        let stored = match self.state {
            ProposalState::Expired => ProposalState::Open,
            state => state,
        };
        let mut page = proposal_entries!()
            .filter(proposals::state.eq(stored.as_str()))
            .filter(proposals::id.lt(self.before.map_or(i64::MAX, ProposalId::get)))
            .order(proposals::id.desc())
            .limit(limit(self.limit))
            .into_boxed();
        let now = self.at.as_micros();
        match self.state {
            ProposalState::Open => page = page.filter(proposals::expires_at_micros.gt(now)),
            ProposalState::Expired => page = page.filter(proposals::expires_at_micros.le(now)),
            _ => {}
        }
        let rows: Vec<Row> = page.load(connection)?;
        Page::of(rows, self.limit, |entry: &ProposalEntry| entry.proposal.id)
    }
}

/// Reads a proposal with the names of those concerned.
///
/// # Errors
/// If the database fails.
pub fn proposal_entry(
    connection: &mut AnyConnection,
    id: ProposalId,
) -> Result<Option<ProposalEntry>, DatabaseError> {
    let row: Option<Row> = proposal_entries!()
        .filter(proposals::id.eq(id.get()))
        .first(connection)
        .optional()?;
    row.map(ProposalEntry::try_from).transpose()
}

#[derive(QueryableByName)]
struct IdRow {
    #[diesel(sql_type = BigInt)]
    id: i64,
}

/// Reads the proposals whose acts begin so in their text form, oldest first. An amount must follow
/// `beginning`.
///
/// # Errors
/// If the database fails.
pub(crate) fn proposals_beginning_with(
    connection: &mut AnyConnection,
    beginning: &str,
) -> Result<Vec<ProposalEntry>, DatabaseError> {
    // The order of the bytes, in which all texts with a beginning follow each other. PostgreSQL's index is used only by
    // those who name its condition.
    let (bytes, indexed) = match connection {
        AnyConnection::Sqlite(_) => ("BINARY", ""),
        AnyConnection::Postgres(_) => ("\"C\"", "AND id > 0"),
    };
    let found: Vec<IdRow> = diesel::sql_query(format!(
        "SELECT id FROM proposals
         WHERE act COLLATE {bytes} >= $1 AND act COLLATE {bytes} < $2 {indexed}"
    ))
    .bind::<Text, _>(beginning)
    // It sorts after every digit of the amount.
    .bind::<Text, _>(format!("{beginning}~"))
    .load(connection)?;
    if found.is_empty() {
        return Ok(Vec::new());
    }
    let rows: Vec<Row> = proposal_entries!()
        .filter(proposals::id.eq_any(found.into_iter().map(|row| row.id)))
        .order(proposals::id)
        .load(connection)?;
    rows.into_iter().map(ProposalEntry::try_from).collect()
}

/// The number of proposals that can be approved.
///
/// # Errors
/// If the database fails.
pub fn open_proposals(connection: &mut AnyConnection, at: Timestamp) -> Result<i64, DatabaseError> {
    Ok(proposals::table
        .filter(proposals::state.eq(ProposalState::Open.as_str()))
        .filter(proposals::expires_at_micros.gt(at.as_micros()))
        .count()
        .get_result(connection)?)
}
