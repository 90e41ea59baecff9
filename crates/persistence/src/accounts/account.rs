//! The account: the one row that a bet locks, reads and writes.

use diesel::prelude::*;
use glasshouse_domain::{Money, SeedPairId, UserId, Wallet};

use crate::connection::AnyConnection;
use crate::error::DatabaseError;
use crate::schema::accounts;

/// A player's money and the seed pair that the next round will use.
#[derive(Debug, Clone)]
pub struct Account {
    /// Whose account it is.
    pub player: UserId,
    /// Balance and wagering requirement.
    pub wallet: Wallet,
    /// The seed pair in use.
    pub seeds: SeedPairInUse,
    /// The number of the last ledger entry, 0 before the first. Only the transaction changes it.
    pub(crate) ledger_sequence: i64,
}

impl Account {
    /// The number that the next ledger entry of the account takes.
    #[must_use]
    pub const fn next_entry(&self) -> i64 {
        self.ledger_sequence + 1
    }
}

/// The seed pair in use. The server seed is a secret until the pair is rotated away.
#[derive(Clone)]
pub struct SeedPairInUse {
    /// Its row in `seed_pairs`.
    pub id: SeedPairId,
    /// 64 hexadecimal digits. Never shown while in use.
    pub server_seed: String,
    /// SHA-256 of the server seed's text, in hexadecimal.
    pub server_seed_hash: String,
    /// The player's part.
    pub client_seed: String,
    /// The nonce that the next round takes; also the number of rounds played with the pair.
    pub next_nonce: u64,
}

impl std::fmt::Debug for SeedPairInUse {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("SeedPairInUse")
            .field("id", &self.id)
            .field("server_seed_hash", &self.server_seed_hash)
            .field("client_seed", &self.client_seed)
            .field("next_nonce", &self.next_nonce)
            .finish_non_exhaustive()
    }
}

/// A row of `accounts` as stored.
#[derive(Debug, Queryable, Selectable)]
#[diesel(table_name = accounts)]
pub(crate) struct AccountRow {
    player_id: i64,
    balance_cents: i64,
    unwagered_cents: i64,
    ledger_sequence: i64,
    seed_pair_id: i64,
    server_seed: String,
    server_seed_hash: String,
    client_seed: String,
    next_nonce: i64,
}

impl TryFrom<AccountRow> for Account {
    type Error = DatabaseError;

    fn try_from(row: AccountRow) -> Result<Self, DatabaseError> {
        let wallet = Wallet::restore(
            Money::from_cents(row.balance_cents),
            Money::from_cents(row.unwagered_cents),
        )
        .map_err(|error| DatabaseError::corrupt(format!("account {}: {error}", row.player_id)))?;
        Ok(Self {
            player: UserId::new(row.player_id),
            wallet,
            seeds: SeedPairInUse {
                id: SeedPairId::new(row.seed_pair_id),
                server_seed: row.server_seed,
                server_seed_hash: row.server_seed_hash,
                client_seed: row.client_seed,
                next_nonce: unsigned(row.next_nonce, "nonce")?,
            },
            ledger_sequence: row.ledger_sequence,
        })
    }
}

/// A stored count, which is never negative.
pub(crate) fn unsigned(value: i64, what: &str) -> Result<u64, DatabaseError> {
    u64::try_from(value).map_err(|_| DatabaseError::corrupt(format!("negative {what}")))
}

/// A count to be stored.
pub(crate) fn signed(value: u64, what: &str) -> Result<i64, DatabaseError> {
    i64::try_from(value).map_err(|_| DatabaseError::corrupt(format!("{what} out of range")))
}

/// Reads a player's account without locking it.
///
/// # Errors
/// If the database fails.
pub fn account(
    connection: &mut AnyConnection,
    player: UserId,
) -> Result<Option<Account>, DatabaseError> {
    accounts::table
        .find(player.get())
        .select(AccountRow::as_select())
        .get_result(connection)
        .optional()?
        .map(Account::try_from)
        .transpose()
}

/// Reads an account that must exist, because its user does.
///
/// # Errors
/// [`DatabaseError::Corrupt`] if it does not, or if the database fails.
pub fn account_of(
    connection: &mut AnyConnection,
    player: UserId,
) -> Result<Account, DatabaseError> {
    account(connection, player)?.ok_or_else(|| no_account(player))
}

/// Users and their accounts are written together.
pub(crate) fn no_account(player: UserId) -> DatabaseError {
    DatabaseError::corrupt(format!("user {player} has no account"))
}

/// Locks and reads the accounts of `players` for the rest of the transaction, in the order of
/// their ids, so that two batches never wait for each other in a circle. On SQLite the transaction
/// already holds the only write lock.
pub(crate) fn lock_accounts(
    connection: &mut AnyConnection,
    players: &[UserId],
) -> Result<Vec<Account>, DatabaseError> {
    let rows = match connection {
        AnyConnection::Sqlite(sqlite) => {
            let mut rows = Vec::with_capacity(players.len());
            for player in players {
                // One row at a time: the cached statement then has one shape for every batch.
                rows.extend(
                    accounts::table
                        .find(player.get())
                        .select(AccountRow::as_select())
                        .get_result(sqlite)
                        .optional()?,
                );
            }
            rows
        }
        AnyConnection::Postgres(postgres) => {
            let ids: Vec<i64> = players.iter().map(|player| player.get()).collect();
            accounts::table
                .filter(accounts::player_id.eq_any(ids))
                .order(accounts::player_id)
                .for_update()
                .select(AccountRow::as_select())
                .load(postgres)?
        }
    };
    rows.into_iter().map(Account::try_from).collect()
}
