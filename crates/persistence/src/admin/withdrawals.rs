//! All withdrawals with their players, for administrators, and the decision on each.

use diesel::prelude::*;
use glasshouse_domain::{PayoutState, Timestamp, UserId, WithdrawalId, WithdrawalStatus};

use crate::admin::filters::{AmountRange, Period, newest_first, oldest_first};
use crate::admin::listing::{
    AdminList, PageBounds, UserRef, UserRefRow, contains, limit, lower, number, pattern,
};
use crate::admin::search::{find_withdrawals, found_by};
use crate::connection::{AnyConnection, locked};
use crate::engine::transaction::Transaction;
use crate::error::DatabaseError;
use crate::money::payout::Payout;
use crate::money::payouts::payouts_of;
use crate::money::withdrawal_risk::{PlayerTotals, totals_of_players};
use crate::money::withdrawals::{Withdrawal, WithdrawalRow};
use crate::page::Page;
use crate::schema::{payouts, users, withdrawals};

diesel::alias!(const DECIDERS: Alias<Deciders> = users as deciders);

/// The order of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WithdrawalOrder {
    /// Newest first.
    #[default]
    Newest,
    /// Oldest first.
    Oldest,
    /// Pending ones only, those with most points of risk first.
    Risk,
    /// Pending ones only, the largest first.
    Amount,
}

/// A position in the list, after a withdrawal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WithdrawalPlace {
    /// The withdrawal.
    pub id: WithdrawalId,
    /// What the list is ordered by: points of risk or an amount in US cents; `None` for the other orders.
    pub sort_key: Option<i64>,
}

/// Selects withdrawals.
#[derive(Debug, Clone, Default)]
pub struct WithdrawalQuery {
    /// Only withdrawals with this status.
    pub status: Option<WithdrawalStatus>,
    /// Only withdrawals whose payment is in this state.
    pub payout: Option<PayoutState>,
    /// Part of the player's name or of the address, or the withdrawal's or player's ID.
    pub search: Option<String>,
    /// Only withdrawals that were requested in this period.
    pub period: Period,
    /// Only withdrawals of an amount in this range.
    pub amounts: AmountRange,
    /// The order of the list.
    pub order: WithdrawalOrder,
    /// The position to continue from.
    pub after: Option<WithdrawalPlace>,
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
    /// Its payment, if it was approved.
    pub payout: Option<Payout>,
    /// What its player has moved so far, while it is pending.
    pub totals: Option<PlayerTotals>,
}

type Row = (WithdrawalRow, UserRefRow, Option<UserRefRow>);

impl TryFrom<Row> for WithdrawalEntry {
    type Error = DatabaseError;

