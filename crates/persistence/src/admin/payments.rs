//! Payments that are not final or need review, and unpaid invoices, in one list for administrators.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable, Text};
use glasshouse_domain::{Money, Timestamp, UserId};
use serde_json::{Value, json};

use crate::admin::listing::{AdminList, PageBounds, id_pattern, limit};
use crate::admin::search::{find_payments, found_by};
use crate::connection::AnyConnection;
use crate::error::DatabaseError;
use crate::money::payments::MatchStatus;
use crate::page::Page;

/// Selects payments.
#[derive(Debug, Clone, Default)]
pub struct ActivePaymentQuery {
    /// Only payments with this match status.
    pub match_status: Option<MatchStatus>,
    /// Part of the ID of the payment, order or invoice.
    pub search: Option<String>,
    /// Only entries that last changed before this time, or at this time with a lower ID.
    pub before: Option<(Timestamp, String)>,
    /// The maximum number of entries.
    pub limit: usize,
}

/// A payment, or an invoice without payments.
#[derive(Debug, Clone)]
pub struct ActivePayment {
    /// The provider's ID.
    pub id: String,
    /// Whether this is an invoice without known payments.
    pub is_invoice: bool,
    /// Our own ID of the order.
    pub order_id: Option<String>,
    /// The provider's status.
    pub status: String,
    /// Whether the payment matches our record.
    pub match_status: MatchStatus,
    /// The player whose deposit is paid.
    pub player: Option<UserId>,
    /// The player's name.
    pub username: Option<String>,
    /// The price of the order, if the payment belongs to one.
    pub price: Option<Money>,
    /// The amount credited.
    pub credited: Money,
    /// The code of the coin: the provider's if the payment has one, otherwise ours.
    pub currency: String,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// When the payment last changed or the provider was last polled.
    pub checked_at: Timestamp,
    /// The payment as last reported by the provider, if it is unmatched.
    pub details: Option<String>,
    /// The kinds of its open reviews, separated by commas.
    pub reviews: Option<String>,
}

#[derive(QueryableByName)]
struct Row {
    #[diesel(sql_type = Text)]
    id: String,
    #[diesel(sql_type = BigInt)]
    is_invoice: i64,
    #[diesel(sql_type = Nullable<Text>)]
    order_id: Option<String>,
    #[diesel(sql_type = Text)]
    status: String,
    #[diesel(sql_type = Text)]
    standing: String,
    #[diesel(sql_type = Nullable<BigInt>)]
    player_id: Option<i64>,
    #[diesel(sql_type = Nullable<Text>)]
    username: Option<String>,
    #[diesel(sql_type = Nullable<BigInt>)]
    price_cents: Option<i64>,
    #[diesel(sql_type = BigInt)]
    credited_cents: i64,
    #[diesel(sql_type = Text)]
    currency: String,
    #[diesel(sql_type = BigInt)]
    updated_at_micros: i64,
    #[diesel(sql_type = BigInt)]
    checked_at_micros: i64,
    #[diesel(sql_type = Nullable<Text>)]
    details: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    reviews: Option<String>,
}

impl TryFrom<Row> for ActivePayment {
    type Error = DatabaseError;

    fn try_from(row: Row) -> Result<Self, DatabaseError> {
        let match_status = MatchStatus::parse(&row.standing)
            .ok_or_else(|| DatabaseError::corrupt(format!("payment {}: standing", row.id)))?;
        Ok(Self {
            id: row.id,
            is_invoice: row.is_invoice != 0,
            order_id: row.order_id,
            status: row.status,
            match_status,
            player: row.player_id.map(UserId::new),
            username: row.username,
            price: row.price_cents.map(Money::from_cents),
            credited: Money::from_cents(row.credited_cents),
            currency: row.currency,
            updated_at: Timestamp::from_micros(row.updated_at_micros),
            checked_at: Timestamp::from_micros(row.checked_at_micros),
            details: row.details,
            reviews: row.reviews,
        })
    }
}

