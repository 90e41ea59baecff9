//! One transaction that carries the work of many players.
//!
//! A batch locks its players' accounts with one statement, keeps them in memory while the jobs run
//! on them one after the other, and writes all that they changed with one statement a table. A job
//! that fails takes back its own changes only.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use diesel::connection::SimpleConnection;
use glasshouse_domain::{Game, RoundId, UserId};

use crate::accounts::account::{Account, lock_accounts};
use crate::audit::key::AuditKeys;
use crate::books::house_totals::HouseDeltas;
use crate::connection::AnyConnection;
use crate::engine::flush;
use crate::engine::notifications::{Origin, notify};
use crate::engine::round_ids::RoundIds;
use crate::engine::scope::Scope;
use crate::engine::staged::Staged;
use crate::error::DatabaseError;
use crate::rounds::open_rounds::{PlayerGame, open_rounds_of};
use crate::rounds::round::{KeyOf, PlayerKey, Round, rounds_by_keys};

/// How long a batch waits for a lock on PostgreSQL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Patience {
    /// As the connection does.
    Usual,
    /// Its work has waited before.
    Brief,
}

impl Patience {
    /// The statements of a batch have shapes that leave one plan only. They are planned once; what a
    /// job asks beside them is planned anew each time.
    const fn begin(self) -> &'static str {
        match self {
            Self::Usual => "BEGIN; SET LOCAL plan_cache_mode = force_generic_plan",
            Self::Brief => {
                "BEGIN; SET LOCAL plan_cache_mode = force_generic_plan;
                 SET LOCAL lock_timeout = '500ms'"
            }
        }
    }
}

/// What a job had to ask for behind its savepoint. If the job is taken back, these rows may be its own
/// and exist no more, and PostgreSQL has given up the locks that were taken for them.
#[derive(Debug, Default)]
struct AskedFor {
    accounts: Vec<UserId>,
    answered: Vec<PlayerKey>,
    settled_by: Vec<PlayerKey>,
    open_rounds: Vec<PlayerGame>,
}

/// The open transaction.
pub(crate) struct Batch<'c> {
    connection: &'c mut AnyConnection,
    round_ids: &'c mut RoundIds,
    origin: &'c Origin,
    /// The writer's own rows of the house's totals.
    shard: i64,
    audit_keys: &'c Arc<AuditKeys>,
    /// The accounts locked so far, as the jobs before have left them; none where there is none.
    accounts: HashMap<UserId, Option<Account>>,
    /// Rounds that have answered an idempotency key; none where the key is new.
    answered: HashMap<PlayerKey, Option<Round>>,
    /// Rounds that were ended by a call with a key; none where the key is new.
    settled_by: HashMap<PlayerKey, Option<Round>>,
    /// The open round of a player in a game; none where there is none.
    open_rounds: HashMap<PlayerGame, Option<Round>>,
    asked_for: AskedFor,
    staged: Staged,
    /// What the rounds of all jobs add to the house's totals, written or staged.
    house_deltas: HouseDeltas,
}

