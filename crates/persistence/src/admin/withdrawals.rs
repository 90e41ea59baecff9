//! All withdrawals with their players, for administrators, and the one decision on each.

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

/// Which withdrawals.
#[derive(Debug, Clone, Default)]
pub struct WithdrawalQuery {
    /// Only those that stand there.
    pub status: Option<WithdrawalStatus>,
    /// A part of the player's name or of the address, or the number.
    pub search: Option<String>,
    /// Those older than this one.
    pub before: Option<WithdrawalId>,
    /// How many at the most.
    pub limit: usize,
}

/// A withdrawal, its player, and who decided on it.
#[derive(Debug, Clone)]
pub struct WithdrawalEntry {
    /// The withdrawal.
    pub withdrawal: Withdrawal,
    /// Whose.
    pub player: UserRef,
    /// Who decided on it.
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

/// All withdrawals as rows of the list.
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

/// One withdrawal with its player.
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
    /// Locks and reads a withdrawal until the commit.
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

    /// Writes the decision on a withdrawal that is pending.
    ///
    /// # Errors
    /// If the database fails, or the withdrawal was decided before.
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
