//! A player leaves a round of crash or stonks: cashes out, or sells.

use glasshouse_domain::{Game, Multiplier, RoundId, Timestamp, UserId};
use glasshouse_games::live::LeaveRefused;
use glasshouse_persistence::rounds::Round;
use glasshouse_persistence::{Scope, Transaction};

use crate::error::{CasinoError, LateLeaving, Refusal};
use crate::fairness::seeds::stream_of_round;
use crate::house::House;
use crate::idempotency::IdempotencyKey;
use crate::play::engine::open_round_meant;
use crate::play::timed::crash::CrashRoundView;
use crate::play::timed::events::RoundEvent;
use crate::play::timed::plan::{Current, NO_CLAIM, Plan, announce, restore, settle, to_the_end};
use crate::play::timed::stonks::StonksRoundView;

/// Which round is left, and how.
#[derive(Debug, Clone, Default)]
pub struct Leaving {
    /// The round that is meant, so that a late call never ends the next one; the open one without.
    pub round: Option<RoundId>,
    /// For repeating the call.
    pub key: Option<IdempotencyKey>,
}

/// Cashes out of the player's open round of crash: pays the multiplier of this moment, or `claim`
/// if that is less.
///
/// # Errors
/// If there is no such round, or it is over: [`Refusal::LeftTooLate`] where it had crashed; or on a
/// fault.
pub async fn cash_out(
    house: &House,
    player: UserId,
    claim: Multiplier,
    leaving: Leaving,
) -> Result<CrashRoundView, CasinoError> {
    match leave(house, player, Game::Crash, claim, leaving).await? {
        RoundEvent::Crash(view) => Ok(view),
        RoundEvent::Stonks(_) => Err(Refusal::NoOpenRound.into()),
    }
}

/// Sells the position of the player's open round of stonks at the last point published.
///
/// # Errors
/// If there is no such round, it is over, or nothing is published yet; or on a fault.
pub async fn sell(
    house: &House,
    player: UserId,
    leaving: Leaving,
) -> Result<StonksRoundView, CasinoError> {
    match leave(house, player, Game::Stonks, NO_CLAIM, leaving).await? {
        RoundEvent::Stonks(view) => Ok(view),
        RoundEvent::Crash(_) => Err(Refusal::NoOpenRound.into()),
    }
}

/// What leaving came to.
enum Left {
    /// The player was in time.
    InTime(Current),
    /// The round had ended by itself: which is now written down.
    TooLate(Current),
    /// The same call was answered before.
    Before(Current),
}

async fn leave(
    house: &House,
    player: UserId,
    game: Game,
    claim: Multiplier,
    leaving: Leaving,
) -> Result<RoundEvent, CasinoError> {
    // The moment of the call: what waits for the database does not cost the player anything.
    let now = house.judged_now();
    let house = house.clone();
    to_the_end(async move { leave_and_tell(&house, player, game, claim, leaving, now).await }).await
}

async fn leave_and_tell(
    house: &House,
    player: UserId,
    game: Game,
    claim: Multiplier,
    leaving: Leaving,
    now: Timestamp,
) -> Result<RoundEvent, CasinoError> {
    let key = leaving.key.map(IdempotencyKey::into_text);
    let scope = Scope::player(player)
        .with_game(game)
        .with_key(key.clone())
        .with_settlement_key(key.clone());
    let left: Left = house
        .database
        .write(scope, move |transaction| {
            // The key first: a repeated call must not end the next round.
            if let Some(key) = &key
                && let Some(round) = repeat(transaction, player, game, leaving.round, key)?
            {
                return answered_before(transaction, round, claim, now).map(Left::Before);
            }
            match open_round_meant(transaction, player, game, leaving.round) {
                Ok(round) => end_open(transaction, round, claim, key.clone(), now),
                Err(CasinoError::Refused(Refusal::RoundOver)) => {
                    Err(over(transaction, player, leaving.round, claim, now)?.into())
                }
                Err(error) => Err(error),
            }
        })
        .await?;
    match left {
        Left::InTime(current) => announce(house, &current),
        Left::Before(current) => current.view(),
        Left::TooLate(current) => {
            let event = announce(house, &current)?;
            // It may have ended well: by the automatic cash-out, or at the maximum.
            if current.round.multiplier.is_some() {
                Ok(event)
            } else {
                Err(too_late(&current.round, claim, now)?.into())
            }
        }
    }
}

/// Why a round that is over cannot be left.
fn over(
    transaction: &mut Transaction<'_, '_>,
    player: UserId,
    meant: Option<RoundId>,
    claim: Multiplier,
    now: Timestamp,
) -> Result<Refusal, CasinoError> {
    let round = match meant {
        Some(id) => transaction.round(player, id)?,
        None => None,
    };
    round.map_or(Ok(Refusal::RoundOver), |round| too_late(&round, claim, now))
}

/// By how much a call to leave missed the crash of a round. A round that ended well was left before,
/// by another call or by itself: no call missed anything there.
fn too_late(round: &Round, claim: Multiplier, now: Timestamp) -> Result<Refusal, CasinoError> {
    let (Some(ended_at), None) = (round.ended_at, round.multiplier) else {
        return Ok(Refusal::RoundOver);
    };
    let is_crash = round.game == Game::Crash;
    let crash_point = if is_crash {
        CrashRoundView::of(round.clone())?.crash_point
    } else {
        None
    };
    Ok(Refusal::LeftTooLate(LateLeaving {
        round: round.id,
        late_by: now.saturating_since(ended_at),
        crash_point,
        claim: is_crash.then_some(claim),
    }))
}

fn end_open(
    transaction: &mut Transaction<'_, '_>,
    round: Round,
    claim: Multiplier,
    key: Option<String>,
    now: Timestamp,
) -> Result<Left, CasinoError> {
    let mut account = transaction.account(round.player)?;
    let elapsed = now.saturating_since(round.started_at);
    let (current, _) = restore(&account, round, now)?;
    match current.plan.live().leave(elapsed, claim) {
        Ok(ending) => {
            let current = settle(transaction, &mut account, current, &ending, key, now)?;
            transaction.save_account(account);
            Ok(Left::InTime(current))
        }
        Err(LeaveRefused::TooLate) => {
            let ending = current.plan.live().ending();
            let current = settle(transaction, &mut account, current, &ending, key, now)?;
            transaction.save_account(account);
            Ok(Left::TooLate(current))
        }
        Err(LeaveRefused::TooEarly) => Err(Refusal::NothingPublished.into()),
    }
}

/// The round that the same call has ended before, if it is a repeated one.
fn repeat(
    transaction: &mut Transaction<'_, '_>,
    player: UserId,
    game: Game,
    meant: Option<RoundId>,
    key: &str,
) -> Result<Option<Round>, CasinoError> {
    if transaction.round_by_key(player, key)?.is_some() {
        return Err(Refusal::IdempotencyConflict.into());
    }
    let Some(round) = transaction.round_by_settlement_key(player, key)? else {
        return Ok(None);
    };
    let is_same = round.game == game && meant.is_none_or(|id| id == round.id);
    if !is_same {
        return Err(Refusal::IdempotencyConflict.into());
    }
    Ok(Some(round))
}

/// What a repeated call is answered: what the first one came to.
fn answered_before(
    transaction: &mut Transaction<'_, '_>,
    round: Round,
    claim: Multiplier,
    now: Timestamp,
) -> Result<Current, CasinoError> {
    if round.multiplier.is_none() {
        return Err(too_late(&round, claim, now)?.into());
    }
    let plan = Plan::restore(&round, &mut stream_of_round(transaction, &round)?)?;
    Ok(Current { round, plan })
}