impl<'c> Batch<'c> {
    /// Begins the transaction, locks the accounts that the jobs name and looks up their keys.
    pub(crate) fn begin<'s>(
        connection: &'c mut AnyConnection,
        patience: Patience,
        round_ids: &'c mut RoundIds,
        origin: &'c Origin,
        (shard, audit_keys): (i64, &'c Arc<AuditKeys>),
        scopes: impl Iterator<Item = &'s Scope>,
    ) -> Result<Self, DatabaseError> {
        match connection {
            AnyConnection::Sqlite(sqlite) => sqlite.batch_execute("BEGIN IMMEDIATE")?,
            AnyConnection::Postgres(postgres) => postgres.batch_execute(patience.begin())?,
        }
        round_ids.begin(connection);
        let mut batch = Self {
            connection,
            round_ids,
            origin,
            shard,
            audit_keys,
            accounts: HashMap::new(),
            answered: HashMap::new(),
            settled_by: HashMap::new(),
            open_rounds: HashMap::new(),
            asked_for: AskedFor::default(),
            staged: Staged::default(),
            house_deltas: HouseDeltas::default(),
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
        // The locks first: what another server committed for a key is visible once they are held.
        batch.lock_all(&players.into_iter().collect::<Vec<_>>())?;
        batch.look_up_keys(keys.into_iter().collect())?;
        batch.look_up_settlement_keys(settlement_keys.into_iter().collect())?;
        batch.look_up_open_rounds(games.into_iter().collect())?;
        Ok(batch)
    }

    pub(crate) fn audit_keys(&self) -> Arc<AuditKeys> {
        self.audit_keys.clone()
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
        self.answered
            .extend(keys.into_iter().map(|key| (key, None)));
        for (key, round) in found {
            self.answered.insert(key, Some(round));
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
            // What the jobs before have staged must be found.
            self.flush()?;
            self.look_up_settlement_keys(vec![key.clone()])?;
            self.asked_for.settled_by.push(key.clone());
        }
        Ok(self.settled_by.get(&key).cloned().flatten())
    }

    fn look_up_open_rounds(&mut self, wanted: Vec<PlayerGame>) -> Result<(), DatabaseError> {
        if wanted.is_empty() {
            return Ok(());
        }
        let found = open_rounds_of(self.connection, &wanted)?;
        self.open_rounds
            .extend(wanted.into_iter().map(|place| (place, None)));
        for round in found {
            self.open_rounds
                .insert((round.player, round.game), Some(round));
        }
        Ok(())
    }

    /// The open round of a player in a game, as the jobs before have left it.
    pub(crate) fn open_round(
        &mut self,
        player: UserId,
        game: Game,
    ) -> Result<Option<Round>, DatabaseError> {
        let place = (player, game);
        if !self.open_rounds.contains_key(&place) {
            // What the jobs before have staged must be found.
            self.flush()?;
            self.look_up_open_rounds(vec![place])?;
            self.asked_for.open_rounds.push(place);
        }
        Ok(self.open_rounds.get(&place).cloned().flatten())
    }

    /// The locked account as the jobs before have left it.
    pub(crate) fn account(&mut self, player: UserId) -> Result<Option<Account>, DatabaseError> {
        if !self.accounts.contains_key(&player) {
            self.lock_all(&[player])?;
            self.asked_for.accounts.push(player);
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
            self.asked_for.answered.push(key.clone());
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
            AnyConnection::Postgres(postgres) => {
                flush::postgres::write(postgres, staged)?;
                notify(postgres, staged, self.origin)
            }
        }
    }

    /// Takes over what a successful job has left, written or not.
    pub(crate) fn absorb(
        &mut self,
        accounts: HashMap<UserId, Account>,
        open_rounds: HashMap<PlayerGame, Option<Round>>,
        staged: Staged,
        house_deltas: HouseDeltas,
    ) {
        self.house_deltas.absorb(house_deltas);
        for (player, account) in accounts {
            self.accounts.insert(player, Some(account));
        }
        self.open_rounds.extend(open_rounds);
        for staged in &staged.rounds {
            if let Some(key) = &staged.idempotency_key {
                let place = (staged.round.player, key.clone());
                self.answered.insert(place, Some(staged.round.clone()));
            }
        }
        // The first answer to a key tells of the round as it is now.
        for settled in &staged.settlements {
            if let Some(key) = &settled.key {
                let place = (settled.round.player, key.clone());
                self.settled_by.insert(place, Some(settled.round.clone()));
            }
            for known in self.answered.values_mut().flatten() {
                if known.id == settled.round.id {
                    *known = settled.round.clone();
                }
            }
        }
        self.staged.absorb(staged);
    }

    /// Forgets the looked-up answers of a key, after a job wrote its rounds itself.
    pub(crate) fn forget_answers(&mut self) {
        self.answered.clear();
        self.settled_by.clear();
    }

    /// Begins a savepoint's part of the transaction, of which a later
    /// [`Batch::forget_since_savepoint`] forgets what it read.
    pub(crate) fn remember_from_here(&mut self) {
        self.asked_for = AskedFor::default();
    }

    /// Forgets what was read behind a savepoint that is taken back.
    pub(crate) fn forget_since_savepoint(&mut self) {
        let asked_for = std::mem::take(&mut self.asked_for);
        for player in asked_for.accounts {
            self.accounts.remove(&player);
        }
        for key in asked_for.answered {
            self.answered.remove(&key);
        }
        for key in asked_for.settled_by {
            self.settled_by.remove(&key);
        }
        for place in asked_for.open_rounds {
            self.open_rounds.remove(&place);
        }
    }

    /// Writes what is left, the house's totals last: another server's writer may hold their rows
    /// until its commit, and must not wait for anything of ours meanwhile. What remains is the
    /// COMMIT.
    pub(crate) fn finish(mut self) -> Result<(), DatabaseError> {
        self.flush()?;
        match self.connection {
            AnyConnection::Sqlite(sqlite) => {
                flush::sqlite::write_house_totals(sqlite, self.shard, &self.house_deltas)
            }
            AnyConnection::Postgres(postgres) => {
                flush::postgres::write_house_totals(postgres, self.shard, &self.house_deltas)
            }
        }
    }
}
