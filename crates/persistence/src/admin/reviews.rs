//! What about payments a person must look at, as administrators list and resolve it.

use diesel::prelude::*;
use glasshouse_domain::{DepositId, Money, ReviewId, ReviewKind, Timestamp, UserId};

use crate::admin::listing::{AdminList, Page, PageBounds, UserRef, UserRefRow, limit};
use crate::connection::AnyConnection;
use crate::engine::transaction::Transaction;
use crate::error::DatabaseError;
use crate::schema::{deposits, payments, reviews, users};

diesel::alias!(const RESOLVERS: Alias<Resolvers> = users as resolvers);

/// Which reviews.
#[derive(Debug, Clone, Default)]
pub struct ReviewQuery {
    /// Only open ones, or only resolved ones.
    pub is_open: Option<bool>,
    /// Only those of this kind.
    pub kind: Option<ReviewKind>,
    /// Those older than this one.
    pub before: Option<ReviewId>,
    /// How many at the most.
    pub limit: usize,
}

/// A review with its payment and player.
#[derive(Debug, Clone)]
pub struct ReviewEntry {
    /// Its number.
    pub id: ReviewId,
    /// Which payment.
    pub payment: String,
    /// Of which deposit, if of any.
    pub deposit: Option<DepositId>,
    /// Whose deposit it is.
    pub player: Option<UserRef>,
    /// Why.
    pub kind: ReviewKind,
    /// The money in question, where it is known.
    pub amount: Option<Money>,
    /// In words.
    pub details: String,
    /// The provider's word for the payment.
    pub payment_status: Option<String>,
    /// The coin.
    pub pay_currency: Option<String>,
    /// What was received.
    pub actually_paid: Option<String>,
    /// When it was opened.
    pub opened_at: Timestamp,
    /// When it was resolved.
    pub resolved_at: Option<Timestamp>,
    /// By whom; none if it resolved itself.
    pub resolved_by: Option<UserRef>,
    /// How.
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

/// All reviews as rows of the list.
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

/// One review.
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

impl Transaction<'_, '_> {
    /// Resolves a review by an administrator's word. False if it was resolved before.
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

    /// Resolves all open reviews of a payment by an administrator's word.
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
