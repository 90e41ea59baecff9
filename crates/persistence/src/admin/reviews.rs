//! The list of payment reviews for administrators, and how they are closed.

use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::Bool;
use glasshouse_domain::{DepositId, Money, ReviewId, ReviewKind, Timestamp, UserId};

use crate::admin::listing::{AdminList, PageBounds, UserRef, UserRefRow, limit};
use crate::connection::AnyConnection;
use crate::engine::transaction::Transaction;
use crate::error::DatabaseError;
use crate::page::Page;
use crate::schema::{deposits, payments, reviews, users};

diesel::alias!(const RESOLVERS: Alias<Resolvers> = users as resolvers);

/// Selects reviews.
#[derive(Debug, Clone, Default)]
pub struct ReviewQuery {
    /// Only open reviews, or only resolved ones.
    pub is_open: Option<bool>,
    /// Only reviews of this kind.
    pub kind: Option<ReviewKind>,
    /// Only reviews older than this one.
    pub before: Option<ReviewId>,
    /// The maximum number of reviews.
    pub limit: usize,
}

/// A review with its payment and player.
#[derive(Debug, Clone)]
pub struct ReviewEntry {
    /// The review's ID.
    pub id: ReviewId,
    /// The provider's ID of the payment.
    pub payment: String,
    /// The deposit, if the payment belongs to one.
    pub deposit: Option<DepositId>,
    /// The player whose deposit it is.
    pub player: Option<UserRef>,
    /// The reason.
    pub kind: ReviewKind,
    /// The amount in question, if it is known.
    pub amount: Option<Money>,
    /// A description for administrators.
    pub details: String,
    /// The provider's status of the payment.
    pub payment_status: Option<String>,
    /// The provider's code of the coin.
    pub pay_currency: Option<String>,
    /// The amount received, in the coin.
    pub actually_paid: Option<String>,
    /// When the review was opened.
    pub opened_at: Timestamp,
    /// When the review was resolved.
    pub resolved_at: Option<Timestamp>,
    /// The administrator who resolved it; `None` if it was resolved automatically.
    pub resolved_by: Option<UserRef>,
    /// How it was resolved.
    pub resolution: Option<String>,
}

#[derive(Debug, Queryable, Selectable)]
#[diesel(table_name = reviews)]
struct ReviewRow {
    id: i64,
    payment_id: String,
    deposit_id: Option<i64>,
    kind: String,
    amount_cents: Option<i64>,
    details: String,
    opened_at_micros: i64,
    resolved_at_micros: Option<i64>,
    resolution: Option<String>,
}

#[derive(Debug, Queryable, Selectable)]
#[diesel(table_name = payments)]
struct PaymentColumns {
    status: String,
    pay_currency: Option<String>,
    actually_paid: Option<String>,
}

type Row = (
    ReviewRow,
    Option<PaymentColumns>,
    Option<UserRefRow>,
    Option<UserRefRow>,
);

impl TryFrom<Row> for ReviewEntry {
    type Error = DatabaseError;

    fn try_from((row, payment, player, resolved_by): Row) -> Result<Self, DatabaseError> {
        let (payment_status, pay_currency, actually_paid) = match payment {
            Some(payment) => (
                Some(payment.status),
                payment.pay_currency,
                payment.actually_paid,
            ),
            None => (None, None, None),
        };
        Ok(Self {
            kind: ReviewKind::parse(&row.kind)
                .ok_or_else(|| DatabaseError::corrupt(format!("review {}: kind", row.id)))?,
            id: ReviewId::new(row.id),
            payment: row.payment_id,
            deposit: row.deposit_id.map(DepositId::new),
            player: player.map(UserRef::from),
            amount: row.amount_cents.map(Money::from_cents),
            details: row.details,
            payment_status,
            pay_currency,
            actually_paid,
            opened_at: Timestamp::from_micros(row.opened_at_micros),
            resolved_at: row.resolved_at_micros.map(Timestamp::from_micros),
            resolved_by: resolved_by.map(UserRef::from),
            resolution: row.resolution,
        })
    }
}

