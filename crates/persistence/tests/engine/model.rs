//! Compares random jobs in random batches with an in-memory model that runs one job at a time.

use std::collections::BTreeMap;

use glasshouse_domain::{Game, UserId, WalletError};
use glasshouse_persistence::rounds::Round;
use glasshouse_persistence::{DatabaseError, Scope, Transaction};
use glasshouse_testing::{Backend, POSTGRES_WRITERS, texts};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use rstest::rstest;

use crate::play::{dice, play_invalid_round, play_round, settle_round, start_round};
use crate::support::{
    BALANCE, Failure, Fixture, Gate, JobResult, Queued, Refusal, queue, set_balance,
};

/// The number of batch sequences to run, each of about two hundred jobs. They are the same in every
/// run.
const SEQUENCES: u32 = 3;

const KEYS: [&str; 4] = ["one", "two", "three", "four"];

/// The IDs of three players that share a writer, and of two players of other writers.
const PLAYERS: [i64; 5] = [1, 5, 9, 2, 3];

#[derive(Debug, Clone)]
enum Action {
    Play {
        stake: i64,
        payout: i64,
        key: Option<&'static str>,
    },
    Start {
        game: Game,
        stake: i64,
    },
    Settle {
        game: Game,
        payout: i64,
    },
    SetBalance(i64),
    /// Executes its own SQL statement, and therefore has a savepoint.
    Ban,
    /// Plays a round and is then refused.
    Refused {
        stake: i64,
        has_savepoint: bool,
    },
    /// Violates a constraint when it is written.
    Rejected,
}

#[derive(Debug, Clone)]
struct Job {
    player: UserId,
    action: Action,
}

/// The part of a job's result that the model predicts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Observed {
    /// Stake, payout and resulting balance of the job's round, in US cents.
    Round(i64, i64, i64),
    Done,
    Refused,
    InsufficientBalance,
    Rejected,
}

fn any_job() -> impl Strategy<Value = Job> {
    let game = || prop::sample::select(vec![Game::Crash, Game::Mines]);
    let stake = || 1..4_000_i64;
    let payout = || prop_oneof![Just(0), 1..6_000_i64];
    let key = prop::option::of(prop::sample::select(KEYS.to_vec()));
    let action = prop_oneof![
        6 => (stake(), payout(), key)
            .prop_map(|(stake, payout, key)| Action::Play { stake, payout, key }),
        3 => (game(), stake()).prop_map(|(game, stake)| Action::Start { game, stake }),
        3 => (game(), payout()).prop_map(|(game, payout)| Action::Settle { game, payout }),
        1 => (0..20_000_i64).prop_map(Action::SetBalance),
        1 => Just(Action::Ban),
        2 => (stake(), any::<bool>())
            .prop_map(|(stake, has_savepoint)| Action::Refused { stake, has_savepoint }),
        1 => Just(Action::Rejected),
    ];
    let player = prop::sample::select(PLAYERS.to_vec());
    (player, action).prop_map(|(player, action)| Job {
        player: UserId::new(player),
        action,
    })
}

fn observe_round(round: &Round) -> Observed {
    Observed::Round(
        round.stake.cents(),
        round.payout.cents(),
        round.balance_after.cents(),
    )
}

impl Job {
    fn scope(&self) -> Scope {
        let scope = Scope::player(self.player);
        match &self.action {
            Action::Play { key, .. } => scope.with_key(key.map(str::to_owned)),
            Action::Start { game, .. } => scope.with_game(*game),
            // Rows that the scope does not name are loaded when a job needs them.
            _ => scope,
        }
    }

