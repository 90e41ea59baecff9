//! What the risk of a withdrawal is judged by.

use std::collections::HashMap;

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};
use glasshouse_domain::{Currency, Money, OWN_CREDIT_DAYS, Timestamp, UserId, WithdrawalId};

use crate::connection::{AnyConnection, number_list};
use crate::engine::transaction::Transaction;
use crate::error::DatabaseError;

/// What a player has moved so far, and what of it is under review.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PlayerTotals {
    /// The credited deposits.
    pub deposited: Money,
    /// The withdrawals, less those that were returned.
    pub withdrawn: Money,
    /// The stakes.
    pub wagered: Money,
    /// The payouts of rounds.
    pub paid: Money,
    /// The number of open reviews of the player's payments.
    pub open_reviews: i64,
}

impl PlayerTotals {
    /// What the player has won beyond the stakes; negative if it was lost.
    #[must_use]
    pub fn profit(&self) -> Money {
        Money::from_cents(self.paid.cents().saturating_sub(self.wagered.cents()))
    }
}

#[derive(QueryableByName)]
struct TotalsRow {
    #[diesel(sql_type = BigInt)]
    player_id: i64,
    #[diesel(sql_type = BigInt)]
    deposited: i64,
    #[diesel(sql_type = BigInt)]
    withdrawn: i64,
    #[diesel(sql_type = BigInt)]
    wagered: i64,
    #[diesel(sql_type = BigInt)]
    paid: i64,
    #[diesel(sql_type = BigInt)]
    open_reviews: i64,
}

/// The open reviews of the payments of the player whose ID follows.
const OPEN_REVIEWS: &str = "FROM reviews r JOIN deposits d ON d.id = r.deposit_id
    WHERE r.resolved_at_micros IS NULL AND d.player_id =";

/// The daily statements of a player are one row a day.
fn totals_query(players: &[UserId]) -> String {
    let players: Vec<i64> = players.iter().map(|player| player.get()).collect();
    let list = number_list(&players);
    format!(
        "SELECT a.player_id,
            CAST(COALESCE(s.deposited, 0) AS BIGINT) AS deposited,
            CAST(COALESCE(s.withdrawn, 0) AS BIGINT) AS withdrawn,
            CAST(COALESCE(s.wagered, 0) AS BIGINT) AS wagered,
            CAST(COALESCE(s.paid, 0) AS BIGINT) AS paid,
            (SELECT COUNT(*) {OPEN_REVIEWS} a.player_id) AS open_reviews
         FROM accounts a LEFT JOIN (
            SELECT player_id, SUM(deposited_cents) AS deposited, SUM(withdrawn_cents) AS withdrawn,
                SUM(staked_cents) AS wagered, SUM(paid_cents) AS paid
            FROM daily_statements WHERE player_id IN ({list}) GROUP BY player_id
         ) s ON s.player_id = a.player_id
         WHERE a.player_id IN ({list})"
    )
}

/// The totals of some players.
///
/// # Errors
/// If the database fails.
pub(crate) fn totals_of_players(
    connection: &mut AnyConnection,
    players: &[UserId],
) -> Result<HashMap<UserId, PlayerTotals>, DatabaseError> {
    if players.is_empty() {
        return Ok(HashMap::new());
    }
    let rows: Vec<TotalsRow> = diesel::sql_query(totals_query(players)).load(connection)?;
    Ok(rows
        .into_iter()
        .map(|row| {
            let totals = PlayerTotals {
                deposited: Money::from_cents(row.deposited),
                withdrawn: Money::from_cents(row.withdrawn),
                wagered: Money::from_cents(row.wagered),
                paid: Money::from_cents(row.paid),
                open_reviews: row.open_reviews,
            };
            (UserId::new(row.player_id), totals)
        })
        .collect())
}

/// How an address was used before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AddressUse {
    /// Whether a withdrawal of the player to it was approved.
    pub was_used: bool,
    /// Whether other players have it in their address books.
    pub is_shared: bool,
}

#[derive(QueryableByName)]
struct AddressUseRow {
    #[diesel(sql_type = BigInt)]
    was_used: i64,
    #[diesel(sql_type = BigInt)]
    is_shared: i64,
}

#[derive(QueryableByName)]
struct SumRow {
    #[diesel(sql_type = BigInt)]
    cents: i64,
}

#[derive(QueryableByName)]
struct CandidateRow {
    #[diesel(sql_type = BigInt)]
    id: i64,
    #[diesel(sql_type = BigInt)]
    player_id: i64,
}

