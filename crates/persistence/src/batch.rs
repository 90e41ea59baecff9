//! One transaction that carries the work of many players.
//!
//! A batch locks its players' accounts with one statement, keeps them in memory while the jobs run
//! on them one after the other, and writes all that they changed with one statement a table. A job
//! that fails takes back its own changes only.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use diesel::connection::SimpleConnection;
use diesel::sql_types::BigInt;
use diesel::{QueryableByName, RunQueryDsl};
use glasshouse_domain::{Game, Movement, RoundId, Timestamp, UserId};

use crate::accounts::{Account, lock_accounts};
use crate::connection::AnyConnection;
use crate::error::DatabaseError;
use crate::fixed_sql::fixed_sql;
use crate::flush;
use crate::rounds::{Round, SettledRound, rounds_by_keys};
use crate::statistics::StatisticsDelta;
use crate::transaction::Scope;

/// A round and what the account was right after it, waiting to be written.
#[derive(Debug)]
pub(crate) struct StagedRound {
    pub(crate) round: SettledRound,
    pub(crate) after: Round,
}

/// A ledger entry waiting to be written.
#[derive(Debug)]
pub(crate) struct StagedEntry {
    pub(crate) player: UserId,
    pub(crate) sequence: i64,
    pub(crate) movement: Movement,
    pub(crate) reference: String,
    pub(crate) at: Timestamp,
}

/// Changes that are decided but not written yet.
#[derive(Debug, Default)]
pub(crate) struct Staged {
    /// Sorted by player, as every statement that touches several accounts must be.
    pub(crate) accounts: BTreeMap<UserId, Account>,
    pub(crate) rounds: Vec<StagedRound>,
    pub(crate) entries: Vec<StagedEntry>,
}

impl Staged {
    pub(crate) fn is_empty(&self) -> bool {
        self.accounts.is_empty() && self.rounds.is_empty() && self.entries.is_empty()
    }

    pub(crate) fn absorb(&mut self, other: Self) {
        self.accounts.extend(other.accounts);
        self.rounds.extend(other.rounds);
        self.entries.extend(other.entries);
    }

    /// What the staged rounds add to the statistics, one entry for each player and game.
    pub(crate) fn statistics(&self) -> BTreeMap<(UserId, Game), StatisticsDelta> {
        let mut deltas = BTreeMap::<_, StatisticsDelta>::new();
        for StagedRound { round, after } in &self.rounds {
            deltas.entry((after.player, round.game)).or_default().add(
                round.id,
                round.stake,
                round.payout,
                round.is_win,
            );
        }
        deltas
    }
}

/// The numbers of rounds that a writer has taken and not yet given out.
#[derive(Debug, Default)]
pub(crate) struct RoundIds {
    next: i64,
    left: i64,
}

#[derive(QueryableByName)]
struct Number {
    #[diesel(sql_type = BigInt)]
    value: i64,
}

impl RoundIds {
    /// As the sequence `round_ids` steps.
    const BLOCK: i64 = 100;

    fn take(&mut self, connection: &mut AnyConnection) -> Result<RoundId, DatabaseError> {
        if self.left == 0 {
            match connection {
                AnyConnection::Sqlite(sqlite) => {
                    let last: Number =
                        fixed_sql("SELECT COALESCE(MAX(id), 0) AS value FROM rounds")
                            .get_result(sqlite)?;
                    self.next = last.value + 1;
                    // The transaction holds the only write lock: nobody else takes a number.
                    self.left = i64::MAX - self.next;
                }
                AnyConnection::Postgres(postgres) => {
                    let first: Number =
                        fixed_sql("SELECT nextval('round_ids') AS value").get_result(postgres)?;
                    self.next = first.value;
                    self.left = Self::BLOCK;
                }
            }
        }
        let id = self.next;
        self.next += 1;
        self.left -= 1;
        Ok(RoundId::new(id))
    }

    /// On SQLite numbers hold for one transaction only.
    fn begin(&mut self, connection: &AnyConnection) {
        if matches!(connection, AnyConnection::Sqlite(_)) {
            self.left = 0;
        }
    }
}

/// The open transaction.
pub(crate) struct Batch<'c> {
    connection: &'c mut AnyConnection,
    round_ids: &'c mut RoundIds,
    /// The accounts locked so far, as the jobs before have left them; none where there is none.
    accounts: HashMap<UserId, Option<Account>>,
    /// Rounds that have answered an idempotency key; none where the key is new.
    answered: HashMap<(UserId, String), Option<Round>>,
    staged: Staged,
}

