//! The operations of a use case on the database: accounts, rounds and ledger entries are staged,
//! and other statements run behind a savepoint.

use std::collections::HashMap;
use std::sync::Arc;

use diesel::connection::SimpleConnection;
use glasshouse_domain::{
    Game, LedgerPosting, LedgerReference, Money, RoundId, Spread, Timestamp, UserId,
};
use glasshouse_transparency::origin::Origin;
use uuid::Uuid;

use crate::accounts::account::{Account, no_account};
use crate::connection::AnyConnection;
use crate::engine::batch::Batch;
use crate::engine::caller::session_name;
use crate::engine::staged::{HouseChanges, Staged, StagedEntry, StagedRound, StagedSettlement};
use crate::error::{DatabaseError, Recovery};
use crate::house_keys::HouseKeys;
use crate::public_log::batch::{Receipt, ReceiptBatch, StagedLog};
use crate::rounds::open_rounds::{PlayerGame, write_details};
use crate::rounds::round::{NewRound, Round, Settlement};

/// One piece of work in a batch. Its changes take effect together or not at all.
pub struct Transaction<'b, 'c> {
    batch: &'b mut Batch<'c>,
    /// The accounts that this job has changed, including those already written.
    accounts: HashMap<UserId, Account>,
    /// The open rounds that this job has started, and `None` for those that it has settled.
    open_rounds: HashMap<PlayerGame, Option<Round>>,
    staged: Staged,
    log: StagedLog,
    /// The changes of the house's totals, flows and exposures from what is already written, and of the exposures also from
    /// what is staged.
    house_changes: HouseChanges,
    has_savepoint: bool,
    /// The request that this work is for.
    request: Option<Uuid>,
    /// The first failed statement after which the whole batch must be rolled back.
    batch_failure: Option<(DatabaseError, Recovery)>,
}

impl<'b, 'c> Transaction<'b, 'c> {
    pub(crate) fn begin(batch: &'b mut Batch<'c>, request: Option<Uuid>) -> Self {
        Self {
            batch,
            accounts: HashMap::new(),
            open_rounds: HashMap::new(),
            staged: Staged::default(),
            log: StagedLog::default(),
            house_changes: HouseChanges::default(),
            has_savepoint: false,
            request,
            batch_failure: None,
        }
    }

    /// Reads the player's account, locked until the commit. Every user has one.
    ///
    /// # Errors
    /// [`DatabaseError::Corrupt`] if the account is missing, or another error if the database
    /// fails.
    pub fn account(&mut self, player: UserId) -> Result<Account, DatabaseError> {
        if let Some(account) = self.accounts.get(&player) {
            return Ok(account.clone());
        }
        let found = self.batch.account(player);
        self.record_failure(found)?
            .ok_or_else(|| no_account(player))
    }

    /// The player's round that was started by a call with this idempotency key.
    ///
    /// # Errors
    /// If the database fails.
    pub fn round_by_key(
        &mut self,
        player: UserId,
        key: &str,
    ) -> Result<Option<Round>, DatabaseError> {
        let found = self.batch.started_by(player, key);
        self.record_failure(found)
    }

    /// The player's round that was ended by a call with this idempotency key.
    ///
    /// # Errors
    /// If the database fails.
    pub fn round_by_settlement_key(
        &mut self,
        player: UserId,
        key: &str,
    ) -> Result<Option<Round>, DatabaseError> {
        let found = self.batch.settled_by(player, key);
        self.record_failure(found)
    }

    /// An ID for a new round, unique across all servers.
    ///
    /// # Errors
    /// If the database fails.
    pub fn next_round_id(&mut self) -> Result<RoundId, DatabaseError> {
        let id = self.batch.next_round_id();
        self.record_failure(id)
    }