/// Pending withdrawals that might be approved automatically, oldest first: without a risk factor, not delayed
/// any more, not of players with open reviews, of players who are banned or may not withdraw, of administrators,
/// or of players whom anybody has lately credited by hand, and within the limit, together with what was
/// approved automatically for the same player since `day_start`.
///
/// # Errors
/// If the database fails.
pub fn automatic_candidates(
    connection: &mut AnyConnection,
    limit: Money,
    (now, day_start): (Timestamp, Timestamp),
    count: i64,
) -> Result<Vec<(WithdrawalId, UserId)>, DatabaseError> {
    let rows: Vec<CandidateRow> = diesel::sql_query(format!(
        "SELECT w.id, w.player_id FROM withdrawals w
         WHERE w.status = 'pending' AND w.risk_points = 0
            AND (w.payable_from_micros IS NULL OR w.payable_from_micros <= $1)
            AND w.amount_cents + COALESCE((SELECT SUM(a.amount_cents) FROM withdrawals a
                WHERE a.player_id = w.player_id AND a.status = 'approved' AND a.decided_by IS NULL
                    AND a.decided_at_micros >= $2), 0) <= $3
            AND EXISTS (SELECT 1 FROM users u WHERE u.id = w.player_id AND u.role = 'player'
                AND u.ban_reason IS NULL AND u.withdrawing_block_reason IS NULL
                AND u.closed_at_micros IS NULL)
            AND NOT EXISTS (SELECT 1 FROM money_acts m WHERE m.player_id = w.player_id
                AND m.day > $4 AND m.kind <> 'withdrawal' AND m.amount_cents > 0)
            AND NOT EXISTS (SELECT 1 {OPEN_REVIEWS} w.player_id)
         ORDER BY w.id LIMIT $5"
    ))
    .bind::<BigInt, _>(now.as_micros())
    .bind::<BigInt, _>(day_start.as_micros())
    .bind::<BigInt, _>(limit.cents())
    .bind::<BigInt, _>(now.day() - OWN_CREDIT_DAYS)
    .bind::<BigInt, _>(count)
    .load(connection)?;
    let candidate = |row: CandidateRow| (WithdrawalId::new(row.id), UserId::new(row.player_id));
    Ok(rows.into_iter().map(candidate).collect())
}

impl Transaction<'_, '_> {
    /// What a player has moved so far, up to what this transaction has not staged.
    ///
    /// # Errors
    /// If the database fails.
    pub fn player_totals(&mut self, player: UserId) -> Result<PlayerTotals, DatabaseError> {
        self.execute(|connection| {
            let mut found = totals_of_players(connection, &[player])?;
            Ok(found.remove(&player).unwrap_or_default())
        })
    }

    /// How an address was used before.
    ///
    /// # Errors
    /// If the database fails.
    pub fn address_use(
        &mut self,
        player: UserId,
        currency: Currency,
        (address, normal_form): (&str, &str),
    ) -> Result<AddressUse, DatabaseError> {
        let row: AddressUseRow = self.execute(|connection| {
            // Player and status are parts of expressions, so that only the index on the address fits: PostgreSQL
            // would read all of the player's withdrawals, or all approved ones.
            Ok(diesel::sql_query(
                "SELECT
                    CAST(CASE WHEN EXISTS (SELECT 1 FROM withdrawals WHERE player_id + 0 = $1 AND currency = $2
                        AND address = $3 AND status || '' = 'approved') THEN 1 ELSE 0 END AS BIGINT) AS was_used,
                    CAST(CASE WHEN EXISTS (SELECT 1 FROM withdrawal_addresses WHERE currency = $2
                        AND normal_form = $4 AND player_id <> $1) THEN 1 ELSE 0 END AS BIGINT) AS is_shared",
            )
            .bind::<BigInt, _>(player.get())
            .bind::<Text, _>(currency.code())
            .bind::<Text, _>(address)
            .bind::<Text, _>(normal_form)
            .get_result(connection)?)
        })?;
        Ok(AddressUse {
            was_used: row.was_used != 0,
            is_shared: row.is_shared != 0,
        })
    }

    /// What was approved automatically since a time: of one player, or of all.
    ///
    /// # Errors
    /// If the database fails.
    pub fn approved_automatically(
        &mut self,
        player: Option<UserId>,
        since: Timestamp,
    ) -> Result<Money, DatabaseError> {
        let row: SumRow = self.execute(|connection| {
            let of_player = match player {
                Some(player) => format!("AND player_id = {player}"),
                None => String::new(),
            };
            Ok(diesel::sql_query(format!(
                "SELECT CAST(COALESCE(SUM(amount_cents), 0) AS BIGINT) AS cents FROM withdrawals
                 WHERE status = 'approved' AND decided_by IS NULL AND decided_at_micros >= $1 {of_player}"
            ))
            .bind::<BigInt, _>(since.as_micros())
            .get_result(connection)?)
        })?;
        Ok(Money::from_cents(row.cents))
    }
}
