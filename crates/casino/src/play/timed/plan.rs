//! What starting, leaving and ending a round of crash or stonks have in common.

use std::sync::Arc;

use glasshouse_domain::{Game, Money, Multiplier, Outcome, RulesVersion, Spread, Timestamp};
use glasshouse_games::fairness::Stream;
use glasshouse_games::live::{Ending, LiveRound};
use glasshouse_games::spread::{self, CrashEnd};
use glasshouse_games::{crash, stonks};
use glasshouse_persistence::Transaction;
use glasshouse_persistence::accounts::Account;
use glasshouse_persistence::rounds::{DueRound, OpenedRound, Round, SettledRound, Settlement};

use crate::error::CasinoError;
use crate::fairness::seeds::stream_of;
use crate::house::House;
use crate::play::engine::{pay_out, place_stake};
use crate::play::timed::crash::{self as crash_round, CrashRoundView};
use crate::play::timed::events::RoundEvent;
use crate::play::timed::stonks::{self as stonks_round, StonksRoundView};

/// A round whose whole future is known: to the server only.
#[derive(Debug, Clone)]
pub(crate) enum Plan {
    Crash(crash::Round),
    Stonks(Arc<stonks::Round>),
}

impl Plan {
    /// The future of a stored round.
    pub(crate) fn restore(round: &Round, stream: &mut Stream) -> Result<Self, CasinoError> {
        match round.game {
            Game::Crash => crash_round::plan(round, stream).map(Self::Crash),
            Game::Stonks => {
                let plan = stonks_round::plan(round, stream)?;
                Ok(Self::Stonks(Arc::new(plan)))
            }
            Game::Dice | Game::Poker | Game::HeadsUp => Err(CasinoError::corrupt(format!(
                "round {} of {} has no clock",
                round.id,
                round.game.as_str()
            ))),
        }
    }

    pub(crate) fn live(&self) -> &dyn LiveRound {
        match self {
            Self::Crash(plan) => plan,
            Self::Stonks(plan) => plan.as_ref(),
        }
    }

    const fn game(&self) -> Game {
        match self {
            Self::Crash(_) => Game::Crash,
            Self::Stonks(_) => Game::Stonks,
        }
    }

    /// What is stored of it while it is in play.
    fn open_details(&self) -> Result<String, CasinoError> {
        match self {
            Self::Crash(plan) => crash_round::details(plan.bet(), None),
            Self::Stonks(plan) => stonks_round::details(plan.bet(), None),
        }
    }

    /// What is stored of it once it is over.
    pub(crate) fn final_details(&self, ending: &Ending) -> Result<String, CasinoError> {
        match self {
            Self::Crash(plan) => crash_round::details(plan.bet(), Some(plan.crash_point().shown())),
            Self::Stonks(plan) => {
                let tick = stonks::Round::tick_after(ending.after);
                stonks_round::details(plan.bet(), ending.multiplier.map(|_| tick))
            }
        }
    }

    /// What the rules let expect of a round that ended so; `from_start` is the round's stream anew.
    pub(crate) fn spread(
        &self,
        ending: &Ending,
        from_start: impl FnOnce() -> Result<Stream, CasinoError>,
    ) -> Result<Spread, CasinoError> {
        Ok(match self {
            Self::Crash(plan) => {
                let end = match ending.multiplier {
                    Some(multiplier) => CrashEnd::CashedOut(multiplier),
                    None if ending.after.is_zero() => CrashEnd::AtOnce,
                    None => CrashEnd::Crashed(plan.crash_point().shown()),
                };
                spread::crash(plan.bet().stake(), end)
            }
            Self::Stonks(plan) => {
                let tick = stonks::Round::tick_after(ending.after);
                spread::stonks(plan.bet().stake(), &mut from_start()?, tick)
            }
        })
    }

    /// What the player may see of it.
    pub(crate) fn view(&self, round: Round) -> Result<RoundEvent, CasinoError> {
        Ok(match self {
            Self::Crash(_) => RoundEvent::Crash(CrashRoundView::of(round)?),
            Self::Stonks(plan) => {
                RoundEvent::Stonks(StonksRoundView::new(round, Arc::clone(plan))?)
            }
        })
    }
}

/// How the history tells an ending.
pub(crate) fn outcome(ending: &Ending) -> Outcome {
    ending.multiplier.map_or(Outcome::Loss, Outcome::CashedOut)
}

/// A round as the last change left it, with its future.
#[derive(Debug, Clone)]
pub(crate) struct Current {
    pub(crate) round: Round,
    pub(crate) plan: Plan,
}

impl Current {
    pub(crate) fn view(&self) -> Result<RoundEvent, CasinoError> {
        self.plan.view(self.round.clone())
    }

    /// What the schedule knows it by.
    fn due(&self) -> Option<DueRound> {
        Some(due_round(&self.round, self.round.due_at?))
    }
}