    fn run(&self, transaction: &mut Transaction<'_, '_>) -> JobResult<Observed> {
        let player = self.player;
        match &self.action {
            Action::Play { stake, payout, key } => {
                let mut bet = dice(*stake);
                bet.key = *key;
                play_round(transaction, player, &bet, *payout).map(|round| observe_round(&round))
            }
            Action::Start { game, stake } => {
                if transaction.open_round(player, *game)?.is_some() {
                    return Err(Failure::Refused(Refusal::Deliberate));
                }
                let round = start_round(transaction, player, &dice(*stake).on(*game))?;
                Ok(observe_round(&round))
            }
            Action::Settle { game, payout } => {
                settle_round(transaction, player, *game, *payout, None)
                    .map(|round| observe_round(&round))
            }
            Action::SetBalance(cents) => {
                set_balance(transaction, player, *cents)?;
                Ok(Observed::Done)
            }
            Action::Ban => {
                transaction.set_ban_reason(player, Some("a reason"))?;
                Ok(Observed::Done)
            }
            Action::Refused {
                stake,
                has_savepoint,
            } => {
                play_round(transaction, player, &dice(*stake), 2 * *stake)?;
                if *has_savepoint {
                    transaction.user(player)?;
                }
                Err(Failure::Refused(Refusal::Deliberate))
            }
            Action::Rejected => {
                play_invalid_round(transaction, player).map(|round| observe_round(&round))
            }
        }
    }
}

fn observe(result: JobResult<Observed>) -> Observed {
    match result {
        Ok(observed) => observed,
        Err(Failure::Refused(Refusal::Wallet(WalletError::InsufficientBalance))) => {
            Observed::InsufficientBalance
        }
        Err(Failure::Refused(Refusal::Deliberate | Refusal::NoOpenRound)) => Observed::Refused,
        Err(Failure::Fault(DatabaseError::Rejected(_))) => Observed::Rejected,
        Err(failure) => panic!("{failure:?}"),
    }
}

/// The numbers of settled rounds and of wins, and the sums of stakes and payouts in US cents.
type Totals = [i64; 4];

