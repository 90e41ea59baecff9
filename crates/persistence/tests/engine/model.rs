//! Random work in random batches, held against a model that does one job after the other in memory.

use std::collections::BTreeMap;

use glasshouse_domain::{Game, UserId, WalletError};
use glasshouse_persistence::rounds::Round;
use glasshouse_persistence::{DatabaseError, Scope, Transaction};
use glasshouse_testing::{Backend, texts};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use rstest::rstest;

use crate::play::{begin, dice, end, play, play_what_cannot_be_stored};
use crate::support::{
    BALANCE, Failure, Fixture, Gate, Outcome, Queued, Refusal, WRITERS, queue, set_balance,
};

/// How many sequences of batches are tried, each of some two hundred jobs. They are the same in each run.
const SEQUENCES: u32 = 3;

const KEYS: [&str; 4] = ["one", "two", "three", "four"];

/// Players of one writer, and others.
const PLAYERS: [i64; 5] = [1, 5, 9, 2, 3];

#[derive(Debug, Clone)]
enum Action {
    Play {
        stake: i64,
        payout: i64,
        key: Option<&'static str>,
    },
    Begin {
        game: Game,
        stake: i64,
    },
    End {
        game: Game,
        payout: i64,
    },
    SetBalance(i64),
    /// It has a statement of its own, and so a savepoint.
    Ban,
    /// It plays before it is refused.
    Refused {
        stake: i64,
        has_savepoint: bool,
    },
    /// It breaks a constraint when it is written.
    Rejected,
}

#[derive(Debug, Clone)]
struct Job {
    player: UserId,
    action: Action,
}

/// What a job is answered, as far as the model knows it: stake, payout and balance of its round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Answer {
    Round(i64, i64, i64),
    Done,
    Refused,
    TooPoor,
    Rejected,
}

