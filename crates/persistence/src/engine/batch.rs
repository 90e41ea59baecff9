//! A transaction that contains the work of many players.
//!
//! A batch locks its players' accounts with one statement, keeps them in memory while the jobs run
//! on them one after the other, and writes all changes with one statement per table. A failed job
//! only rolls back its own changes.

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use diesel::connection::SimpleConnection;
use glasshouse_domain::{Game, RoundId, UserId};
use glasshouse_transparency::origin::Origin;

use crate::accounts::account::{Account, lock_accounts};
use crate::connection::AnyConnection;
use crate::engine::exposure::committed_exposure;
use crate::engine::flush;
use crate::engine::notifications::notify;
use crate::engine::scope::Scope;
use crate::engine::staged::{HouseChanges, Staged};
use crate::engine::write_lock::begin_sqlite;
use crate::engine::writer_state::WriterState;
use crate::error::DatabaseError;
use crate::house_keys::HouseKeys;
use crate::public_log::batch::{BatchLog, Receipt, ReceiptBatch, StagedLog};
use crate::rounds::by_key::{KeyOf, PlayerKey, rounds_by_keys};
use crate::rounds::open_rounds::{PlayerGame, open_rounds_of};
use crate::rounds::round::Round;

/// How long a batch waits for a lock on PostgreSQL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LockWait {
    /// As long as the connection's settings say.
    Default,
    /// A short time, because its work has already waited once.
    Short,
}

impl LockWait {
    /// The statements of a batch have only one possible plan, so they are planned once. A job's own
    /// statements are planned each time.
    const fn begin(self) -> &'static str {
        match self {
            Self::Default => "BEGIN; SET LOCAL plan_cache_mode = force_generic_plan",
            Self::Short => {
                "BEGIN; SET LOCAL plan_cache_mode = force_generic_plan;
                 SET LOCAL lock_timeout = '500ms'"
            }
        }
    }
}

/// The rows a job looked up behind its savepoint. If the job is rolled back, they may be rows of its
/// own that no longer exist, and PostgreSQL has released the locks it took on them.
#[derive(Debug, Default)]
struct LookedUp {
    accounts: Vec<UserId>,
    started_by: Vec<PlayerKey>,
    settled_by: Vec<PlayerKey>,
    open_rounds: Vec<PlayerGame>,
}

/// A transaction in progress.
pub(crate) struct Batch<'c> {
    connection: &'c mut AnyConnection,
    writer: &'c mut WriterState,
    /// The locked accounts with the changes of earlier jobs; `None` if the account does not exist.
    accounts: HashMap<UserId, Option<Account>>,
    /// Rounds by the idempotency key of the call that started them; `None` if the key is new.
    started_by: HashMap<(UserId, String), Option<Round>>,
    /// Rounds by the idempotency key of the call that ended them; `None` if the key is new.
    settled_by: HashMap<PlayerKey, Option<Round>>,
    /// The open round of a player in a game; `None` if there is none.
    open_rounds: HashMap<PlayerGame, Option<Round>>,
    looked_up: LookedUp,
    staged: Staged,
    /// The changes of the house's totals, flows and exposures from all jobs, written or staged.
    house_changes: HouseChanges,
    /// The exposures that were looked up, in cents, without those changes.
    committed_exposures: HashMap<Game, i64>,
    log: BatchLog,
}