    /// Adds a posting to the account's ledger, and counts it against the player's limits. `reference`
    /// is the cause; a reference can occur only once for each kind of entry.
    pub fn add_entry(
        &mut self,
        account: &mut Account,
        posting: LedgerPosting,
        reference: LedgerReference,
        at: Timestamp,
    ) {
        account.ledger_sequence += 1;
        if let Some(rules) = &mut account.play_rules {
            rules.count(&posting, at);
        }
        self.staged.entries.push(StagedEntry {
            player: account.player,
            sequence: account.ledger_sequence,
            posting,
            reference,
            at,
        });
    }

    /// Counts a withdrawal whose payment has arrived in the house's flows.
    pub(crate) fn count_arrival(&mut self, amount_cents: i64, fee_cents: i64, at: Timestamp) {
        let flows = &mut self.house_changes.flows;
        flows.add_arrival(amount_cents, fee_cents, at);
    }

    /// The name of the log, in which the house also signs receipts.
    #[must_use]
    pub fn log_origin(&self) -> Origin {
        self.batch.log_origin()
    }

    /// The receipts of this commit, if its batch has the given ID.
    pub(crate) fn own_receipts(&self, batch: i64) -> Option<ReceiptBatch> {
        self.batch.own_receipts(batch)
    }

    /// Adds a receipt, which is signed with all others of the same commit.
    ///
    /// # Errors
    /// If the database fails.
    pub fn add_receipt(&mut self, text: String) -> Result<Receipt, DatabaseError> {
        let receipt = self.batch.add_receipt(&mut self.log, text);
        self.record_failure(receipt)
    }

    /// An ID for a batch with entries of the log itself.
    pub(crate) fn next_log_batch_id(&mut self) -> Result<i64, DatabaseError> {
        let id = self.batch.next_log_batch_id();
        self.record_failure(id)
    }

    /// Adds a line to the public log.
    ///
    /// # Errors
    /// If the line is too long.
    pub fn add_log_entry(&mut self, line: &str) -> Result<(), DatabaseError> {
        self.log.add_entry(line)
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
        if let Some(cached) = self.open_rounds.get(&(player, game)) {
            return Ok(cached.clone());
        }
        let found = self.batch.open_round(player, game);
        self.record_failure(found)
    }

    /// What the rounds in play of a game can win together, as far as is known without waiting for other
    /// servers. A round that is judged by it is judged again at the commit, by the limit that it was added
    /// with.
    ///
    /// # Errors
    /// If the database fails.
    pub fn exposure(&mut self, game: Game) -> Result<Money, DatabaseError> {
        let others = self.batch.exposure(game);
        let others = self.record_failure(others)?;
        Ok(Money::from_cents(
            others.saturating_add(self.house_changes.exposures.of(game)),
        ))
    }

    /// Adds a round that ends when it starts. Stake and payout must have been applied to the
    /// account, which must be saved as well.
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

