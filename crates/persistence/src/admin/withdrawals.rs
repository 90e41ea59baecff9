//! All withdrawals with their players, for administrators, and the one decision on each.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable, Text};
use glasshouse_domain::{Timestamp, UserId, WithdrawalId, WithdrawalStatus};

use crate::admin::listing::{Named, limit, number, pattern};
use crate::connection::{AnyConnection, locked};
use crate::engine::transaction::Transaction;
use crate::error::DatabaseError;
use crate::money::withdrawals::{Withdrawal, WithdrawalRow};
use crate::schema::withdrawals;

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
    pub player: Named,
    /// Who decided on it.
    pub decided_by: Option<Named>,
}

#[derive(QueryableByName)]
struct Row {
    #[diesel(embed)]
    withdrawal: WithdrawalRow,
    #[diesel(sql_type = Text)]
    username: String,
    #[diesel(sql_type = Nullable<BigInt>)]
    decided_by: Option<i64>,
    #[diesel(sql_type = Nullable<Text>)]
    decided_by_username: Option<String>,
}

impl TryFrom<Row> for WithdrawalEntry {
    type Error = DatabaseError;

    fn try_from(row: Row) -> Result<Self, DatabaseError> {
        let withdrawal: Withdrawal = row.withdrawal.try_into()?;
        Ok(Self {
            player: Named {
                id: withdrawal.player,
                username: row.username,
            },
            decided_by: Named::joined(row.decided_by, row.decided_by_username),
            withdrawal,
        })
    }
}

const SELECT: &str = "SELECT w.*, u.username, d.username AS decided_by_username
     FROM withdrawals w JOIN users u ON u.id = w.player_id LEFT JOIN users d ON d.id = w.decided_by";

/// A page of withdrawals, newest first.
///
/// # Errors
/// If the database fails.
pub fn withdrawals_page(
    connection: &mut AnyConnection,
    query: &WithdrawalQuery,
) -> Result<Vec<WithdrawalEntry>, DatabaseError> {
    let status = match query.status {
        None => "$1 = $1",
        Some(_) => "w.status = $1",
    };
    let rows: Vec<Row> = diesel::sql_query(format!(
        "{SELECT} WHERE {status} AND w.id < $2
            AND ($3 = '' OR u.username_key LIKE $3 ESCAPE '\\' OR lower(w.address) LIKE $3 ESCAPE '\\'
                OR w.id = $4 OR w.player_id = $4)
         ORDER BY w.id DESC LIMIT $5"
    ))
    .bind::<Text, _>(query.status.map_or("", WithdrawalStatus::as_str))
    .bind::<BigInt, _>(query.before.map_or(i64::MAX, WithdrawalId::get))
    .bind::<Text, _>(pattern(query.search.as_deref()))
    .bind::<BigInt, _>(number(query.search.as_deref()))
    .bind::<BigInt, _>(limit(query.limit))
    .load(connection)?;
    rows.into_iter().map(WithdrawalEntry::try_from).collect()
}

/// One withdrawal with its player.
///
/// # Errors
/// If the database fails.
pub fn withdrawal_entry(
    connection: &mut AnyConnection,
    id: WithdrawalId,
) -> Result<Option<WithdrawalEntry>, DatabaseError> {
    let row: Option<Row> = diesel::sql_query(format!("{SELECT} WHERE w.id = $1"))
        .bind::<BigInt, _>(id.get())
        .get_result(connection)
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