impl AdminList for ActivePaymentQuery {
    type Entry = ActivePayment;
    type Place = (Timestamp, String);

    fn bounds(&mut self) -> PageBounds<'_, (Timestamp, String)> {
        PageBounds {
            after: &mut self.before,
            limit: &mut self.limit,
        }
    }

    fn read(
        &self,
        connection: &mut AnyConnection,
    ) -> Result<Page<ActivePayment, (Timestamp, String)>, DatabaseError> {
        let (at, id) = match &self.before {
            Some((at, id)) => (at.as_micros(), id.as_str()),
            None => (i64::MAX, ""),
        };
        let found = found_by(connection, self.search.as_deref(), find_payments)?;
        let pattern = self.search.as_deref().map(id_pattern);
        let list = |ids: Option<Value>| ids.unwrap_or_else(|| json!([])).to_string();
        let payments = list(found.as_ref().map(|found| json!(found.payments)));
        let deposits = list(found.as_ref().map(|found| json!(found.deposits)));
        let search = match (&self.search, &found) {
            (None, _) => Search::None,
            (Some(_), Some(_)) => Search::AmongFound,
            (Some(_), None) => Search::AmongAll,
        };
        let rows: Vec<Row> = diesel::sql_query(statement(connection, search))
            .bind::<Text, _>(payments)
            .bind::<Text, _>(deposits)
            .bind::<Text, _>(self.match_status.map_or("", MatchStatus::as_str))
            .bind::<Text, _>(pattern.unwrap_or_default())
            .bind::<BigInt, _>(at)
            .bind::<Text, _>(id)
            .bind::<BigInt, _>(limit(self.limit))
            .load(connection)?;
        Page::of(rows, self.limit, |entry: &ActivePayment| {
            (entry.updated_at, entry.id.clone())
        })
    }
}

/// What is searched for parts of IDs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Search {
    /// Nothing: all payments are listed.
    None,
    /// Those that the index of parts has found.
    AmongFound,
    /// All payments, because the index has found too many.
    AmongAll,
}

impl Search {
    /// Where payments and unpaid invoices are read from, and which of their rows.
    const fn sources(self) -> [(&'static str, &'static str); 2] {
        match self {
            Self::None => [("payments p", "1 = 1"), ("deposits d", "1 = 1")],
            Self::AmongAll => [
                (
                    "payments p LEFT JOIN deposits d ON d.id = p.deposit_id",
                    "1 = 1",
                ),
                ("deposits d", "1 = 1"),
            ],
            Self::AmongFound => [
                (
                    "found_payments CROSS JOIN payments p LEFT JOIN deposits d ON d.id = p.deposit_id",
                    "p.id = found_payments.id",
                ),
                (
                    "found_deposits CROSS JOIN deposits d",
                    "d.id = found_deposits.id",
                ),
            ],
        }
    }

    /// The condition and order of a kind of entries.
    fn page(self, id: &str, match_status: &str, updated_at: &str) -> String {
        let has_part = if self == Self::None {
            "$4 = ''".to_owned()
        } else {
            format!(
                "(lower({id}) LIKE $4 ESCAPE '\\' OR lower(d.order_id) LIKE $4 ESCAPE '\\'
                    OR lower(d.invoice_id) LIKE $4 ESCAPE '\\')"
            )
        };
        format!(
            "($3 = '' OR {match_status} = $3) AND {has_part}
                AND {updated_at} <= $5 AND ({updated_at} < $5 OR {id} < $6)
             ORDER BY {updated_at} DESC, {id} DESC LIMIT $7"
        )
    }
}