/// The query for all entries of the list.
macro_rules! review_entries {
    () => {
        reviews::table
            .left_join(deposits::table.on(deposits::id.nullable().eq(reviews::deposit_id)))
            .left_join(users::table.on(users::id.eq(deposits::player_id)))
            .left_join(payments::table.on(payments::id.eq(reviews::payment_id)))
            .left_join(
                RESOLVERS.on(RESOLVERS
                    .field(users::id)
                    .nullable()
                    .eq(reviews::resolved_by)),
            )
            .select((
                ReviewRow::as_select(),
                Option::<PaymentColumns>::as_select(),
                (users::id, users::username).nullable(),
                RESOLVERS.fields((users::id, users::username)).nullable(),
            ))
    };
}

impl AdminList for ReviewQuery {
    type Entry = ReviewEntry;
    type Place = ReviewId;

    fn bounds(&mut self) -> PageBounds<'_, ReviewId> {
        PageBounds {
            after: &mut self.before,
            limit: &mut self.limit,
        }
    }

    fn read(
        &self,
        connection: &mut AnyConnection,
    ) -> Result<Page<ReviewEntry, ReviewId>, DatabaseError> {
        let mut page = review_entries!()
            .filter(reviews::id.lt(self.before.map_or(i64::MAX, ReviewId::get)))
            .order(reviews::id.desc())
            .limit(limit(self.limit))
            .into_boxed();
        match self.is_open {
            None => {}
            Some(true) => page = page.filter(reviews::resolved_at_micros.is_null()),
            Some(false) => page = page.filter(reviews::resolved_at_micros.is_not_null()),
        }
        if let Some(kind) = self.kind {
            page = page.filter(reviews::kind.eq(kind.as_str()));
        }
        let rows: Vec<Row> = page.load(connection)?;
        Page::of(rows, self.limit, |entry: &ReviewEntry| entry.id)
    }
}

/// Reads a review.
///
/// # Errors
/// If the database fails.
pub fn review_entry(
    connection: &mut AnyConnection,
    id: ReviewId,
) -> Result<Option<ReviewEntry>, DatabaseError> {
    let row: Option<Row> = review_entries!()
        .filter(reviews::id.eq(id.get()))
        .first(connection)
        .optional()?;
    row.map(ReviewEntry::try_from).transpose()
}

/// Reads the reviews of a payment, open and resolved, oldest first.
///
/// # Errors
/// If the database fails.
pub(crate) fn reviews_of_payment(
    connection: &mut AnyConnection,
    payment: &str,
) -> Result<Vec<ReviewEntry>, DatabaseError> {
    let rows: Vec<Row> = review_entries!()
        .filter(reviews::payment_id.eq(payment))
        // The condition is literally that of PostgreSQL's index.
        .filter(sql::<Bool>("reviews.id > 0"))
        .order(reviews::id)
        .load(connection)?;
    rows.into_iter().map(ReviewEntry::try_from).collect()
}

impl Transaction<'_, '_> {
    /// Resolves a review on behalf of an administrator. Returns `false` if it was already resolved.
    ///
    /// # Errors
    /// If the database fails.
    pub fn close_review(
        &mut self,
        id: ReviewId,
        administrator: UserId,
        resolution: &str,
        at: Timestamp,
    ) -> Result<bool, DatabaseError> {
        self.execute(|connection| {
            let open = reviews::table
                .filter(reviews::id.eq(id.get()))
                .filter(reviews::resolved_at_micros.is_null());
            let closed = diesel::update(open)
                .set((
                    reviews::resolved_at_micros.eq(at.as_micros()),
                    reviews::resolved_by.eq(administrator.get()),
                    reviews::resolution.eq(resolution),
                ))
                .execute(connection)?;
            Ok(closed > 0)
        })
    }

    /// Resolves all open reviews of a payment on behalf of an administrator.
    ///
    /// # Errors
    /// If the database fails.
    pub fn close_reviews_of(
        &mut self,
        payment: &str,
        administrator: UserId,
        resolution: &str,
        at: Timestamp,
    ) -> Result<(), DatabaseError> {
        self.execute(|connection| {
            let open = reviews::table
                .filter(reviews::payment_id.eq(payment))
                .filter(reviews::resolved_at_micros.is_null());
            diesel::update(open)
                .set((
                    reviews::resolved_at_micros.eq(at.as_micros()),
                    reviews::resolved_by.eq(administrator.get()),
                    reviews::resolution.eq(resolution),
                ))
                .execute(connection)?;
            Ok(())
        })
    }
}