#[derive(Debug, Default)]
struct Model {
    balances: BTreeMap<UserId, i64>,
    keys: BTreeMap<(UserId, &'static str), Observed>,
    open: BTreeMap<(UserId, Game), i64>,
    totals: BTreeMap<(UserId, &'static str), Totals>,
}

impl Model {
    fn new() -> Self {
        let balances = PLAYERS.map(|player| (UserId::new(player), BALANCE));
        Self {
            balances: balances.into_iter().collect(),
            ..Self::default()
        }
    }

    /// Applies a job to the model and returns its expected result.
    fn run(&mut self, job: &Job) -> Observed {
        let player = job.player;
        match &job.action {
            Action::Play { stake, payout, key } => {
                let previous = key.and_then(|key| self.keys.get(&(player, key)));
                if let Some(result) = previous {
                    return *result;
                }
                if !self.debit_stake(player, *stake) {
                    return Observed::InsufficientBalance;
                }
                let result = self.settle(player, "dice", (*stake, *payout));
                if let Some(key) = *key {
                    self.keys.insert((player, key), result);
                }
                result
            }
            Action::Start { game, .. } if self.open.contains_key(&(player, *game)) => {
                Observed::Refused
            }
            Action::Start { game, stake } => {
                if !self.debit_stake(player, *stake) {
                    return Observed::InsufficientBalance;
                }
                self.open.insert((player, *game), *stake);
                Observed::Round(*stake, 0, self.balances[&player])
            }
            Action::Settle { game, payout } => match self.open.remove(&(player, *game)) {
                Some(stake) => self.settle(player, game.as_str(), (stake, *payout)),
                None => Observed::Refused,
            },
            Action::SetBalance(cents) => {
                self.balances.insert(player, *cents);
                Observed::Done
            }
            Action::Ban => Observed::Done,
            Action::Refused { stake, .. } if self.balances[&player] < *stake => {
                Observed::InsufficientBalance
            }
            Action::Refused { .. } => Observed::Refused,
            Action::Rejected => Observed::Rejected,
        }
    }

    fn debit_stake(&mut self, player: UserId, cents: i64) -> bool {
        let balance = self.balances.entry(player).or_default();
        let has_funds = *balance >= cents;
        if has_funds {
            *balance -= cents;
        }
        has_funds
    }

    fn settle(
        &mut self,
        player: UserId,
        game: &'static str,
        (stake, payout): (i64, i64),
    ) -> Observed {
        let balance = self.balances.entry(player).or_default();
        *balance += payout;
        let totals = self.totals.entry((player, game)).or_default();
        let added = [1, i64::from(payout > stake), stake, payout];
        *totals = std::array::from_fn(|index| totals[index] + added[index]);
        Observed::Round(stake, payout, *balance)
    }

    fn assert_matches_database(&self, test: &Fixture) {
        for (player, cents) in &self.balances {
            assert_eq!(test.balance(*player), *cents);
        }
        let open = test.number("SELECT COUNT(*) FROM rounds WHERE state = 'open'");
        assert_eq!(open, i64::try_from(self.open.len()).unwrap());
        let mut players = Vec::new();
        let mut house = BTreeMap::<_, Totals>::new();
        for ((player, game), totals) in &self.totals {
            players.push(format!("{player} {}", totals_line(game, totals)));
            let sums = house.entry(*game).or_default();
            *sums = std::array::from_fn(|index| sums[index] + totals[index]);
        }
        let house = house.iter().map(|(game, totals)| totals_line(game, totals));
        let stored = texts(
            &test.url,
            "SELECT player_id || ' ' || game || ' ' || rounds || ' ' || wins || ' ' || staked_cents
                || ' ' || paid_cents AS value FROM player_statistics ORDER BY player_id, game",
        );
        assert_eq!(stored, players);
        let stored = texts(
            &test.url,
            "SELECT game || ' ' || SUM(rounds) || ' ' || SUM(wins) || ' ' || SUM(staked_cents)
                || ' ' || SUM(paid_cents) AS value FROM house_totals GROUP BY game ORDER BY game",
        );
        assert_eq!(stored, house.collect::<Vec<_>>());
    }
}

fn totals_line(game: &str, [rounds, wins, staked, paid]: &Totals) -> String {
    format!("{game} {rounds} {wins} {staked} {paid}")
}

/// Queues the jobs while all writers are held, so each writer runs its share of them as one batch.
async fn run_batch(test: &Fixture, jobs: &[Job]) -> Vec<Observed> {
    let writers = if test.is_postgres() {
        POSTGRES_WRITERS
    } else {
        1
    };
    let mut gates = Vec::new();
    for writer in 0..writers {
        // No player has this ID, so the gate locks no account.
        let scope = Scope::player(UserId::new(1_000 * POSTGRES_WRITERS + writer));
        gates.push(Gate::queue(&test.database, scope).reached().await);
    }
    let queued: Vec<Queued<Observed>> = jobs
        .iter()
        .cloned()
        .map(|job| {
            queue(&test.database, job.scope(), move |transaction| {
                job.run(transaction)
            })
        })
        .collect();
    for gate in gates {
        gate.open().await;
    }
    let mut results = Vec::new();
    for job in queued {
        results.push(observe(job.result().await));
    }
    results
}

async fn compare_with_model(backend: Backend, batches: &[Vec<Job>]) {
    let test = Fixture::new(backend);
    test.create_players(PLAYERS.into_iter().max().unwrap())
        .await;
    let mut model = Model::new();
    for jobs in batches {
        let expected: Vec<Observed> = jobs.iter().map(|job| model.run(job)).collect();
        assert_eq!(run_batch(&test, jobs).await, expected);
    }
    model.assert_matches_database(&test);
    test.assert_consistent().await;
}

#[rstest]
#[case::sqlite(Backend::Sqlite)]
#[case::postgres(Backend::Postgres)]
fn batches_give_the_same_results_as_sequential_execution(#[case] backend: Backend) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let config = Config {
        cases: SEQUENCES,
        failure_persistence: None,
        // In milliseconds. Kept short because each attempt creates a database.
        max_shrink_time: 10_000,
        ..Config::default()
    };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let batches = prop::collection::vec(prop::collection::vec(any_job(), 1..40), 8..14);
    let result = TestRunner::new_with_rng(config, rng).run(&batches, |batches| {
        runtime.block_on(compare_with_model(backend, &batches));
        Ok(())
    });
    result.unwrap();
}