impl<'c> Batch<'c> {
    /// Begins the transaction, locks the accounts that the jobs name and looks up their keys.
    pub(crate) fn begin<'s>(
        connection: &'c mut AnyConnection,
        round_ids: &'c mut RoundIds,
        scopes: impl Iterator<Item = &'s Scope>,
    ) -> Result<Self, DatabaseError> {
        match connection {
            AnyConnection::Sqlite(sqlite) => sqlite.batch_execute("BEGIN IMMEDIATE")?,
            AnyConnection::Postgres(postgres) => postgres.batch_execute("BEGIN")?,
        }
        round_ids.begin(connection);
        let mut batch = Self {
            connection,
            round_ids,
            accounts: HashMap::new(),
            answered: HashMap::new(),
            staged: Staged::default(),
        };
        let mut players = BTreeSet::new();
        let mut keys = BTreeSet::new();
        for scope in scopes {
            players.extend(scope.get_player());
            keys.extend(scope.idempotency());
        }
        // The locks first: what another server committed for a key is visible once they are held.
        batch.lock_all(&players.into_iter().collect::<Vec<_>>())?;
        batch.look_up_keys(keys.into_iter().collect())?;
        Ok(batch)
    }

    fn lock_all(&mut self, players: &[UserId]) -> Result<(), DatabaseError> {
        if players.is_empty() {
            return Ok(());
        }
        self.accounts
            .extend(players.iter().map(|player| (*player, None)));
        for account in lock_accounts(self.connection, players)? {
            self.accounts.insert(account.player, Some(account));
        }
        Ok(())
    }

    fn look_up_keys(&mut self, keys: Vec<(UserId, String)>) -> Result<(), DatabaseError> {
        if keys.is_empty() {
            return Ok(());
        }
        let found = rounds_by_keys(self.connection, &keys)?;
        self.answered
            .extend(keys.into_iter().map(|key| (key, None)));
        for (key, round) in found {
            self.answered.insert(key, Some(round));
        }
        Ok(())
    }

    /// The locked account as the jobs before have left it.
    pub(crate) fn account(&mut self, player: UserId) -> Result<Option<Account>, DatabaseError> {
        if !self.accounts.contains_key(&player) {
            self.lock_all(&[player])?;
        }
        Ok(self.accounts.get(&player).cloned().flatten())
    }

    /// The round that already answered `key`, from an earlier batch or from this one.
    pub(crate) fn answered(
        &mut self,
        player: UserId,
        key: &str,
    ) -> Result<Option<Round>, DatabaseError> {
        let key = (player, key.to_owned());
        if !self.answered.contains_key(&key) {
            self.look_up_keys(vec![key.clone()])?;
        }
        Ok(self.answered.get(&key).cloned().flatten())
    }

    pub(crate) fn next_round_id(&mut self) -> Result<RoundId, DatabaseError> {
        self.round_ids.take(self.connection)
    }

    /// The bare connection, for a statement that is not part of a bet.
    pub(crate) fn connection(&mut self) -> &mut AnyConnection {
        self.connection
    }

    /// Writes what finished jobs have staged.
    pub(crate) fn flush(&mut self) -> Result<(), DatabaseError> {
        let staged = std::mem::take(&mut self.staged);
        self.write(&staged)
    }

    /// Writes what a job has staged so far, within its savepoint.
    pub(crate) fn write(&mut self, staged: &Staged) -> Result<(), DatabaseError> {
        if staged.is_empty() {
            return Ok(());
        }
        match self.connection {
            AnyConnection::Sqlite(sqlite) => flush::sqlite::write(sqlite, staged),
            AnyConnection::Postgres(postgres) => flush::postgres::write(postgres, staged),
        }
    }

    /// Takes over what a successful job has left, written or not.
    pub(crate) fn absorb(&mut self, accounts: HashMap<UserId, Account>, staged: Staged) {
        for (player, account) in accounts {
            self.accounts.insert(player, Some(account));
        }
        for StagedRound { round, after } in &staged.rounds {
            if let Some(key) = &round.idempotency_key {
                self.answered
                    .insert((after.player, key.clone()), Some(after.clone()));
            }
        }
        self.staged.absorb(staged);
    }

    /// Forgets the looked-up answers of a key, after a job wrote its rounds itself.
    pub(crate) fn forget_answers(&mut self) {
        self.answered.clear();
    }

    /// Writes what is left. What remains is the COMMIT.
    pub(crate) fn finish(mut self) -> Result<(), DatabaseError> {
        self.flush()
    }
}
