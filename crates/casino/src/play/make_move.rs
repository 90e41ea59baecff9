//! A player does something in a round: leaves it, draws cards, calls.

use glasshouse_domain::{GameStatus, RoundId, Timestamp, UserId};
use glasshouse_games::game_round::{GameKind, GameRound, MoveError};
use glasshouse_persistence::accounts::Account;
use glasshouse_persistence::rounds::Round;
use glasshouse_persistence::{Scope, Transaction};

use crate::error::{CasinoError, LateCashOut, Refusal};
use crate::house::House;
use crate::idempotency::IdempotencyKey;
use crate::play::current::{RoundSnapshot, begin, details_text, restore_any, restore_open, settle};
use crate::play::publish::{publish_committed, run_detached};
use crate::play::round_view::{RoundView, details_of};
use crate::play::statuses::judge_status;

/// A move, and the round it is made in.
pub struct RoundMove<R: GameRound> {
    /// What the player does.
    pub play: R::Move,
    /// The round that is requested, so that a late call never changes the next one; the open one
    /// without.
    pub round: Option<RoundId>,
    /// For repeating the call.
    pub key: Option<IdempotencyKey>,
    /// The bet to start a round with where none is in play, in a game whose calls may do both.
    pub opening_bet: Option<R::Bet>,
}

impl<R: GameRound> RoundMove<R> {
    /// A move in the player's open round.
    pub const fn new(play: R::Move) -> Self {
        Self {
            play,
            round: None,
            key: None,
            opening_bet: None,
        }
    }

    /// The same, in that round only.
    #[must_use]
    pub fn in_round(mut self, round: Option<RoundId>) -> Self {
        self.round = round;
        self
    }

    /// The same, for a call that may be replay.
    #[must_use]
    pub fn with_key(mut self, key: Option<IdempotencyKey>) -> Self {
        self.key = key;
        self
    }
}

/// Makes a move. A call that ended a round and is replay with its key answers that end again, and
/// moves nothing.
///
/// # Errors
/// If there is no such round, or it is over: [`Refusal::LeftTooLate`] where it ended before the
/// player could leave it; if the move cannot be made now, or the balance does not cover what it
/// adds; or on a fault.
pub async fn make_move<R: GameRound>(
    house: &House,
    player: UserId,
    wanted: RoundMove<R>,
) -> Result<RoundView<R>, CasinoError> {
    match R::INFO.kind {
        GameKind::Instant | GameKind::Turns => {
            let now = house.now();
            finish(house, made(house, player, wanted, now).await?, now, None)
        }
        GameKind::Timed => {
            // The moment of the call: what waits for the database does not cost the player anything.
            let now = house.judged_now();
            let house = house.clone();
            run_detached(async move {
                let play = wanted.play.clone();
                let made = made(&house, player, wanted, now).await?;
                finish(&house, made, now, Some(&play))
            })
            .await
        }
    }
}

/// What a move came to.
enum Made<R> {
    /// The round goes on.
    GoesOn(RoundSnapshot<R>),
    /// It ended the round.
    Ended(RoundSnapshot<R>),
    /// The round had ended by itself: which is now written down.
    TooLate(RoundSnapshot<R>),
    /// The same call was answered before.
    Before(RoundSnapshot<R>),
}

/// Tells of the change after the commit, and what the player is answered.
fn finish<R: GameRound>(
    house: &House,
    made: Made<R>,
    now: Timestamp,
    leaving: Option<&R::Move>,
) -> Result<RoundView<R>, CasinoError> {
    match (made, leaving) {
        (Made::Before(current) | Made::GoesOn(current), _)
        | (Made::Ended(current) | Made::TooLate(current), None) => Ok(current.view()),
        (Made::Ended(current), Some(_)) => Ok(publish_committed(house, &current)),
        (Made::TooLate(current), Some(play)) => {
            let view = publish_committed(house, &current);
            // It may have ended well: by the automatic cash-out, or at the maximum.
            if current.round.multiplier.is_some() {
                Ok(view)
            } else {
                Err(too_late::<R>(&current.round, play, now)?.into())
            }
        }
    }
}

async fn made<R: GameRound>(
    house: &House,
    player: UserId,
    wanted: RoundMove<R>,
    now: Timestamp,
) -> Result<Made<R>, CasinoError> {
    let RoundMove {
        play,
        round: requested,
        key,
        opening_bet,
    } = wanted;
    let opening = match opening_bet {
        Some(bet) => Some((bet, house.game_status(R::INFO.game).await?)),
        None => None,
    };
    let key = key.map(IdempotencyKey::into_text);
    let scope = Scope::player(player)
        .with_game(R::INFO.game)
        .with_key(key.clone())
        .with_settlement_key(key.clone());
    house
        .database
        .write(scope, move |transaction| {
            let mut account = transaction.account(player)?;
            // The key first: a replay call must not change the next round.
            if let Some(key) = &key
                && let Some(round) = replay::<R>(transaction, player, requested, key)?
            {
                return answered_before(transaction, &account, round, &play, now).map(Made::Before);
            }
            let current = match find_open_round::<R>(transaction, player, requested) {
                Ok(round) => restore_open::<R>(&account, round)?,
                Err(CasinoError::Refused(Refusal::NoOpenRound)) => {
                    open_now(transaction, &mut account, opening, now)?
                }
                Err(CasinoError::Refused(Refusal::RoundOver)) => {
                    return Err(over::<R>(transaction, player, requested, &play, now)?.into());
                }
                Err(error) => return Err(error),
            };
            play_now(
                transaction,
                account,
                current,
                play.clone(),
                key.clone(),
                now,
            )
        })
        .await
}

