//! All deposits with their players, for administrators.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Nullable, Text};
use glasshouse_domain::{Currency, DepositId, DepositStatus, Money, Timestamp, UserId};

use crate::admin::listing::{limit, number, pattern};
use crate::connection::AnyConnection;
use crate::error::DatabaseError;

/// Which deposits.
#[derive(Debug, Clone, Default)]
pub struct DepositQuery {
    /// Only those that stand at one of these.
    pub statuses: Option<[DepositStatus; 2]>,
    /// A part of the player's name, of the order id or of the invoice id, or the number.
    pub search: Option<String>,
    /// Those older than this one.
    pub before: Option<DepositId>,
    /// How many at the most.
    pub limit: usize,
}

/// A deposit as administrators see it.
#[derive(Debug, Clone)]
pub struct DepositEntry {
    /// Its number.
    pub id: DepositId,
    /// Whose.
    pub player: UserId,
    /// The player's name.
    pub username: String,
    /// What was asked for.
    pub price: Money,
    /// What was credited.
    pub credited: Money,
    /// What it is paid in.
    pub currency: Currency,
    /// Our own id.
    pub order_id: String,
    /// The provider's invoice.
    pub invoice_id: Option<String>,
    /// What has become of it.
    pub status: DepositStatus,
    /// The provider's word.
    pub external_status: Option<String>,
    /// Whether a person must look at one of its payments.
    pub is_under_review: bool,
    /// When it was asked for.
    pub created_at: Timestamp,
}

#[derive(QueryableByName)]
struct Row {
    #[diesel(sql_type = BigInt)]
    id: i64,
    #[diesel(sql_type = BigInt)]
    player_id: i64,
    #[diesel(sql_type = Text)]
    username: String,
    #[diesel(sql_type = BigInt)]
    price_cents: i64,
    #[diesel(sql_type = BigInt)]
    credited_cents: i64,
    #[diesel(sql_type = Text)]
    currency: String,
    #[diesel(sql_type = Text)]
    order_id: String,
    #[diesel(sql_type = Nullable<Text>)]
    invoice_id: Option<String>,
    #[diesel(sql_type = Text)]
    status: String,
    #[diesel(sql_type = Nullable<Text>)]
    external_status: Option<String>,
    #[diesel(sql_type = Bool)]
    is_under_review: bool,
    #[diesel(sql_type = BigInt)]
    created_at_micros: i64,
}

impl TryFrom<Row> for DepositEntry {
    type Error = DatabaseError;

    fn try_from(row: Row) -> Result<Self, DatabaseError> {
        let corrupt = |what: &str| DatabaseError::corrupt(format!("deposit {}: {what}", row.id));
        Ok(Self {
            id: DepositId::new(row.id),
            player: UserId::new(row.player_id),
            username: row.username,
            price: Money::from_cents(row.price_cents),
            credited: Money::from_cents(row.credited_cents),
            currency: Currency::parse(&row.currency).ok_or_else(|| corrupt("unknown currency"))?,
            order_id: row.order_id,
            invoice_id: row.invoice_id,
            status: DepositStatus::parse(&row.status).ok_or_else(|| corrupt("unknown status"))?,
            external_status: row.external_status,
            is_under_review: row.is_under_review,
            created_at: Timestamp::from_micros(row.created_at_micros),
        })
    }
}

/// A page of deposits, newest first.
///
/// # Errors
/// If the database fails.
pub fn deposits_page(
    connection: &mut AnyConnection,
    query: &DepositQuery,
) -> Result<Vec<DepositEntry>, DatabaseError> {
    let status = match query.statuses {
        None => "$1 = $1 AND $2 = $2",
        Some(_) => "d.status IN ($1, $2)",
    };
    let [one, other] = query
        .statuses
        .map_or(["", ""], |statuses| statuses.map(DepositStatus::as_str));
    let rows: Vec<Row> = diesel::sql_query(format!(
        "SELECT d.id, d.player_id, u.username, d.price_cents, d.credited_cents, d.currency,
            d.order_id, d.invoice_id, d.status, d.external_status, d.created_at_micros,
            EXISTS (SELECT 1 FROM reviews r WHERE r.deposit_id = d.id
                AND r.resolved_at_micros IS NULL) AS is_under_review
         FROM deposits d JOIN users u ON u.id = d.player_id
         WHERE {status} AND d.id < $3
            AND ($4 = '' OR u.username_key LIKE $4 ESCAPE '\\' OR lower(d.order_id) LIKE $4
                ESCAPE '\\' OR lower(d.invoice_id) LIKE $4 ESCAPE '\\' OR d.id = $5 OR d.player_id = $5)
         ORDER BY d.id DESC LIMIT $6"
    ))
    .bind::<Text, _>(one)
    .bind::<Text, _>(other)
    .bind::<BigInt, _>(query.before.map_or(i64::MAX, DepositId::get))
    .bind::<Text, _>(pattern(query.search.as_deref()))
    .bind::<BigInt, _>(number(query.search.as_deref()))
    .bind::<BigInt, _>(limit(query.limit))
    .load(connection)?;
    rows.into_iter().map(DepositEntry::try_from).collect()
}