/// Written by hand for the reasons given at the top of `connection.rs`. Filters that are not set
/// are bound as empty strings. Each of the three kinds of entries is read in the order of an index, and no further than
/// the page reaches; finished payments are only read if they have an open review. Only of the payments that are on the
/// page, deposit, player and reviews are read.
///
/// `OFFSET 0`, which SQLite allows only after a `LIMIT`, keeps PostgreSQL from turning `NOT EXISTS` into a join. It
/// would expect that hardly any invoice is without payments, and therefore read all pending ones and sort what is left.
fn statement(connection: &AnyConnection, search: Search) -> String {
    let (kinds, payment_ids, deposit_ids) = match connection {
        AnyConnection::Sqlite(_) => (
            "group_concat(r.kind, ',')",
            "json_each($1)",
            "json_each($2)",
        ),
        AnyConnection::Postgres(_) => (
            "string_agg(r.kind, ',' ORDER BY r.kind)",
            "json_array_elements_text(CAST($1 AS JSON))",
            "json_array_elements_text(CAST($2 AS JSON))",
        ),
    };
    let [
        (payments_from, is_wanted_payment),
        (deposits_from, is_wanted_deposit),
    ] = search.sources();
    let found_payment = search.page("p.id", "p.standing", "p.updated_at_micros");
    let found_invoice = search.page("d.invoice_id", "'tracked'", "d.updated_at_micros");
    let payments = format!("SELECT p.id, p.updated_at_micros FROM {payments_from}");
    format!(
        "WITH found_payments (id) AS (SELECT value FROM {payment_ids} AS ids),
            found_deposits (id) AS (SELECT CAST(value AS BIGINT) FROM {deposit_ids} AS ids),
            chosen (id) AS (SELECT id FROM (
                SELECT * FROM ({payments}
                    WHERE p.status NOT IN ('finished', 'failed', 'refunded', 'expired')
                        AND {is_wanted_payment} AND {found_payment}) AS unfinished
                UNION ALL
                SELECT * FROM ({payments}
                    WHERE p.status IN ('finished', 'failed', 'refunded', 'expired')
                        AND p.id IN (SELECT payment_id FROM reviews WHERE resolved_at_micros IS NULL)
                        AND {is_wanted_payment} AND {found_payment}) AS to_review
                ) AS either ORDER BY updated_at_micros DESC, id DESC LIMIT $7)
         SELECT * FROM (
            SELECT p.id, CAST(0 AS BIGINT) AS is_invoice, d.order_id, p.status, p.standing,
                d.player_id, u.username, d.price_cents, p.credited_cents,
                COALESCE(p.pay_currency, d.currency, '') AS currency, p.updated_at_micros,
                CASE WHEN p.checked_at_micros > p.updated_at_micros THEN p.checked_at_micros
                    ELSE p.updated_at_micros END AS checked_at_micros,
                CASE WHEN p.deposit_id IS NULL THEN p.details END AS details,
                (SELECT {kinds} FROM reviews r WHERE r.payment_id = p.id
                    AND r.resolved_at_micros IS NULL) AS reviews
             FROM chosen CROSS JOIN payments p
             LEFT JOIN deposits d ON d.id = p.deposit_id
             LEFT JOIN users u ON u.id = d.player_id
             WHERE p.id = chosen.id
            UNION ALL
            SELECT * FROM (SELECT d.invoice_id, CAST(1 AS BIGINT), d.order_id, 'waiting', 'tracked',
                    d.player_id, u.username, d.price_cents, CAST(0 AS BIGINT), d.currency,
                    d.updated_at_micros, d.updated_at_micros, NULL, NULL
                FROM {deposits_from} JOIN users u ON u.id = d.player_id
                WHERE d.status = 'pending' AND d.invoice_id IS NOT NULL
                    AND NOT EXISTS (SELECT 1 FROM payments p WHERE p.deposit_id = d.id LIMIT 1 OFFSET 0)
                    AND {is_wanted_deposit} AND {found_invoice}) AS unpaid
         ) active
         ORDER BY updated_at_micros DESC, id DESC LIMIT $7"
    )
}
