//! A player starts a round of crash or stonks: the stake is taken, the future is decided.

use std::sync::Arc;

use glasshouse_domain::{Game, Money, Timestamp, UserId};
use glasshouse_games::fairness::Stream;
use glasshouse_games::{crash, stonks};
use glasshouse_persistence::accounts::Account;
use glasshouse_persistence::rounds::Round;
use glasshouse_persistence::{Scope, Transaction};

use crate::error::{CasinoError, Refusal};
use crate::fairness::seeds::stream_by_account;
use crate::house::House;
use crate::idempotency::IdempotencyKey;
use crate::play::timed::crash::CrashRoundView;
use crate::play::timed::events::RoundEvent;
use crate::play::timed::plan::{Current, Plan, announce, begin, restore, settle, to_the_end};
use crate::play::timed::stonks::StonksRoundView;

/// The bet of either game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LiveBet {
    Crash(crash::Bet),
    Stonks(stonks::Bet),
}

impl LiveBet {
    const fn game(&self) -> Game {
        match self {
            Self::Crash(_) => Game::Crash,
            Self::Stonks(_) => Game::Stonks,
        }
    }

    const fn stake(&self) -> Money {
        match self {
            Self::Crash(bet) => bet.stake(),
            Self::Stonks(bet) => bet.stake(),
        }
    }

    fn plan(self, stream: &mut Stream) -> Plan {
        match self {
            Self::Crash(bet) => Plan::Crash(crash::Round::new(bet, stream)),
            Self::Stonks(bet) => Plan::Stonks(Arc::new(stonks::Round::new(bet, stream))),
        }
    }

    fn is_of(&self, plan: &Plan) -> bool {
        match (self, plan) {
            (Self::Crash(bet), Plan::Crash(plan)) => bet == plan.bet(),
            (Self::Stonks(bet), Plan::Stonks(plan)) => bet == plan.bet(),
            _ => false,
        }
    }
}

/// Starts a round of crash. The same key with the same bet answers that round again, as it is now.
///
/// # Errors
/// If the balance does not cover the stake, a round is in play, the key has answered another call,
/// or on a fault.
pub async fn start_crash_round(
    house: &House,
    player: UserId,
    bet: crash::Bet,
    key: Option<IdempotencyKey>,
) -> Result<CrashRoundView, CasinoError> {
    match start(house, player, LiveBet::Crash(bet), key).await? {
        RoundEvent::Crash(view) => Ok(view),
        RoundEvent::Stonks(_) => Err(Refusal::IdempotencyConflict.into()),
    }
}

/// Starts a round of stonks. The same key with the same bet answers that round again, as it is now.
///
/// # Errors
/// As [`start_crash_round`].
pub async fn start_stonks_round(
    house: &House,
    player: UserId,
    bet: stonks::Bet,
    key: Option<IdempotencyKey>,
) -> Result<StonksRoundView, CasinoError> {
    match start(house, player, LiveBet::Stonks(bet), key).await? {
        RoundEvent::Stonks(view) => Ok(view),
        RoundEvent::Crash(_) => Err(Refusal::IdempotencyConflict.into()),
    }
}

/// What a start came to, and the round before it if that had to be ended first.
struct Started {
    ended: Option<Current>,
    current: Current,
    is_repeated: bool,
}

async fn start(
    house: &House,
    player: UserId,
    bet: LiveBet,
    key: Option<IdempotencyKey>,
) -> Result<RoundEvent, CasinoError> {
    let house = house.clone();
    to_the_end(async move { start_and_tell(&house, player, bet, key).await }).await
}

async fn start_and_tell(
    house: &House,
    player: UserId,
    bet: LiveBet,
    key: Option<IdempotencyKey>,
) -> Result<RoundEvent, CasinoError> {
    let key = key.map(IdempotencyKey::into_text);
    let scope = Scope::player(player)
        .with_key(key.clone())
        .with_game(bet.game());
    let now = house.now();
    let started: Started = house
        .database
        .write(scope, move |transaction| {
            let mut account = transaction.account(player)?;
            if let Some(key) = &key
                && let Some(round) = transaction.round_by_key(player, key)?
            {
                let current = first_result(&account, round, bet, transaction)?;
                return Ok(Started {
                    ended: None,
                    current,
                    is_repeated: true,
                });
            }
            let ended = end_previous(transaction, &mut account, bet.game(), now)?;
            let plan = |stream: &mut Stream| bet.plan(stream);
            let current = begin(
                transaction,
                &mut account,
                bet.stake(),
                plan,
                key.clone(),
                now,
            )?;
            transaction.save_account(account);
            Ok::<_, CasinoError>(Started {
                ended,
                current,
                is_repeated: false,
            })
        })
        .await?;
    if let Some(ended) = &started.ended {
        announce(house, ended)?;
    }
    if started.is_repeated {
        return started.current.view();
    }
    announce(house, &started.current)
}

/// A round whose end has passed is over, whether or not anybody has ended it; one in play refuses.
fn end_previous(
    transaction: &mut Transaction<'_, '_>,
    account: &mut Account,
    game: Game,
    now: Timestamp,
) -> Result<Option<Current>, CasinoError> {
    let Some(round) = transaction.open_round(account.player, game)? else {
        return Ok(None);
    };
    let id = round.id;
    match restore(account, round, now)? {
        (current, Some(ending)) => {
            settle(transaction, account, current, &ending, None, now).map(Some)
        }
        (_, None) => Err(Refusal::RoundOpen { id }.into()),
    }
}

fn first_result(
    account: &Account,
    round: Round,
    bet: LiveBet,
    transaction: &mut Transaction<'_, '_>,
) -> Result<Current, CasinoError> {
    if round.game != bet.game() {
        return Err(Refusal::IdempotencyConflict.into());
    }
    let mut stream = stream_by_account(transaction, account, &round)?;
    let plan = Plan::restore(&round, &mut stream)?;
    if bet.is_of(&plan) {
        Ok(Current { round, plan })
    } else {
        Err(Refusal::IdempotencyConflict.into())
    }
}