    fn try_from((withdrawal, player, decided_by): Row) -> Result<Self, DatabaseError> {
        Ok(Self {
            withdrawal: withdrawal.try_into()?,
            player: player.into(),
            decided_by: decided_by.map(UserRef::from),
            payout: None,
            totals: None,
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

/// Continues a boxed query after a place, in the order of a column of pending withdrawals, largest first, and
/// oldest first among equals.
macro_rules! pending_by {
    ($page:expr, $column:expr, $after:expr, $period:expr) => {{
        // The condition is literally that of the indexes.
        let page = $page.filter(diesel::dsl::sql::<diesel::sql_types::Bool>(
            "withdrawals.status = 'pending'",
        ));
        let page = match $period.bounds() {
            None => page,
            Some((first, end)) => page.filter(withdrawals::created_at_micros.between(first, end)),
        };
        let place = $after.and_then(|place| Some((place.id, place.sort_key?)));
        let page = match place {
            None => page,
            Some((id, sort_key)) => page.filter($column.le(sort_key)).filter(
                $column
                    .lt(sort_key)
                    .or($column.eq(sort_key).and(withdrawals::id.gt(id.get()))),
            ),
        };
        page.order(($column.desc(), withdrawals::id.asc()))
    }};
}

impl AdminList for WithdrawalQuery {
    type Entry = WithdrawalEntry;
    type Place = WithdrawalPlace;

    fn bounds(&mut self) -> PageBounds<'_, WithdrawalPlace> {
        PageBounds {
            after: &mut self.after,
            limit: &mut self.limit,
        }
    }

    fn read(
        &self,
        connection: &mut AnyConnection,
    ) -> Result<Page<WithdrawalEntry, WithdrawalPlace>, DatabaseError> {
        let mut page = withdrawal_entries!().limit(limit(self.limit)).into_boxed();
        let last = self.after.map(|place| place.id.get());
        page = match self.order {
            WithdrawalOrder::Newest => newest_first!(
                connection,
                page,
                withdrawals.created_at_micros,
                self.period,
                last
            ),
            WithdrawalOrder::Oldest => oldest_first!(
                connection,
                page,
                withdrawals.created_at_micros,
                self.period,
                last
            ),
            WithdrawalOrder::Risk => {
                pending_by!(page, withdrawals::risk_points, self.after, self.period)
            }
            WithdrawalOrder::Amount => {
                pending_by!(page, withdrawals::amount_cents, self.after, self.period)
            }
        };
        if let Some((least, most)) = self.amounts.bounds() {
            page = page.filter(withdrawals::amount_cents.between(least, most));
        }
        if let Some(status) = self.status {
            page = page.filter(withdrawals::status.eq(status.as_str()));
        }
        if let Some(state) = self.payout {
            let in_state = payouts::table
                .filter(payouts::state.eq(state.as_str()))
                .select(payouts::withdrawal_id);
            page = page.filter(withdrawals::id.eq_any(in_state));
        }
        if let Some(ids) = found_by(connection, self.search.as_deref(), find_withdrawals)? {
            page = page.filter(withdrawals::id.eq_any(ids));
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
        let mut page = Page::of(rows, self.limit, |entry: &WithdrawalEntry| {
            WithdrawalPlace {
                id: entry.withdrawal.id,
                sort_key: match self.order {
                    WithdrawalOrder::Newest | WithdrawalOrder::Oldest => None,
                    WithdrawalOrder::Risk => Some(entry.withdrawal.risk.points()),
                    WithdrawalOrder::Amount => Some(entry.withdrawal.amount.cents()),
                },
            }
        })?;
        complete(connection, &mut page.entries)?;
        Ok(page)
    }
}

/// Adds the payments of approved withdrawals, and what the players of pending ones have moved so far.
fn complete(
    connection: &mut AnyConnection,
    entries: &mut [WithdrawalEntry],
) -> Result<(), DatabaseError> {
    let withdrawals = entries.iter().map(|entry| &entry.withdrawal);
    let is_pending = |withdrawal: &Withdrawal| withdrawal.status == WithdrawalStatus::Pending;
    let mut players: Vec<UserId> = withdrawals
        .clone()
        .filter(|withdrawal| is_pending(withdrawal))
        .map(|withdrawal| withdrawal.player)
        .collect();
    players.sort_unstable();
    players.dedup();
    let statuses = withdrawals.map(|withdrawal| (withdrawal.id, withdrawal.status));
    let mut payouts = payouts_of(connection, statuses)?;
    let totals = totals_of_players(connection, &players)?;
    for entry in entries {
        let withdrawal = &entry.withdrawal;
        entry.payout = payouts.remove(&withdrawal.id);
        entry.totals = is_pending(withdrawal)
            .then(|| totals.get(&withdrawal.player).copied())
            .flatten();
    }
    Ok(())
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
    let Some(row) = row else {
        return Ok(None);
    };
    let mut entry = [WithdrawalEntry::try_from(row)?];
    complete(connection, &mut entry)?;
    let [entry] = entry;
    Ok(Some(entry))
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

    /// Records the decision on a pending withdrawal; without an administrator, it was approved automatically.
    ///
    /// # Errors
    /// If the database fails, or a decision was made before.
    pub fn decide_withdrawal(
        &mut self,
        id: WithdrawalId,
        status: WithdrawalStatus,
        reason: Option<&str>,
        administrator: Option<UserId>,
        at: Timestamp,
    ) -> Result<(), DatabaseError> {
        self.execute(|connection| {
            diesel::update(withdrawals::table.find(id.get()))
                .set((
                    withdrawals::status.eq(status.as_str()),
                    withdrawals::reason.eq(reason),
                    withdrawals::decided_by.eq(administrator.map(UserId::get)),
                    withdrawals::decided_at_micros.eq(at.as_micros()),
                ))
                .execute(connection)?;
            Ok(())
        })
    }
}
