//! What a use case can do to the database: the account it holds, the rows it adds, and, where that
//! is not enough, statements of its own behind a savepoint.

use std::collections::HashMap;
use std::sync::Arc;

use diesel::connection::SimpleConnection;
use glasshouse_domain::{Game, LedgerPosting, LedgerReference, RoundId, Spread, Timestamp, UserId};

use crate::accounts::account::{Account, no_account};
use crate::audit::key::AuditKeys;
use crate::books::house_totals::HouseDeltas;
use crate::connection::AnyConnection;
use crate::engine::batch::Batch;
use crate::engine::staged::{Staged, StagedEntry, StagedRound, StagedSettlement};
use crate::error::{DatabaseError, Recovery};
use crate::rounds::open_rounds::{PlayerGame, write_details};
use crate::rounds::round::{NewRound, Round, Settlement};

/// One piece of work inside a batch. All of it takes effect, or none.
pub struct Transaction<'b, 'c> {
    batch: &'b mut Batch<'c>,
    /// The accounts this job changed, also once they are written.
    accounts: HashMap<UserId, Account>,
    /// The open rounds that this job began, and none for those that it settled.
    open_rounds: HashMap<PlayerGame, Option<Round>>,
    staged: Staged,
    /// What the rounds that are written already add to the house's totals.
    house_deltas: HouseDeltas,
    has_savepoint: bool,
    /// The first failed statement that the batch as a whole cannot go on after.
    batch_failure: Option<(DatabaseError, Recovery)>,
}

impl<'b, 'c> Transaction<'b, 'c> {
    pub(crate) fn begin(batch: &'b mut Batch<'c>) -> Self {
        Self {
            batch,
            accounts: HashMap::new(),
            open_rounds: HashMap::new(),
            staged: Staged::default(),
            house_deltas: HouseDeltas::default(),
            has_savepoint: false,
            batch_failure: None,
        }
    }

    /// The player's account, locked until the commit. Every user has one.
    ///
    /// # Errors
    /// [`DatabaseError::Corrupt`] if this one has none, or if the database fails.
    pub fn account(&mut self, player: UserId) -> Result<Account, DatabaseError> {
        if let Some(account) = self.accounts.get(&player) {
            return Ok(account.clone());
        }
        let found = self.batch.account(player);
        self.note(found)?.ok_or_else(|| no_account(player))
    }

    /// The round that already answered this idempotency key of the player.
    ///
    /// # Errors
    /// If the database fails.
    pub fn round_by_key(
        &mut self,
        player: UserId,
        key: &str,
    ) -> Result<Option<Round>, DatabaseError> {
        let found = self.batch.answered(player, key);
        self.note(found)
    }

    /// The round that the player ended by a call with this key.
    ///
    /// # Errors
    /// If the database fails.
    pub fn round_by_settlement_key(
        &mut self,
        player: UserId,
        key: &str,
    ) -> Result<Option<Round>, DatabaseError> {
        let found = self.batch.settled_by(player, key);
        self.note(found)
    }

    /// A number for a new round, unique over all servers, never used before.
    ///
    /// # Errors
    /// If the database fails.
    pub fn next_round_id(&mut self) -> Result<RoundId, DatabaseError> {
        let id = self.batch.next_round_id();
        self.note(id)
    }

    /// Records money that moved on the account: the next entry of its ledger. `reference` says what
    /// for; each kind of entry has a reference once.
    pub fn add_entry(
        &mut self,
        account: &mut Account,
        movement: LedgerPosting,
        reference: LedgerReference,
        at: Timestamp,
    ) {
        account.ledger_sequence += 1;
        self.staged.entries.push(StagedEntry {
            player: account.player,
            sequence: account.ledger_sequence,
            movement,
            reference,
            at,
        });
    }

    /// The player's open round of a game.
    ///
    /// # Errors
    /// If the database fails.
    pub fn open_round(
        &mut self,
        player: UserId,
        game: Game,
    ) -> Result<Option<Round>, DatabaseError> {
        if let Some(known) = self.open_rounds.get(&(player, game)) {
            return Ok(known.clone());
        }
        let found = self.batch.open_round(player, game);
        self.note(found)
    }

    /// Writes a round that is over the moment it begins. The account must have its stake and its
    /// payout already; save it, too.
    pub fn add_settled_round(
        &mut self,
        account: &Account,
        new: NewRound,
        settlement: &Settlement,
    ) -> Round {
        let (key, is_announced) = (new.idempotency_key.clone(), new.is_announced);
        let round = Round::opened(account, new).settled(account, settlement);
        self.stage(round, settlement.spread, key, is_announced)
    }

    /// Writes a round that goes on. The account must have its stake already; save it, too.
    pub fn add_open_round(&mut self, account: &Account, new: NewRound) -> Round {
        let (key, is_announced) = (new.idempotency_key.clone(), new.is_announced);
        let round = Round::opened(account, new);
        let place = (round.player, round.game);
        self.open_rounds.insert(place, Some(round.clone()));
        self.stage(round, Spread::default(), key, is_announced)
    }

