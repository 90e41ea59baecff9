//! All deposits with their players, for administrators.

use diesel::dsl::exists;
use diesel::prelude::*;
use glasshouse_domain::{DepositId, DepositStatus};

use crate::admin::filters::{AmountRange, Period, newest_first};
use crate::admin::listing::{
    AdminList, PageBounds, UserRef, UserRefRow, contains, limit, lower, number, pattern,
};
use crate::admin::search::{find_deposits, found_by};
use crate::connection::AnyConnection;
use crate::error::DatabaseError;
use crate::money::deposits::{Deposit, DepositRow};
use crate::page::Page;
use crate::schema::{deposits, payments, reviews, users};

/// Selects deposits.
#[derive(Debug, Clone, Default)]
pub struct DepositQuery {
    /// Only deposits with one of these statuses.
    pub statuses: Option<[DepositStatus; 2]>,
    /// Part of the player's name, order ID or invoice ID, or the deposit's or player's ID.
    pub search: Option<String>,
    /// Only deposits that were made in this period.
    pub period: Period,
    /// Only deposits with a price in this range.
    pub amounts: AmountRange,
    /// Only deposits after this one.
    pub before: Option<DepositId>,
    /// The maximum number of deposits.
    pub limit: usize,
}

/// A deposit with its player.
#[derive(Debug, Clone)]
pub struct DepositEntry {
    /// The deposit.
    pub deposit: Deposit,
    /// The player.
    pub player: UserRef,
    /// Whether one of its payments needs review.
    pub is_under_review: bool,
    /// The provider's IDs of its payments.
    pub payments: Vec<String>,
}

type Row = (DepositRow, UserRefRow, bool);

impl TryFrom<Row> for DepositEntry {
    type Error = DatabaseError;

    fn try_from((deposit, player, is_under_review): Row) -> Result<Self, DatabaseError> {
        Ok(Self {
            deposit: deposit.try_into()?,
            player: player.into(),
            is_under_review,
            payments: Vec::new(),
        })
    }
}

/// The query for all entries of the list.
macro_rules! deposit_entries {
    () => {{
        let open_reviews = reviews::table
            .filter(reviews::deposit_id.eq(deposits::id.nullable()))
            .filter(reviews::resolved_at_micros.is_null());
        deposits::table
            .inner_join(users::table.on(users::id.eq(deposits::player_id)))
            .select((
                DepositRow::as_select(),
                (users::id, users::username),
                exists(open_reviews),
            ))
    }};
}

impl AdminList for DepositQuery {
    type Entry = DepositEntry;
    type Place = DepositId;

    fn bounds(&mut self) -> PageBounds<'_, DepositId> {
        PageBounds {
            after: &mut self.before,
            limit: &mut self.limit,
        }
    }

    fn read(
        &self,
        connection: &mut AnyConnection,
    ) -> Result<Page<DepositEntry, DepositId>, DatabaseError> {
        let mut page = deposit_entries!().limit(limit(self.limit)).into_boxed();
        let last = self.before.map(DepositId::get);
        page = newest_first!(
            connection,
            page,
            deposits.created_at_micros,
            self.period,
            last
        );
        if let Some((least, most)) = self.amounts.bounds() {
            page = page.filter(deposits::price_cents.between(least, most));
        }
        if let Some(statuses) = self.statuses {
            let [one, other] = statuses.map(DepositStatus::as_str);
            page = page.filter(deposits::status.eq_any([one, other]));
        }
        if let Some(ids) = found_by(connection, self.search.as_deref(), find_deposits)? {
            page = page.filter(deposits::id.eq_any(ids));
        }
        if let Some(search) = &self.search {
            let (pattern, number) = (pattern(search), number(search));
            page = page.filter(
                contains!(users::username_key, pattern.clone())
                    .or(deposits::id.eq(number))
                    .or(deposits::player_id.eq(number))
                    .or(contains!(
                        lower(deposits::order_id.nullable()),
                        pattern.clone()
                    ))
                    .or(contains!(lower(deposits::invoice_id), pattern)),
            );
        }
        let rows: Vec<Row> = page.load(connection)?;
        let mut page = Page::of(rows, self.limit, |entry: &DepositEntry| entry.deposit.id)?;
        add_payments(connection, &mut page.entries)?;
        Ok(page)
    }
}

fn add_payments(
    connection: &mut AnyConnection,
    entries: &mut [DepositEntry],
) -> Result<(), DatabaseError> {
    if entries.is_empty() {
        return Ok(());
    }
    let ids: Vec<i64> = entries.iter().map(|entry| entry.deposit.id.get()).collect();
    let rows: Vec<(Option<i64>, String)> = payments::table
        .filter(payments::deposit_id.eq_any(ids))
        .order((payments::deposit_id, payments::id))
        .select((payments::deposit_id, payments::id))
        .load(connection)?;
    for entry in entries {
        let own = Some(entry.deposit.id.get());
        let own = rows.iter().filter(|(deposit, _)| *deposit == own);
        entry.payments = own.map(|(_, payment)| payment.clone()).collect();
    }
    Ok(())
}

/// Reads a deposit with its player and its payments.
///
/// # Errors
/// If the database fails.
pub(crate) fn deposit_entry(
    connection: &mut AnyConnection,
    id: DepositId,
) -> Result<Option<DepositEntry>, DatabaseError> {
    let row: Option<Row> = deposit_entries!()
        .filter(deposits::id.eq(id.get()))
        .first(connection)
        .optional()?;
    let Some(row) = row else {
        return Ok(None);
    };
    let mut entry = [DepositEntry::try_from(row)?];
    add_payments(connection, &mut entry)?;
    let [entry] = entry;
    Ok(Some(entry))
}
