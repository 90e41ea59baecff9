//! Makes a move in a round, such as cash out, draw or call.

use glasshouse_domain::{RoundId, Timestamp, UserId};
use glasshouse_games::game_round::{GameKind, GameRound, MoveError};
use glasshouse_persistence::accounts::Account;
use glasshouse_persistence::rounds::Round;
use glasshouse_persistence::{Scope, Transaction};

use crate::error::{CasinoError, LateCashOut, Refusal};
use crate::house::House;
use crate::idempotency::IdempotencyKey;
use crate::play::conditions::Conditions;
use crate::play::current::{
    BeginningRound, RoundSnapshot, restore_any, restore_open, settle, start_round,
};
use crate::play::publish::{publish_committed, run_detached};
use crate::play::round_view::{RoundView, details_of, details_text};

/// A move and the round that it is made in.
pub struct RoundMove<R: GameRound> {
    /// The player's move.
    pub play: R::Move,
    /// The requested round, so that a late request never changes the next one. `None` means the
    /// open round.
    pub round: Option<RoundId>,
    /// The idempotency key.
    pub key: Option<IdempotencyKey>,
    /// The bet to start a round with if none is open, in games whose requests may do both.
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

    /// Restricts the move to the given round.
    #[must_use]
    pub fn in_round(mut self, round: Option<RoundId>) -> Self {
        self.round = round;
        self
    }

    /// Sets the idempotency key.
    #[must_use]
    pub fn with_key(mut self, key: Option<IdempotencyKey>) -> Self {
        self.key = key;
        self
    }
}

/// Makes a move. A repeated request with the key of a request that ended a round returns that end
/// again and moves no money.
///
/// # Errors
/// If the round does not exist or is over ([`Refusal::LeftTooLate`] if it ended before the player's
/// cash-out arrived), if the move is not possible now, if the balance does not cover what the move
/// adds; or on a fault.
pub async fn make_move<R: GameRound>(
    house: &House,
    player: UserId,
    request: RoundMove<R>,
) -> Result<RoundView<R>, CasinoError> {
    match R::INFO.kind {
        GameKind::Instant | GameKind::Turns => {
            let now = house.now();
            finish(
                house,
                apply_move(house, player, request, now).await?,
                now,
                None,
            )
        }
        GameKind::Timed => {
            // The time of arrival: waiting for the database must not cost the player anything.
            let now = house.judged_now();
            let house = house.clone();
            run_detached(async move {
                let play = request.play.clone();
                let result = apply_move(&house, player, request, now).await?;
                finish(&house, result, now, Some(&play))
            })
            .await
        }
    }
}

/// The result of a move.
enum MoveResult<R> {
    /// The round continues.
    Continues(RoundSnapshot<R>),
    /// The move ended the round.
    Ended(RoundSnapshot<R>),
    /// The round had ended by itself, which has now been recorded.
    TooLate(RoundSnapshot<R>),
    /// The same request was answered before.
    Replayed(RoundSnapshot<R>),
}

/// Publishes the change after the commit and returns the response. `leaving` is the move of a timed
/// game.
fn finish<R: GameRound>(
    house: &House,
    result: MoveResult<R>,
    now: Timestamp,
    leaving: Option<&R::Move>,
) -> Result<RoundView<R>, CasinoError> {
    match (result, leaving) {
        (MoveResult::Replayed(current) | MoveResult::Continues(current), _)
        | (MoveResult::Ended(current) | MoveResult::TooLate(current), None) => Ok(current.view()),
        (MoveResult::Ended(current), Some(_)) => Ok(publish_committed(house, &current)),
        (MoveResult::TooLate(current), Some(play)) => {
            let view = publish_committed(house, &current);
            // It may have ended with a payout: by an automatic cash-out, or at the maximum
            // multiplier.
            if current.round.multiplier.is_some() {
                Ok(view)
            } else {
                Err(too_late::<R>(&current.round, play, now)?.into())
            }
        }
    }
}

async fn apply_move<R: GameRound>(
    house: &House,
    player: UserId,
    request: RoundMove<R>,
    now: Timestamp,
) -> Result<MoveResult<R>, CasinoError> {
    let RoundMove {
        play,
        round: requested,
        key,
        opening_bet,
    } = request;
    let opening = match opening_bet {
        Some(bet) => Some((bet, Conditions::now(house).await?)),
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
            // The key comes first: a repeated request must not change the next round.
            if let Some(key) = &key
                && let Some(round) = replay::<R>(transaction, player, requested, key)?
            {
                return replay_result(transaction, &account, round, &play, now)
                    .map(MoveResult::Replayed);
            }
            let current = match find_open_round::<R>(transaction, player, requested) {
                Ok(round) => restore_open::<R>(&transaction.keys().seeds, &account, round)?,
                Err(CasinoError::Refused(Refusal::NoOpenRound)) => {
                    start_if_requested(transaction, &mut account, opening.as_ref(), now)?
                }
                Err(CasinoError::Refused(Refusal::RoundOver)) => {
                    return Err(
                        refuse_after_end::<R>(transaction, player, requested, &play, now)?.into(),
                    );
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

/// Starts the round that the move is made in, if the request has a bet.
fn start_if_requested<R: GameRound>(
    transaction: &mut Transaction<'_, '_>,
    account: &mut Account,
    opening: Option<&(R::Bet, Conditions)>,
    now: Timestamp,
) -> Result<RoundSnapshot<R>, CasinoError> {
    let (bet, conditions) = opening.ok_or(Refusal::NoOpenRound)?;
    conditions.require::<R>(bet, account)?;
    let beginning = BeginningRound {
        bet: *bet,
        exposure: conditions.exposure::<R>(transaction, bet)?,
        idempotency_key: None,
    };
    start_round(transaction, account, beginning, now)
}

fn play_now<R: GameRound>(
    transaction: &mut Transaction<'_, '_>,
    mut account: Account,
    mut current: RoundSnapshot<R>,
    play: R::Move,
    key: Option<String>,
    now: Timestamp,
) -> Result<MoveResult<R>, CasinoError> {
    let elapsed = now.saturating_since(current.round.started_at);
    let (end, is_in_time) = match current.game.play(play, elapsed) {
        Ok(Some(end)) => (end, true),
        Ok(None) => {
            let details = details_text(&current.game, None)?;
            if details != current.round.details {
                current.round = transaction.keep_details(&current.round, details)?;
            }
            return Ok(MoveResult::Continues(current));
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
        MoveResult::Ended(current)
    } else {
        MoveResult::TooLate(current)
    })
}

/// The player's open round of the game, if it is the requested one.
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

/// The round that the same request has ended before, if it is a repeated one.
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

/// The response to a repeated request: the result of the first one.
fn replay_result<R: GameRound>(
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

/// The refusal of a move in a round that is over.
fn refuse_after_end<R: GameRound>(
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

/// The refusal of a cash-out that missed the end of its round. A round with a multiplier was cashed
/// out before, by another request or automatically, so no request missed its end.
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