    /// Adds a round that stays open. The stake must have been debited from the account, which must
    /// be saved as well.
    pub fn add_open_round(&mut self, account: &Account, new: NewRound) -> Round {
        let (key, is_announced) = (new.idempotency_key.clone(), new.is_announced);
        if let Some(exposure) = new.exposure {
            self.house_changes.exposures.add(new.game, exposure);
        }
        let round = Round::opened(account, new);
        let player_game = (round.player, round.game);
        self.open_rounds.insert(player_game, Some(round.clone()));
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

    /// Settles an open round, with the resulting state of the account.
    pub fn settle_round(
        &mut self,
        account: &Account,
        round: &Round,
        settlement: Settlement,
    ) -> Round {
        let round = round.clone().settled(account, &settlement);
        self.open_rounds.insert((round.player, round.game), None);
        if let Some(maximum_profit) = round.exposure {
            self.house_changes
                .exposures
                .remove(round.game, maximum_profit);
        }
        self.staged.settle(StagedSettlement {
            round: round.clone(),
            spread: settlement.spread,
            key: settlement.key,
        });
        round
    }

    /// Changes the stored details of an open round and returns the updated round.
    ///
    /// # Errors
    /// If the database fails.
    pub fn keep_details(&mut self, round: &Round, details: String) -> Result<Round, DatabaseError> {
        let round = Round {
            details,
            ..round.clone()
        };
        self.execute(|connection| write_details(connection, &round))?;
        let player_game = (round.player, round.game);
        self.open_rounds.insert(player_game, Some(round.clone()));
        Ok(round)
    }

    /// Writes the account. To be called once, after the last change.
    pub fn save_account(&mut self, account: Account) {
        self.staged.accounts.insert(account.player, account.clone());
        self.accounts.insert(account.player, account);
    }

    /// Runs the use case's own statements. Earlier staged changes are written first, behind a
    /// savepoint, so that the statements see them and fail alone.
    pub(crate) fn execute<T>(
        &mut self,
        statements: impl FnOnce(&mut AnyConnection) -> Result<T, DatabaseError>,
    ) -> Result<T, DatabaseError> {
        let prepared = self.prepare_statements();
        self.record_failure(prepared)?;
        let outcome = statements(self.batch.connection());
        self.record_failure(outcome)
    }

    /// The keys that the database was opened with.
    #[must_use]
    pub fn keys(&self) -> Arc<HouseKeys> {
        self.batch.keys()
    }

    fn prepare_statements(&mut self) -> Result<(), DatabaseError> {
        if !self.has_savepoint {
            self.batch.flush()?;
            let settings = local_settings("force_custom_plan", self.request);
            self.run_command("SAVEPOINT job", &format!("SAVEPOINT job; {settings}"))?;
            self.batch.record_lookups();
            self.has_savepoint = true;
        }
        let staged = std::mem::take(&mut self.staged);
        if !staged.rounds.is_empty() || !staged.settlements.is_empty() {
            self.batch.clear_key_lookups();
        }
        self.house_changes.add(&staged);
        self.batch.write(&staged)
    }

    fn run_command(&mut self, sqlite: &str, postgres: &str) -> Result<(), DatabaseError> {
        let connection = self.batch.connection();
        let command = match connection {
            AnyConnection::Sqlite(_) => sqlite,
            AnyConnection::Postgres(_) => postgres,
        };
        Ok(connection.batch_execute(command)?)
    }

    /// Ends the job: keeps its changes, or rolls them back without affecting other jobs.
    pub(crate) fn end(mut self, keep: bool) -> Result<(), (DatabaseError, Recovery)> {
        if let Some(failure) = self.batch_failure {
            return Err(failure);
        }
        if self.has_savepoint {
            let ended = if keep {
                let settings = local_settings("force_generic_plan", None);
                let command = "RELEASE SAVEPOINT job";
                self.run_command(command, &format!("{command}; {settings}"))
            } else {
                // Settings made behind the savepoint are rolled back as well.
                let command = "ROLLBACK TO SAVEPOINT job; RELEASE SAVEPOINT job";
                self.run_command(command, command)
            };
            ended.map_err(|error| {
                let recovery = error.recovery();
                (error, recovery)
            })?;
            if !keep {
                self.batch.forget_since_savepoint();
            }
        }
        if keep {
            let accounts = std::mem::take(&mut self.accounts);
            let open_rounds = std::mem::take(&mut self.open_rounds);
            let staged = std::mem::take(&mut self.staged);
            let log = std::mem::take(&mut self.log);
            let mut house_changes = std::mem::take(&mut self.house_changes);
            house_changes.add(&staged);
            self.batch
                .absorb(accounts, open_rounds, (staged, log), house_changes);
        }
        Ok(())
    }

    /// Records a failure after which the batch cannot continue, whether or not the use case handles
    /// it.
    fn record_failure<T>(&mut self, outcome: Result<T, DatabaseError>) -> Result<T, DatabaseError> {
        if let Err(error) = &outcome {
            // Behind its savepoint, a violated constraint or a locked row only affects the job
            // itself.
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

/// PostgreSQL's settings for the statements of a batch or of one job, until the end of the transaction.
fn local_settings(plans: &str, request: Option<Uuid>) -> String {
    let name = session_name(request);
    format!("SET LOCAL plan_cache_mode = {plans}; SET LOCAL application_name = '{name}'")
}