pub(crate) const fn due_round(round: &Round, due_at: Timestamp) -> DueRound {
    DueRound {
        id: round.id,
        player: round.player,
        game: round.game,
        due_at,
    }
}

/// Takes the stake and begins the round that the account's next nonce decides. One that is over at
/// once is settled at once.
pub(crate) fn begin(
    transaction: &mut Transaction<'_, '_>,
    account: &mut Account,
    stake: Money,
    plan: impl FnOnce(&mut Stream) -> Plan,
    idempotency_key: Option<String>,
    at: Timestamp,
) -> Result<Current, CasinoError> {
    let (id, nonce) = place_stake(transaction, account, stake, at)?;
    let mut stream = stream_of(account, nonce)?;
    let plan = plan(&mut stream);
    let game = plan.game();
    let rules = RulesVersion::CURRENT;
    let ending = plan.live().ending();
    let round = if ending.after.is_zero() {
        // It crashed before anything could be done, so nothing is paid.
        transaction.add_settled_round(
            account,
            SettledRound {
                id,
                game,
                rules,
                stake,
                payout: ending.payout.in_cents(rules, &stream),
                spread: plan.spread(&ending, || stream_of(account, nonce))?,
                outcome: outcome(&ending),
                details: plan.final_details(&ending)?,
                nonce,
                idempotency_key,
                at,
            },
        )
    } else {
        transaction.add_open_round(
            account,
            OpenedRound {
                id,
                game,
                rules,
                stake,
                details: plan.open_details()?,
                nonce,
                idempotency_key,
                at,
                due_at: Some(at.saturating_add(ending.after)),
            },
        )
    };
    Ok(Current { round, plan })
}

/// What an open round of the account's pays, by the rules that it was started under. Where that is
/// whole anyway, its seeds are not looked at.
fn payout_of(account: &Account, round: &Round, ending: &Ending) -> Result<Money, CasinoError> {
    if ending.payout.is_whole() {
        return Ok(ending.payout.rounded_down());
    }
    let stream = stream_of(account, round.nonce)?;
    Ok(ending.payout.in_cents(round.rules, &stream))
}

/// Ends an open round: pays, and writes down how it ended, at the moment that it did.
pub(crate) fn settle(
    transaction: &mut Transaction<'_, '_>,
    account: &mut Account,
    current: Current,
    ending: &Ending,
    key: Option<String>,
    now: Timestamp,
) -> Result<Current, CasinoError> {
    let Current { round, plan } = current;
    let payout = payout_of(account, &round, ending)?;
    pay_out(transaction, account, round.id, payout, now)?;
    let settlement = Settlement {
        stake: round.stake,
        payout,
        spread: plan.spread(ending, || stream_of(account, round.nonce))?,
        outcome: outcome(ending),
        details: plan.final_details(ending)?,
        key,
        at: round.started_at.saturating_add(ending.after),
    };
    let round = transaction.settle_round(account, &round, settlement);
    Ok(Current { round, plan })
}

/// An open round with its future, and how it ends by itself if it is due.
pub(crate) fn restore(
    account: &Account,
    round: Round,
    now: Timestamp,
) -> Result<(Current, Option<Ending>), CasinoError> {
    if round.seed_pair != account.seeds.id {
        let what = format!("open round {} is of another seed pair", round.id);
        return Err(CasinoError::corrupt(what));
    }
    let plan = Plan::restore(&round, &mut stream_of(account, round.nonce)?)?;
    let ending = plan.live().ending();
    let is_due = now >= round.started_at.saturating_add(ending.after);
    Ok((Current { round, plan }, is_due.then_some(ending)))
}

/// Tells everybody concerned that a round began or ended, after the commit.
pub(crate) fn announce(house: &House, current: &Current) -> Result<RoundEvent, CasinoError> {
    if !current.round.is_open() {
        let game = current.round.game.as_str();
        metrics::counter!("glasshouse_rounds_ended_total", "game" => game).increment(1);
    }
    tell(house, current)
}

/// Tells the schedule and the player's streams how a round stands.
pub(crate) fn tell(house: &House, current: &Current) -> Result<RoundEvent, CasinoError> {
    if let Some(due) = current.due() {
        if current.round.is_open() {
            house.schedule.add(&due);
        } else {
            house.schedule.remove(&due);
        }
    }
    let event = current.view()?;
    house.events.publish(current.round.player, &event);
    Ok(event)
}

/// Runs a change and the telling of it to the end, even where the caller went away in between: what
/// is committed must be told.
pub(crate) async fn to_the_end<T: Send + 'static>(
    work: impl Future<Output = Result<T, CasinoError>> + Send + 'static,
) -> Result<T, CasinoError> {
    tokio::spawn(work)
        .await
        .map_err(|error| CasinoError::corrupt(format!("a use case stopped: {error}")))?
}

/// What a claim is where the game does not ask for one.
pub(crate) const NO_CLAIM: Multiplier = Multiplier::ZERO;
