//! The account: the one row that a bet locks, reads and writes.

use diesel::prelude::*;
use glasshouse_domain::{Money, PlayRules, SeedPairId, UserId, Wallet};

use crate::accounts::play_rules;
use crate::connection::AnyConnection;
use crate::error::DatabaseError;
use crate::schema::accounts;
use crate::seeds::stored::SeedCommitment;

/// A player's wallet and the seed pair for the next round.
#[derive(Debug, Clone)]
pub struct Account {
    /// The player's ID.
    pub player: UserId,
    /// Balance and wagering requirement.
    pub wallet: Wallet,
    /// The active seed pair.
    pub seeds: ActiveSeedPair,
    /// The player's limits and exclusion; `None` if there are none. Boxed, because few players have
    /// any and every bet copies its account.
    pub play_rules: Option<Box<PlayRules>>,
    /// The newest version of the Terms of Service that the player has accepted; 0 before the first.
    pub terms_version: i64,
    /// The sequence number of the last ledger entry; 0 before the first. Changed only by the
    /// transaction.
    pub(crate) ledger_sequence: i64,
}

impl Account {
    /// The sequence number of the next ledger entry.
    #[must_use]
    pub const fn next_entry(&self) -> i64 {
        self.ledger_sequence + 1
    }
}

/// The active seed pair, as far as a bet needs it.
#[derive(Debug, Clone)]
pub struct ActiveSeedPair {
    /// The ID of the seed pair.
    pub id: SeedPairId,
    /// The ID of the pair that the next rotation activates.
    pub next: SeedPairId,
    /// The commitment to the server seed.
    pub commitment: SeedCommitment,
    /// The client seed.
    pub client_seed: String,
    /// The nonce of the next round, which is the number of rounds played with the pair.
    pub next_nonce: u64,
}

/// A row of the table `accounts`.
#[derive(Debug, Queryable, Selectable)]
#[diesel(table_name = accounts)]
pub(crate) struct AccountRow {
    player_id: i64,
    balance_cents: i64,
    unwagered_cents: i64,
    ledger_sequence: i64,
    seed_pair_id: i64,
    next_seed_pair_id: i64,
    server_seed_hash: String,
    seed_key_id: String,
    seed_salt: String,
    seed_mask: Option<String>,
    client_seed: String,
    next_nonce: i64,
    play_rules: Option<String>,
    terms_version: i64,
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
            seeds: ActiveSeedPair {
                id: SeedPairId::new(row.seed_pair_id),
                next: SeedPairId::new(row.next_seed_pair_id),
                commitment: SeedCommitment {
                    hash: row.server_seed_hash,
                    key_id: row.seed_key_id,
                    salt: row.seed_salt,
                    mask: row.seed_mask,
                },
                client_seed: row.client_seed,
                next_nonce: unsigned(row.next_nonce, "nonce")?,
            },
            play_rules: play_rules::parse(row.player_id, row.play_rules.as_deref())?,
            terms_version: row.terms_version,
            ledger_sequence: row.ledger_sequence,
        })
    }
}

/// Converts a stored count, which is never negative.
pub(crate) fn unsigned(value: i64, what: &str) -> Result<u64, DatabaseError> {
    u64::try_from(value).map_err(|_| DatabaseError::corrupt(format!("negative {what}")))
}

/// Converts a count for storing.
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

/// Reads the account of an existing user.
///
/// # Errors
/// [`DatabaseError::Corrupt`] if the account is missing, or another error if the database fails.
pub fn account_of(
    connection: &mut AnyConnection,
    player: UserId,
) -> Result<Account, DatabaseError> {
    account(connection, player)?.ok_or_else(|| no_account(player))
}

/// A user and the user's account are always inserted together.
pub(crate) fn no_account(player: UserId) -> DatabaseError {
    DatabaseError::corrupt(format!("user {player} has no account"))
}

/// Locks the accounts of `players` for the rest of the transaction and reads them. They are locked
/// in the order of their IDs, so that batches cannot deadlock. On SQLite the transaction already
/// holds the only write lock.
pub(crate) fn lock_accounts(
    connection: &mut AnyConnection,
    players: &[UserId],
) -> Result<Vec<Account>, DatabaseError> {
    let rows = match connection {
        AnyConnection::Sqlite(sqlite) => {
            let mut rows = Vec::with_capacity(players.len());
            for player in players {
                // One row at a time, so that the same cached statement serves every batch.
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
