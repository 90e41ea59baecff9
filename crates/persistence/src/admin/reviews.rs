//! What about payments a person must look at, as administrators list and resolve it.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable, Text};
use glasshouse_domain::{DepositId, Money, ReviewId, ReviewKind, Timestamp, UserId};

use crate::admin::listing::{Named, limit};
use crate::connection::AnyConnection;
use crate::engine::transaction::Transaction;
use crate::error::DatabaseError;
use crate::schema::reviews;

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
    pub player: Option<Named>,
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
    pub resolved_by: Option<Named>,
    /// How.
    pub resolution: Option<String>,
}

#[derive(QueryableByName)]
struct Row {
    #[diesel(sql_type = BigInt)]
    id: i64,
    #[diesel(sql_type = Text)]
    payment_id: String,
    #[diesel(sql_type = Nullable<BigInt>)]
    deposit_id: Option<i64>,
    #[diesel(sql_type = Nullable<BigInt>)]
    player_id: Option<i64>,
    #[diesel(sql_type = Nullable<Text>)]
    player_username: Option<String>,
    #[diesel(sql_type = Text)]
    kind: String,
    #[diesel(sql_type = Nullable<BigInt>)]
    amount_cents: Option<i64>,
    #[diesel(sql_type = Text)]
    details: String,
    #[diesel(sql_type = Nullable<Text>)]
    payment_status: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    pay_currency: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    actually_paid: Option<String>,
    #[diesel(sql_type = BigInt)]
    opened_at_micros: i64,
    #[diesel(sql_type = Nullable<BigInt>)]
    resolved_at_micros: Option<i64>,
    #[diesel(sql_type = Nullable<BigInt>)]
    resolved_by: Option<i64>,
    #[diesel(sql_type = Nullable<Text>)]
    resolved_by_username: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    resolution: Option<String>,
}

impl TryFrom<Row> for ReviewEntry {
    type Error = DatabaseError;

    fn try_from(row: Row) -> Result<Self, DatabaseError> {
        Ok(Self {
            kind: ReviewKind::parse(&row.kind)
                .ok_or_else(|| DatabaseError::corrupt(format!("review {}: kind", row.id)))?,
            id: ReviewId::new(row.id),
            payment: row.payment_id,
            deposit: row.deposit_id.map(DepositId::new),
            player: Named::joined(row.player_id, row.player_username),
            amount: row.amount_cents.map(Money::from_cents),
            details: row.details,
            payment_status: row.payment_status,
            pay_currency: row.pay_currency,
            actually_paid: row.actually_paid,
            opened_at: Timestamp::from_micros(row.opened_at_micros),
            resolved_at: row.resolved_at_micros.map(Timestamp::from_micros),
            resolved_by: Named::joined(row.resolved_by, row.resolved_by_username),
            resolution: row.resolution,
        })
    }
}

const SELECT: &str = "SELECT r.id, r.payment_id, r.deposit_id, d.player_id,
        u.username AS player_username, r.kind, r.amount_cents, r.details,
        p.status AS payment_status, p.pay_currency, p.actually_paid, r.opened_at_micros,
        r.resolved_at_micros, r.resolved_by, b.username AS resolved_by_username, r.resolution
     FROM reviews r LEFT JOIN deposits d ON d.id = r.deposit_id LEFT JOIN users u ON u.id = d.player_id
     LEFT JOIN payments p ON p.id = r.payment_id LEFT JOIN users b ON b.id = r.resolved_by";

/// A page of reviews, newest first.
///
/// # Errors
/// If the database fails.
pub fn reviews_page(
    connection: &mut AnyConnection,
    query: &ReviewQuery,
) -> Result<Vec<ReviewEntry>, DatabaseError> {
    let state = match query.is_open {
        None => "TRUE",
        Some(true) => "r.resolved_at_micros IS NULL",
        Some(false) => "r.resolved_at_micros IS NOT NULL",
    };
    let rows: Vec<Row> = diesel::sql_query(format!(
        "{SELECT} WHERE {state} AND ($1 = '' OR r.kind = $1) AND r.id < $2
         ORDER BY r.id DESC LIMIT $3"
    ))
    .bind::<Text, _>(query.kind.map_or("", ReviewKind::as_str))
    .bind::<BigInt, _>(query.before.map_or(i64::MAX, ReviewId::get))
    .bind::<BigInt, _>(limit(query.limit))
    .load(connection)?;
    rows.into_iter().map(ReviewEntry::try_from).collect()
}

/// One review.
///
/// # Errors
/// If the database fails.
pub fn review_entry(
    connection: &mut AnyConnection,
    id: ReviewId,
) -> Result<Option<ReviewEntry>, DatabaseError> {
    let row: Option<Row> = diesel::sql_query(format!("{SELECT} WHERE r.id = $1"))
        .bind::<BigInt, _>(id.get())
        .get_result(connection)
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