/// Starts the round that the move is made in, if it comes with a bet.
fn open_now<R: GameRound>(
    transaction: &mut Transaction<'_, '_>,
    account: &mut Account,
    opening: Option<(R::Bet, GameStatus)>,
    now: Timestamp,
) -> Result<RoundSnapshot<R>, CasinoError> {
    let (bet, status) = opening.ok_or(Refusal::NoOpenRound)?;
    judge_status(status)?;
    begin(transaction, account, bet, None, now)
}

fn play_now<R: GameRound>(
    transaction: &mut Transaction<'_, '_>,
    mut account: Account,
    mut current: RoundSnapshot<R>,
    play: R::Move,
    key: Option<String>,
    now: Timestamp,
) -> Result<Made<R>, CasinoError> {
    let elapsed = now.saturating_since(current.round.started_at);
    let (end, is_in_time) = match current.game.play(play, elapsed) {
        Ok(Some(end)) => (end, true),
        Ok(None) => {
            let details = details_text(&current.game, None)?;
            if details != current.round.details {
                current.round = transaction.keep_details(&current.round, details)?;
            }
            return Ok(Made::GoesOn(current));
        }
        Err(MoveError::TooLate) => {
            let natural = current.game.natural_end();
            (natural.ok_or(Refusal::RoundOver)?, false)
        }
        Err(MoveError::NothingPublished) => return Err(Refusal::NothingPublished.into()),
        Err(MoveError::TooEarly(reason)) => return Err(Refusal::TooEarly(reason).into()),
    };
    let current = settle(transaction, &mut account, current, end, key, now)?;
    transaction.save_account(account);
    Ok(if is_in_time {
        Made::Ended(current)
    } else {
        Made::TooLate(current)
    })
}

/// The open round of a game, if it is the one that is requested.
fn find_open_round<R: GameRound>(
    transaction: &mut Transaction<'_, '_>,
    player: UserId,
    requested: Option<RoundId>,
) -> Result<Round, CasinoError> {
    let open = transaction.open_round(player, R::INFO.game)?;
    match (open, requested) {
        (Some(round), None) => Ok(round),
        (Some(round), Some(id)) if round.id == id => Ok(round),
        (_, Some(id)) => match transaction.round(player, id)? {
            Some(round) if round.game == R::INFO.game => Err(Refusal::RoundOver.into()),
            _ => Err(Refusal::NotFound.into()),
        },
        (None, None) => Err(Refusal::NoOpenRound.into()),
    }
}

/// The round that the same call has ended before, if it is a replay one.
fn replay<R: GameRound>(
    transaction: &mut Transaction<'_, '_>,
    player: UserId,
    requested: Option<RoundId>,
    key: &str,
) -> Result<Option<Round>, CasinoError> {
    if transaction.round_by_key(player, key)?.is_some() {
        return Err(Refusal::IdempotencyConflict.into());
    }
    let Some(round) = transaction.round_by_settlement_key(player, key)? else {
        return Ok(None);
    };
    let is_same = round.game == R::INFO.game && requested.is_none_or(|id| id == round.id);
    if !is_same {
        return Err(Refusal::IdempotencyConflict.into());
    }
    Ok(Some(round))
}

/// What a replay call is answered: what the first one came to.
fn answered_before<R: GameRound>(
    transaction: &mut Transaction<'_, '_>,
    account: &Account,
    round: Round,
    play: &R::Move,
    now: Timestamp,
) -> Result<RoundSnapshot<R>, CasinoError> {
    if matches!(R::INFO.kind, GameKind::Timed) && round.multiplier.is_none() {
        return Err(too_late::<R>(&round, play, now)?.into());
    }
    let current = restore_any::<R>(transaction, account, round)?;
    if current.game.was_ended_by(play) {
        Ok(current)
    } else {
        Err(Refusal::IdempotencyConflict.into())
    }
}

/// Why no move can be made in a round that is over.
fn over<R: GameRound>(
    transaction: &mut Transaction<'_, '_>,
    player: UserId,
    requested: Option<RoundId>,
    play: &R::Move,
    now: Timestamp,
) -> Result<Refusal, CasinoError> {
    let round = match (R::INFO.kind, requested) {
        (GameKind::Timed, Some(id)) => transaction.round(player, id)?,
        _ => None,
    };
    round.map_or(Ok(Refusal::RoundOver), |round| {
        too_late::<R>(&round, play, now)
    })
}

/// By how much a call to leave missed the end of a round. A round that ended well was left before,
/// by another call or by itself: no call missed anything there.
fn too_late<R: GameRound>(
    round: &Round,
    play: &R::Move,
    now: Timestamp,
) -> Result<Refusal, CasinoError> {
    let (Some(ended_at), None) = (round.ended_at, round.multiplier) else {
        return Ok(Refusal::RoundOver);
    };
    let missed = R::missed_end(&details_of::<R>(round)?, play);
    Ok(Refusal::LeftTooLate(LateCashOut {
        round: round.id,
        late_by: now.saturating_since(ended_at),
        crash_point: missed.crash_point,
        claim: missed.claim,
    }))
}