fn job() -> impl Strategy<Value = Job> {
    let game = || prop::sample::select(vec![Game::Crash, Game::Mines]);
    let stake = || 1..4_000_i64;
    let payout = || prop_oneof![Just(0), 1..6_000_i64];
    let key = prop::option::of(prop::sample::select(KEYS.to_vec()));
    let action = prop_oneof![
        6 => (stake(), payout(), key)
            .prop_map(|(stake, payout, key)| Action::Play { stake, payout, key }),
        3 => (game(), stake()).prop_map(|(game, stake)| Action::Begin { game, stake }),
        3 => (game(), payout()).prop_map(|(game, payout)| Action::End { game, payout }),
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

fn answer_of(round: &Round) -> Answer {
    Answer::Round(
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
            Action::Begin { game, .. } => scope.with_game(*game),
            // What is not named is looked up when it is needed.
            _ => scope,
        }
    }

    fn run(&self, transaction: &mut Transaction<'_, '_>) -> Outcome<Answer> {
        let player = self.player;
        match &self.action {
            Action::Play { stake, payout, key } => {
                let mut bet = dice(*stake);
                bet.key = *key;
                play(transaction, player, &bet, *payout).map(|round| answer_of(&round))
            }
            Action::Begin { game, stake } => {
                if transaction.open_round(player, *game)?.is_some() {
                    return Err(Failure::Refused(Refusal::OnPurpose));
                }
                let round = begin(transaction, player, &dice(*stake).on(*game))?;
                Ok(answer_of(&round))
            }
            Action::End { game, payout } => {
                end(transaction, player, *game, *payout, None).map(|round| answer_of(&round))
            }
            Action::SetBalance(cents) => {
                set_balance(transaction, player, *cents)?;
                Ok(Answer::Done)
            }
            Action::Ban => {
                transaction.set_ban_reason(player, Some("a reason"))?;
                Ok(Answer::Done)
            }
            Action::Refused {
                stake,
                has_savepoint,
            } => {
                play(transaction, player, &dice(*stake), 2 * *stake)?;
                if *has_savepoint {
                    transaction.user(player)?;
                }
                Err(Failure::Refused(Refusal::OnPurpose))
            }
            Action::Rejected => {
                play_what_cannot_be_stored(transaction, player).map(|round| answer_of(&round))
            }
        }
    }
}

fn known(outcome: Outcome<Answer>) -> Answer {
    match outcome {
        Ok(answer) => answer,
        Err(Failure::Refused(Refusal::Wallet(WalletError::InsufficientBalance))) => Answer::TooPoor,
        Err(Failure::Refused(Refusal::OnPurpose | Refusal::NoOpenRound)) => Answer::Refused,
        Err(Failure::Fault(DatabaseError::Rejected(_))) => Answer::Rejected,
        Err(failure) => panic!("{failure:?}"),
    }
}

/// Counts of settled rounds and wins, and the cents that were staked and paid.
type Totals = [i64; 4];

#[derive(Debug, Default)]
struct Model {
    balances: BTreeMap<UserId, i64>,
    keys: BTreeMap<(UserId, &'static str), Answer>,
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

    /// What the job is to be answered.
    fn run(&mut self, job: &Job) -> Answer {
        let player = job.player;
        match &job.action {
            Action::Play { stake, payout, key } => {
                let known = key.and_then(|key| self.keys.get(&(player, key)));
                if let Some(answer) = known {
                    return *answer;
                }
                if !self.stake(player, *stake) {
                    return Answer::TooPoor;
                }
                let answer = self.settle(player, "dice", (*stake, *payout));
                if let Some(key) = *key {
                    self.keys.insert((player, key), answer);
                }
                answer
            }
            Action::Begin { game, .. } if self.open.contains_key(&(player, *game)) => {
                Answer::Refused
            }
            Action::Begin { game, stake } => {
                if !self.stake(player, *stake) {
                    return Answer::TooPoor;
                }
                self.open.insert((player, *game), *stake);
                Answer::Round(*stake, 0, self.balances[&player])
            }
            Action::End { game, payout } => match self.open.remove(&(player, *game)) {
                Some(stake) => self.settle(player, game.as_str(), (stake, *payout)),
                None => Answer::Refused,
            },
            Action::SetBalance(cents) => {
                self.balances.insert(player, *cents);
                Answer::Done
            }
            Action::Ban => Answer::Done,
            Action::Refused { stake, .. } if self.balances[&player] < *stake => Answer::TooPoor,
            Action::Refused { .. } => Answer::Refused,
            Action::Rejected => Answer::Rejected,
        }
    }

    fn stake(&mut self, player: UserId, cents: i64) -> bool {
        let balance = self.balances.entry(player).or_default();
        let is_enough = *balance >= cents;
        if is_enough {
            *balance -= cents;
        }
        is_enough
    }

    fn settle(
        &mut self,
        player: UserId,
        game: &'static str,
        (stake, payout): (i64, i64),
    ) -> Answer {
        let balance = self.balances.entry(player).or_default();
        *balance += payout;
        let totals = self.totals.entry((player, game)).or_default();
        let added = [1, i64::from(payout > stake), stake, payout];
        *totals = std::array::from_fn(|index| totals[index] + added[index]);
        Answer::Round(stake, payout, *balance)
    }

    fn assert_stored(&self, test: &Fixture) {
        for (player, cents) in &self.balances {
            assert_eq!(test.balance(*player), *cents);
        }
        let open = test.number("SELECT COUNT(*) FROM rounds WHERE state = 'open'");
        assert_eq!(open, i64::try_from(self.open.len()).unwrap());
        let mut players = Vec::new();
        let mut house = BTreeMap::<_, Totals>::new();
        for ((player, game), totals) in &self.totals {
            players.push(format!("{player} {}", line(game, totals)));
            let sums = house.entry(*game).or_default();
            *sums = std::array::from_fn(|index| sums[index] + totals[index]);
        }
        let house = house.iter().map(|(game, totals)| line(game, totals));
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

fn line(game: &str, [rounds, wins, staked, paid]: &Totals) -> String {
    format!("{game} {rounds} {wins} {staked} {paid}")
}

/// Queues the jobs while all writers are held, so that each writer's share of them is one batch.
async fn run_batch(test: &Fixture, jobs: &[Job]) -> Vec<Answer> {
    let writers = if test.is_postgres() { WRITERS } else { 1 };
    let mut gates = Vec::new();
    for writer in 0..writers {
        // Nobody has this number, so that the gate holds no account.
        let scope = Scope::player(UserId::new(1_000 * WRITERS + writer));
        gates.push(Gate::queue(&test.database, scope).reached().await);
    }
    let queued: Vec<Queued<Answer>> = jobs
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
    let mut answers = Vec::new();
    for job in queued {
        answers.push(known(job.answer().await));
    }
    answers
}

async fn compare(backend: Backend, batches: &[Vec<Job>]) {
    let test = Fixture::new(backend);
    test.players(PLAYERS.into_iter().max().unwrap()).await;
    let mut model = Model::new();
    for jobs in batches {
        let expected: Vec<Answer> = jobs.iter().map(|job| model.run(job)).collect();
        assert_eq!(run_batch(&test, jobs).await, expected);
    }
    model.assert_stored(&test);
    test.assert_books().await;
}

#[rstest]
#[case::sqlite(Backend::Sqlite)]
#[case::postgres(Backend::Postgres)]
fn any_work_in_any_batches_is_what_it_is_one_by_one(#[case] backend: Backend) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let config = Config {
        cases: SEQUENCES,
        failure_persistence: None,
        // In milliseconds: each attempt is a database of its own.
        max_shrink_time: 10_000,
        ..Config::default()
    };
    let chance = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let batches = prop::collection::vec(prop::collection::vec(job(), 1..40), 8..14);
    let outcome = TestRunner::new_with_rng(config, chance).run(&batches, |batches| {
        runtime.block_on(compare(backend, &batches));
        Ok(())
    });
    outcome.unwrap();
}
