//! A player is dealt a hand of heads-up hold'em and folds, calls or raises.

use glasshouse_domain::{Game, Outcome, RoundId, RulesVersion, Timestamp, UserId};
use glasshouse_games::heads_up::{Action, Bet};
use glasshouse_games::spread;
use glasshouse_persistence::accounts::Account;
use glasshouse_persistence::rounds::{OpenedRound, Round, Settlement};
use glasshouse_persistence::{Scope, Transaction};

use crate::error::{CasinoError, Refusal};
use crate::fairness::seeds::stream_by_account;
use crate::house::House;
use crate::idempotency::IdempotencyKey;
use crate::play::engine::round_reference;
use crate::play::engine::{open_round_meant, pay_out, place_stake};
use crate::play::heads_up_hand::{self, HeadsUpView};

/// What the history tells these hands apart by.
const REMARK: &str = "heads-up";

/// Deals a hand: the player's two cards and the flop. The same key with the same bet answers that
/// hand again, as it is now.
///
/// # Errors
/// If the balance does not cover the bet, a hand is in play, the key has answered another call, or
/// on a fault.
pub async fn deal_heads_up(
    house: &House,
    player: UserId,
    bet: Bet,
    key: Option<IdempotencyKey>,
) -> Result<HeadsUpView, CasinoError> {
    let key = key.map(IdempotencyKey::into_text);
    let at = house.now();
    house
        .database
        .write(scope(player, key.clone()), move |transaction| {
            let mut account = transaction.account(player)?;
            if let Some(first) = first_deal(transaction, &account, bet, key.as_deref())? {
                return Ok(first);
            }
            let hand = deal(transaction, &mut account, bet, key.clone(), at)?;
            transaction.save_account(account);
            Ok(hand)
        })
        .await
}

/// What the player decides.
#[derive(Debug, Clone)]
pub struct HeadsUpPlay {
    /// The opening bet, for where no hand is dealt: it is then dealt and played at once.
    pub bet: Bet,
    /// What to do.
    pub action: Action,
    /// The hand that is meant; the open one, or a new one, without.
    pub round: Option<RoundId>,
    /// For repeating the call.
    pub key: Option<IdempotencyKey>,
}

/// Folds, calls or raises, and shows all cards. Where no hand is dealt, one is dealt and played at
/// once. The bet that counts is the one that was dealt with. The same key answers the first result
/// again.
///
/// # Errors
/// If the balance does not cover what the action adds, another hand was meant, or on a fault.
pub async fn play_heads_up(
    house: &House,
    player: UserId,
    play: HeadsUpPlay,
) -> Result<HeadsUpView, CasinoError> {
    let key = play.key.map(IdempotencyKey::into_text);
    let at = house.now();
    house
        .database
        .write(scope(player, key.clone()), move |transaction| {
            let mut account = transaction.account(player)?;
            if let Some(first) = first_play(
                transaction,
                &account,
                play.action,
                play.round,
                key.as_deref(),
            )? {
                return Ok(first);
            }
            let hand = match open_round_meant(transaction, player, Game::HeadsUp, play.round) {
                Ok(round) => view(transaction, &account, round)?,
                Err(CasinoError::Refused(Refusal::NoOpenRound)) => {
                    deal(transaction, &mut account, play.bet, None, at)?
                }
                Err(error) => return Err(error),
            };
            let hand = finish(
                transaction,
                &mut account,
                &hand,
                play.action,
                key.clone(),
                at,
            )?;
            transaction.save_account(account);
            Ok(hand)
        })
        .await
}

fn scope(player: UserId, key: Option<String>) -> Scope {
    Scope::player(player)
        .with_key(key.clone())
        .with_settlement_key(key)
        .with_game(Game::HeadsUp)
}

fn deal(
    transaction: &mut Transaction<'_, '_>,
    account: &mut Account,
    bet: Bet,
    idempotency_key: Option<String>,
    at: Timestamp,
) -> Result<HeadsUpView, CasinoError> {
    if let Some(open) = transaction.open_round(account.player, Game::HeadsUp)? {
        return Err(Refusal::RoundOpen { id: open.id }.into());
    }
    let (id, nonce) = place_stake(transaction, account, bet.stake(), at)?;
    let round = transaction.add_open_round(
        account,
        OpenedRound {
            id,
            game: Game::HeadsUp,
            rules: RulesVersion::CURRENT,
            stake: bet.stake(),
            details: heads_up_hand::details(bet, None)?,
            nonce,
            idempotency_key,
            at,
            due_at: None,
        },
    );
    view(transaction, account, round)
}

fn finish(
    transaction: &mut Transaction<'_, '_>,
    account: &mut Account,
    hand: &HeadsUpView,
    action: Action,
    key: Option<String>,
    at: Timestamp,
) -> Result<HeadsUpView, CasinoError> {
    let added = hand.bet.added(action);
    let mut stake = hand.round.stake;
    if added.is_positive() {
        let movement = account.wallet.stake(added)?;
        let reference = format!("{}/raise", round_reference(hand.round.id));
        transaction.add_entry(account, movement, reference, at);
        stake = stake.checked_add(added).ok_or(Refusal::AmountOutOfRange)?;
    }
    let result = hand.finish(action);
    pay_out(transaction, account, hand.round.id, result.payout, at)?;
    let settlement = Settlement {
        stake,
        payout: result.payout,
        spread: spread::heads_up(&hand.bet, stake),
        outcome: Outcome::Told {
            word: result.showdown.as_str(),
            remark: REMARK,
        },
        details: heads_up_hand::details(hand.bet, Some(action))?,
        key,
        at,
    };
    let round = transaction.settle_round(account, &hand.round, settlement);
    view(transaction, account, round)
}

fn view(
    transaction: &mut Transaction<'_, '_>,
    account: &Account,
    round: Round,
) -> Result<HeadsUpView, CasinoError> {
    let mut stream = stream_by_account(transaction, account, &round)?;
    HeadsUpView::restore(round, &mut stream)
}

fn first_deal(
    transaction: &mut Transaction<'_, '_>,
    account: &Account,
    bet: Bet,
    key: Option<&str>,
) -> Result<Option<HeadsUpView>, CasinoError> {
    let Some(key) = key else { return Ok(None) };
    let Some(round) = transaction.round_by_key(account.player, key)? else {
        return Ok(None);
    };
    if round.game != Game::HeadsUp {
        return Err(Refusal::IdempotencyConflict.into());
    }
    let hand = view(transaction, account, round)?;
    if hand.bet != bet {
        return Err(Refusal::IdempotencyConflict.into());
    }
    Ok(Some(hand))
}

/// A key of a play is found by what it settled. One that has dealt a hand is another call's.
fn first_play(
    transaction: &mut Transaction<'_, '_>,
    account: &Account,
    action: Action,
    meant: Option<RoundId>,
    key: Option<&str>,
) -> Result<Option<HeadsUpView>, CasinoError> {
    let Some(key) = key else { return Ok(None) };
    let player = account.player;
    if transaction.round_by_key(player, key)?.is_some() {
        return Err(Refusal::IdempotencyConflict.into());
    }
    let Some(round) = transaction.round_by_settlement_key(player, key)? else {
        return Ok(None);
    };
    if round.game != Game::HeadsUp || meant.is_some_and(|id| id != round.id) {
        return Err(Refusal::IdempotencyConflict.into());
    }
    let hand = view(transaction, account, round)?;
    if hand.action != Some(action) {
        return Err(Refusal::IdempotencyConflict.into());
    }
    Ok(Some(hand))
}
