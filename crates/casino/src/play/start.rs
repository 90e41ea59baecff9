//! Starts a round of any game: debits the stake and draws the outcome.

use glasshouse_domain::{Timestamp, UserId};
use glasshouse_games::game_round::{GameKind, GameRound};
use glasshouse_persistence::accounts::Account;
use glasshouse_persistence::rounds::Round;
use glasshouse_persistence::{Scope, Transaction};

use crate::error::{CasinoError, Refusal};
use crate::house::House;
use crate::idempotency::IdempotencyKey;
use crate::play::conditions::Conditions;
use crate::play::current::{
    BeginningRound, RoundSnapshot, restore_any, restore_open, settle, start_round,
};
use crate::play::publish::{publish_committed, run_detached};
use crate::play::round_view::RoundView;

/// Starts a round. A repeated request with the same key and the same bet returns that round in its
/// current state and moves no money.
///
/// # Errors
/// If the balance does not cover the stake, the game is not open, the player has an open round of
/// it, the key was used for a different request, or on a fault.
pub async fn start<R: GameRound>(
    house: &House,
    player: UserId,
    bet: R::Bet,
    key: Option<IdempotencyKey>,
) -> Result<RoundView<R>, CasinoError> {
    let key = key.map(IdempotencyKey::into_text);
    match R::INFO.kind {
        GameKind::Instant | GameKind::Turns => {
            let started = start_in_transaction::<R>(house, player, bet, key).await?;
            Ok(started.current.view())
        }
        GameKind::Timed => {
            let house = house.clone();
            run_detached(async move { start_and_publish::<R>(&house, player, bet, key).await })
                .await
        }
    }
}

/// The started round, and the previous one if it had to be ended first.
struct Started<R> {
    ended: Option<RoundSnapshot<R>>,
    current: RoundSnapshot<R>,
    is_replay: bool,
}

async fn start_and_publish<R: GameRound>(
    house: &House,
    player: UserId,
    bet: R::Bet,
    key: Option<String>,
) -> Result<RoundView<R>, CasinoError> {
    let started = start_in_transaction::<R>(house, player, bet, key).await?;
    if let Some(ended) = &started.ended {
        publish_committed(house, ended);
    }
    if started.is_replay {
        return Ok(started.current.view());
    }
    Ok(publish_committed(house, &started.current))
}

async fn start_in_transaction<R: GameRound>(
    house: &House,
    player: UserId,
    bet: R::Bet,
    key: Option<String>,
) -> Result<Started<R>, CasinoError> {
    let conditions = Conditions::now(house).await?;
    let scope = Scope::player(player).with_key(key.clone());
    let scope = match R::INFO.kind {
        GameKind::Instant => scope,
        GameKind::Timed | GameKind::Turns => scope.with_game(R::INFO.game),
    };
    let now = house.now();
    house
        .database
        .write(scope, move |transaction| {
            let mut account = transaction.account(player)?;
            if let Some(key) = &key
                && let Some(round) = transaction.round_by_key(player, key)?
            {
                return Ok(Started {
                    ended: None,
                    current: replay(transaction, &account, round, bet)?,
                    is_replay: true,
                });
            }
            let started = start_now(
                transaction,
                &mut account,
                (bet, &conditions),
                key.clone(),
                now,
            )?;
            transaction.save_account(account);
            Ok(started)
        })
        .await
}

fn start_now<R: GameRound>(
    transaction: &mut Transaction<'_, '_>,
    account: &mut Account,
    (bet, conditions): (R::Bet, &Conditions),
    key: Option<String>,
    now: Timestamp,
) -> Result<Started<R>, CasinoError> {
    conditions.require::<R>(&bet, account)?;
    let ended = end_previous::<R>(transaction, account, now)?;
    let exposure = conditions.exposure::<R>(transaction, &bet)?;
    let new = BeginningRound {
        bet,
        exposure,
        idempotency_key: key,
    };
    let current = start_round::<R>(transaction, account, new, now)?;
    Ok(Started {
        ended,
        current,
        is_replay: false,
    })
}

/// Ends the player's previous round if it is overdue; refuses if it is still in play.
fn end_previous<R: GameRound>(
    transaction: &mut Transaction<'_, '_>,
    account: &mut Account,
    now: Timestamp,
) -> Result<Option<RoundSnapshot<R>>, CasinoError> {
    if matches!(R::INFO.kind, GameKind::Instant) {
        return Ok(None);
    }
    let Some(round) = transaction.open_round(account.player, R::INFO.game)? else {
        return Ok(None);
    };
    let id = round.id;
    if round.due_at.is_some() {
        let current = restore_open::<R>(&transaction.keys().seeds, account, round)?;
        if let Some(end) = current.end_if_due(now) {
            return settle(transaction, account, current, end, None, now).map(Some);
        }
    }
    Err(Refusal::RoundOpen { id }.into())
}

/// The round that was started by the same request before.
fn replay<R: GameRound>(
    transaction: &mut Transaction<'_, '_>,
    account: &Account,
    round: Round,
    bet: R::Bet,
) -> Result<RoundSnapshot<R>, CasinoError> {
    if round.game != R::INFO.game {
        return Err(Refusal::IdempotencyConflict.into());
    }
    let current = restore_any::<R>(transaction, account, round)?;
    if current.game.bet() == bet {
        Ok(current)
    } else {
        Err(Refusal::IdempotencyConflict.into())
    }
}
