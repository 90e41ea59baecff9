//! All withdrawals with their players, for administrators, and the decision on each.

use diesel::prelude::*;
use glasshouse_domain::{Timestamp, UserId, WithdrawalId, WithdrawalStatus};

use crate::admin::listing::{
    AdminList, Page, PageBounds, UserRef, UserRefRow, contains, limit, lower, number, pattern,
};
use crate::connection::{AnyConnection, locked};
use crate::engine::transaction::Transaction;
use crate::error::DatabaseError;
use crate::money::withdrawals::{Withdrawal, WithdrawalRow};
use crate::schema::{users, withdrawals};

diesel::alias!(const DECIDERS: Alias<Deciders> = users as deciders);

/// Selects withdrawals.
#[derive(Debug, Clone, Default)]
pub struct WithdrawalQuery {
    /// Only withdrawals with this status.
    pub status: Option<WithdrawalStatus>,
    /// Part of the player's name or of the address, or the withdrawal's or player's ID.
    pub search: Option<String>,
    /// Only withdrawals older than this one.
    pub before: Option<WithdrawalId>,
    /// The maximum number of withdrawals.
    pub limit: usize,
}

/// A withdrawal with its player and the administrator who decided on it.
#[derive(Debug, Clone)]
pub struct WithdrawalEntry {
    /// The withdrawal.
    pub withdrawal: Withdrawal,
    /// The player.
    pub player: UserRef,
    /// The administrator who decided on it.
    pub decided_by: Option<UserRef>,
}

type Row = (WithdrawalRow, UserRefRow, Option<UserRefRow>);

impl TryFrom<Row> for WithdrawalEntry {
    type Error = DatabaseError;

    fn try_from((withdrawal, player, decided_by): Row) -> Result<Self, DatabaseError> {
        Ok(Self {
            withdrawal: withdrawal.try_into()?,
            player: player.into(),
            decided_by: decided_by.map(UserRef::from),
        })
    }
}

/// The query for all entries of the list.
macro_rules! withdrawal_entries {
    () => {
        withdrawals::table
            .inner_join(users::table.on(users::id.eq(withdrawals::player_id)))
            .left_join(
                DECIDERS.on(DECIDERS
                    .field(users::id)
                    .nullable()
                    .eq(withdrawals::decided_by)),
            )
            .select((
                WithdrawalRow::as_select(),
                (users::id, users::username),
                DECIDERS.fields((users::id, users::username)).nullable(),
            ))
    };
}

impl AdminList for WithdrawalQuery {
    type Entry = WithdrawalEntry;
    type Place = WithdrawalId;

    fn bounds(&mut self) -> PageBounds<'_, WithdrawalId> {
        PageBounds {
            after: &mut self.before,
            limit: &mut self.limit,
        }
    }

    fn read(
        &self,
        connection: &mut AnyConnection,
    ) -> Result<Page<WithdrawalEntry, WithdrawalId>, DatabaseError> {
        let mut page = withdrawal_entries!()
            .filter(withdrawals::id.lt(self.before.map_or(i64::MAX, WithdrawalId::get)))
            .order(withdrawals::id.desc())
            .limit(limit(self.limit))
            .into_boxed();
        if let Some(status) = self.status {
            page = page.filter(withdrawals::status.eq(status.as_str()));
        }
        if let Some(search) = &self.search {
            let (pattern, number) = (pattern(search), number(search));
            page = page.filter(
                contains!(users::username_key, pattern.clone())
                    .or(withdrawals::id.eq(number))
                    .or(withdrawals::player_id.eq(number))
                    .or(contains!(lower(withdrawals::address.nullable()), pattern)),
            );
        }
        let rows: Vec<Row> = page.load(connection)?;
        Page::of(rows, self.limit, |entry: &WithdrawalEntry| {
            entry.withdrawal.id
        })
    }
}

/// Reads a withdrawal with its player.
///
/// # Errors
/// If the database fails.
pub fn withdrawal_entry(
    connection: &mut AnyConnection,
    id: WithdrawalId,
) -> Result<Option<WithdrawalEntry>, DatabaseError> {
    let row: Option<Row> = withdrawal_entries!()
        .filter(withdrawals::id.eq(id.get()))
        .first(connection)
        .optional()?;
    row.map(WithdrawalEntry::try_from).transpose()
}

impl Transaction<'_, '_> {
    /// Locks a withdrawal until the commit and reads it.
    ///
    /// # Errors
    /// If the database fails.
    pub fn lock_withdrawal(
        &mut self,
        id: WithdrawalId,
    ) -> Result<Option<Withdrawal>, DatabaseError> {
        self.execute(|connection| {
            let row = locked!(
                connection,
                withdrawals::table.find(id.get()),
                WithdrawalRow,
                for_update
            );
            row.map(Withdrawal::try_from).transpose()
        })
    }

    /// Records the decision on a pending withdrawal.
    ///
    /// # Errors
    /// If the database fails, or a decision was made before.
    pub fn decide_withdrawal(
        &mut self,
        id: WithdrawalId,
        status: WithdrawalStatus,
        reason: Option<&str>,
        administrator: UserId,
        at: Timestamp,
    ) -> Result<(), DatabaseError> {
        self.execute(|connection| {
            diesel::update(withdrawals::table.find(id.get()))
                .set((
                    withdrawals::status.eq(status.as_str()),
                    withdrawals::reason.eq(reason),
                    withdrawals::decided_by.eq(administrator.get()),
                    withdrawals::decided_at_micros.eq(at.as_micros()),
                ))
                .execute(connection)?;
            Ok(())
        })
    }
}