    fn stage(
        &mut self,
        round: Round,
        spread: Spread,
        idempotency_key: Option<String>,
        is_announced: bool,
    ) -> Round {
        self.staged.rounds.push(StagedRound {
            round: round.clone(),
            spread,
            idempotency_key,
            is_announced,
            settlement_key: None,
        });
        round
    }

    /// Records the end of an open round, with the state of the account after it.
    pub fn settle_round(
        &mut self,
        account: &Account,
        round: &Round,
        settlement: Settlement,
    ) -> Round {
        let round = round.clone().settled(account, &settlement);
        self.open_rounds.insert((round.player, round.game), None);
        self.staged.settle(StagedSettlement {
            round: round.clone(),
            spread: settlement.spread,
            key: settlement.key,
        });
        round
    }

    /// Changes what an open round keeps of the game, and returns it as it will be read.
    ///
    /// # Errors
    /// If the database fails.
    pub fn keep_details(&mut self, round: &Round, details: String) -> Result<Round, DatabaseError> {
        let round = Round {
            details,
            ..round.clone()
        };
        self.execute(|connection| write_details(connection, &round))?;
        let place = (round.player, round.game);
        self.open_rounds.insert(place, Some(round.clone()));
        Ok(round)
    }

    /// Writes the account back. To be called once, after its last change.
    pub fn save_account(&mut self, account: Account) {
        self.staged.accounts.insert(account.player, account.clone());
        self.accounts.insert(account.player, account);
    }

    /// Runs statements of the use case's own. Everything staged so far is written first, behind a
    /// savepoint, so that they see it and fail alone.
    pub(crate) fn execute<T>(
        &mut self,
        statements: impl FnOnce(&mut AnyConnection) -> Result<T, DatabaseError>,
    ) -> Result<T, DatabaseError> {
        let prepared = self.prepare_statements();
        self.note(prepared)?;
        let outcome = statements(self.batch.connection());
        self.note(outcome)
    }

    /// What records of the audit log are sealed with.
    pub(crate) fn audit_keys(&self) -> Arc<AuditKeys> {
        self.batch.audit_keys()
    }

    fn prepare_statements(&mut self) -> Result<(), DatabaseError> {
        if !self.has_savepoint {
            self.batch.flush()?;
            let command = self.command(
                "SAVEPOINT job",
                "SAVEPOINT job; SET LOCAL plan_cache_mode = force_custom_plan",
            );
            self.batch.connection().batch_execute(command)?;
            self.batch.remember_from_here();
            self.has_savepoint = true;
        }
        let staged = std::mem::take(&mut self.staged);
        if !staged.rounds.is_empty() || !staged.settlements.is_empty() {
            self.batch.forget_answers();
            self.house_deltas.add(staged.settled_spreads());
        }
        self.batch.write(&staged)
    }

    fn command(&mut self, sqlite: &'static str, postgres: &'static str) -> &'static str {
        match self.batch.connection() {
            AnyConnection::Sqlite(_) => sqlite,
            AnyConnection::Postgres(_) => postgres,
        }
    }

    /// Ends the work: keeps its changes, or takes them back and nobody else's.
    pub(crate) fn end(mut self, keep: bool) -> Result<(), (DatabaseError, Recovery)> {
        if let Some(failure) = self.batch_failure {
            return Err(failure);
        }
        if self.has_savepoint {
            let command = if keep {
                self.command(
                    "RELEASE SAVEPOINT job",
                    "RELEASE SAVEPOINT job; SET LOCAL plan_cache_mode = force_generic_plan",
                )
            } else {
                // What was set behind the savepoint is taken back with the rest.
                "ROLLBACK TO SAVEPOINT job; RELEASE SAVEPOINT job"
            };
            if let Err(error) = self.batch.connection().batch_execute(command) {
                let error = DatabaseError::from(error);
                let recovery = error.recovery();
                return Err((error, recovery));
            }
            if !keep {
                self.batch.forget_since_savepoint();
            }
        }
        if keep {
            let accounts = std::mem::take(&mut self.accounts);
            let open_rounds = std::mem::take(&mut self.open_rounds);
            let staged = std::mem::take(&mut self.staged);
            let mut house_deltas = std::mem::take(&mut self.house_deltas);
            house_deltas.add(staged.settled_spreads());
            self.batch
                .absorb(accounts, open_rounds, staged, house_deltas);
        }
        Ok(())
    }

    /// Remembers a failure that the batch cannot go on after, whatever the use case makes of it.
    fn note<T>(&mut self, outcome: Result<T, DatabaseError>) -> Result<T, DatabaseError> {
        if let Err(error) = &outcome {
            // Behind its savepoint a broken constraint or a row that somebody else holds is the
            // job's own affair.
            let recovery = error.recovery();
            let is_own = matches!(recovery, Recovery::GiveUp | Recovery::LockTimeout);
            if !self.has_savepoint || !is_own {
                self.batch_failure
                    .get_or_insert_with(|| (error.duplicate(), recovery));
            }
        }
        outcome
    }
}