impl<'c> Batch<'c> {
    /// Begins the transaction, locks the accounts of the scopes and looks up their keys.
    pub(crate) fn begin<'s>(
        connection: &'c mut AnyConnection,
        lock_wait: LockWait,
        writer: &'c mut WriterState,
        scopes: impl Iterator<Item = &'s Scope>,
    ) -> Result<Self, DatabaseError> {
        match connection {
            AnyConnection::Sqlite(sqlite) => begin_sqlite(sqlite, writer.sqlite_lock_wait)?,
            AnyConnection::Postgres(postgres) => postgres.batch_execute(lock_wait.begin())?,
        }
        writer.begin(connection);
        let mut batch = Self {
            connection,
            writer,
            accounts: HashMap::new(),
            started_by: HashMap::new(),
            settled_by: HashMap::new(),
            open_rounds: HashMap::new(),
            looked_up: LookedUp::default(),
            staged: Staged::default(),
            house_changes: HouseChanges::default(),
            committed_exposures: HashMap::new(),
            log: BatchLog::default(),
        };
        let mut players = BTreeSet::new();
        let mut keys = BTreeSet::new();
        let mut settlement_keys = BTreeSet::new();
        let mut games = BTreeSet::new();
        for scope in scopes {
            players.extend(scope.get_player());
            games.extend(scope.player_game());
            keys.extend(scope.idempotency());
            settlement_keys.extend(scope.settlement());
        }
        // The locks come first, so that what another server committed under a key is visible.
        batch.lock_all(&players.into_iter().collect::<Vec<_>>())?;
        batch.look_up_keys(keys.into_iter().collect())?;
        batch.look_up_settlement_keys(settlement_keys.into_iter().collect())?;
        batch.look_up_open_rounds(games.into_iter().collect())?;
        Ok(batch)
    }

    pub(crate) fn keys(&self) -> Arc<HouseKeys> {
        Arc::clone(&self.writer.keys)
    }

    pub(crate) fn log_origin(&self) -> Origin {
        self.writer.keys.log.keys().origin().clone()
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

    fn look_up_keys(&mut self, keys: Vec<PlayerKey>) -> Result<(), DatabaseError> {
        if keys.is_empty() {
            return Ok(());
        }
        let found = rounds_by_keys(self.connection, &keys, KeyOf::Start)?;
        self.started_by
            .extend(keys.into_iter().map(|key| (key, None)));
        for (key, round) in found {
            self.started_by.insert(key, Some(round));
        }
        Ok(())
    }

    fn look_up_settlement_keys(&mut self, keys: Vec<PlayerKey>) -> Result<(), DatabaseError> {
        if keys.is_empty() {
            return Ok(());
        }
        let found = rounds_by_keys(self.connection, &keys, KeyOf::Settlement)?;
        self.settled_by
            .extend(keys.into_iter().map(|key| (key, None)));
        for (key, round) in found {
            self.settled_by.insert(key, Some(round));
        }
        Ok(())
    }

    /// The round that was ended by a call with `key`, in an earlier batch or in this one.
    pub(crate) fn settled_by(
        &mut self,
        player: UserId,
        key: &str,
    ) -> Result<Option<Round>, DatabaseError> {
        let key = (player, key.to_owned());
        if !self.settled_by.contains_key(&key) {
            // The changes staged by earlier jobs must be visible.
            self.flush()?;
            self.look_up_settlement_keys(vec![key.clone()])?;
            self.looked_up.settled_by.push(key.clone());
        }
        Ok(self.settled_by.get(&key).cloned().flatten())
    }

    fn look_up_open_rounds(&mut self, pairs: Vec<PlayerGame>) -> Result<(), DatabaseError> {
        if pairs.is_empty() {
            return Ok(());
        }
        let found = open_rounds_of(self.connection, &pairs)?;
        self.open_rounds
            .extend(pairs.into_iter().map(|pair| (pair, None)));
        for round in found {
            self.open_rounds
                .insert((round.player, round.game), Some(round));
        }
        Ok(())
    }

    /// The open round of a player in a game, with the changes of earlier jobs.
    pub(crate) fn open_round(
        &mut self,
        player: UserId,
        game: Game,
    ) -> Result<Option<Round>, DatabaseError> {
        let player_game = (player, game);
        if !self.open_rounds.contains_key(&player_game) {
            // The changes staged by earlier jobs must be visible.
            self.flush()?;
            self.look_up_open_rounds(vec![player_game])?;
            self.looked_up.open_rounds.push(player_game);
        }
        Ok(self.open_rounds.get(&player_game).cloned().flatten())
    }

    /// The locked account with the changes of earlier jobs.
    pub(crate) fn account(&mut self, player: UserId) -> Result<Option<Account>, DatabaseError> {
        if !self.accounts.contains_key(&player) {
            self.lock_all(&[player])?;
            self.looked_up.accounts.push(player);
        }
        Ok(self.accounts.get(&player).cloned().flatten())
    }

    /// What the rounds in play of a game can win together, in cents, with the changes of earlier jobs.
    pub(crate) fn exposure(&mut self, game: Game) -> Result<i64, DatabaseError> {
        let committed = match self.committed_exposures.entry(game) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(unknown) => {
                *unknown.insert(committed_exposure(self.connection, game.as_str())?)
            }
        };
        Ok(committed.saturating_add(self.house_changes.exposures.of(game)))
    }

    /// The round that was started by a call with `key`, in an earlier batch or in this one.
    pub(crate) fn started_by(
        &mut self,
        player: UserId,
        key: &str,
    ) -> Result<Option<Round>, DatabaseError> {
        let key = (player, key.to_owned());
        if !self.started_by.contains_key(&key) {
            self.look_up_keys(vec![key.clone()])?;
            self.looked_up.started_by.push(key.clone());
        }
        Ok(self.started_by.get(&key).cloned().flatten())
    }

    pub(crate) fn next_round_id(&mut self) -> Result<RoundId, DatabaseError> {
        let id = self.writer.round_ids.allocate(self.connection)?;
        Ok(RoundId::new(id))
    }

    /// Adds a receipt to those of a job of this batch.
    pub(crate) fn add_receipt(
        &mut self,
        job: &mut StagedLog,
        text: String,
    ) -> Result<Receipt, DatabaseError> {
        let id = self.log_batch_id()?;
        Ok(self.log.add_receipt(job, id, text))
    }

    /// The receipts of this batch, if it has the given ID.
    pub(crate) fn own_receipts(&self, id: i64) -> Option<ReceiptBatch> {
        self.log.receipts(id, self.log_origin())
    }

    fn log_batch_id(&mut self) -> Result<i64, DatabaseError> {
        if let Some(id) = self.log.id() {
            return Ok(id);
        }
        let id = self.next_log_batch_id()?;
        self.log.set_id(id);
        Ok(id)
    }

    /// An ID for a batch other than this one.
    pub(crate) fn next_log_batch_id(&mut self) -> Result<i64, DatabaseError> {
        self.writer.batch_ids.allocate(self.connection)
    }

    /// The bare connection, for statements outside of a bet.
    pub(crate) fn connection(&mut self) -> &mut AnyConnection {
        self.connection
    }

    /// Writes the changes staged by finished jobs.
    pub(crate) fn flush(&mut self) -> Result<(), DatabaseError> {
        let staged = std::mem::take(&mut self.staged);
        self.write(&staged)
    }

    /// Writes the changes that a job has staged so far, within its savepoint.
    pub(crate) fn write(&mut self, staged: &Staged) -> Result<(), DatabaseError> {
        if staged.is_empty() {
            return Ok(());
        }
        match self.connection {
            AnyConnection::Sqlite(sqlite) => flush::sqlite::write(sqlite, staged),
            AnyConnection::Postgres(postgres) => {
                flush::postgres::write(postgres, staged)?;
                notify(postgres, staged, &self.writer.instance)
            }
        }
    }

    /// Takes over the changes of a successful job, written or staged.
    pub(crate) fn absorb(
        &mut self,
        accounts: HashMap<UserId, Account>,
        open_rounds: HashMap<PlayerGame, Option<Round>>,
        (staged, log): (Staged, StagedLog),
        house_changes: HouseChanges,
    ) {
        self.log.absorb(log);
        self.house_changes.absorb(house_changes);
        for (player, account) in accounts {
            self.accounts.insert(player, Some(account));
        }
        self.open_rounds.extend(open_rounds);
        for staged in &staged.rounds {
            if let Some(key) = &staged.idempotency_key {
                let player_key = (staged.round.player, key.clone());
                self.started_by
                    .insert(player_key, Some(staged.round.clone()));
            }
        }
        // A repeated start call is answered with the current state of the round.
        for settled in &staged.settlements {
            if let Some(key) = &settled.key {
                let player_key = (settled.round.player, key.clone());
                self.settled_by
                    .insert(player_key, Some(settled.round.clone()));
            }
            for cached in self.started_by.values_mut().flatten() {
                if cached.id == settled.round.id {
                    *cached = settled.round.clone();
                }
            }
        }
        self.staged.absorb(staged);
    }

    /// Clears the rounds looked up by key, after a job has written rounds itself.
    pub(crate) fn clear_key_lookups(&mut self) {
        self.started_by.clear();
        self.settled_by.clear();
    }

    /// Starts recording what is looked up, for a later [`Batch::forget_since_savepoint`].
    pub(crate) fn record_lookups(&mut self) {
        self.looked_up = LookedUp::default();
    }

    /// Forgets what was looked up behind a savepoint that is rolled back.
    pub(crate) fn forget_since_savepoint(&mut self) {
        let looked_up = std::mem::take(&mut self.looked_up);
        for player in looked_up.accounts {
            self.accounts.remove(&player);
        }
        for key in looked_up.started_by {
            self.started_by.remove(&key);
        }
        for key in looked_up.settled_by {
            self.settled_by.remove(&key);
        }
        for player_game in looked_up.open_rounds {
            self.open_rounds.remove(&player_game);
        }
    }

    /// Writes the remaining changes, those of the whole house last: another server's writer may hold
    /// their rows until its commit, and must not be waiting for a lock of ours at that time. Only
    /// the COMMIT remains.
    pub(crate) fn finish(mut self) -> Result<(), DatabaseError> {
        self.flush()?;
        if !self.log.is_empty() {
            let id = self.log_batch_id()?;
            let log = std::mem::take(&mut self.log);
            log.write(self.connection, id, &self.writer.keys.log)?;
        }
        flush::write_house_changes(self.connection, self.writer.shard, &self.house_changes)
    }
}
