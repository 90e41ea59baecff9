//! A player is dealt a hand of video poker, holds some of its cards, and draws the others.

use glasshouse_domain::{Game, Outcome, RoundId, RulesVersion, UserId};
use glasshouse_games::spread;
use glasshouse_games::video_poker::{Bet, Holds};
use glasshouse_persistence::accounts::Account;
use glasshouse_persistence::rounds::{OpenedRound, Round, Settlement};
use glasshouse_persistence::{Scope, Transaction};

use crate::error::{CasinoError, Refusal};
use crate::fairness::seeds::stream_by_account;
use crate::house::House;
use crate::idempotency::IdempotencyKey;
use crate::play::engine::{open_round_meant, pay_out, place_stake};
use crate::play::video_poker_hand::{self as poker_hand, PokerHandView};

/// Deals a hand. The same key with the same bet answers that hand again, as it is now.
///
/// # Errors
/// If the balance does not cover the stake, a hand is in play, the key has answered another call,
/// or on a fault.
pub async fn deal_poker_hand(
    house: &House,
    player: UserId,
    bet: Bet,
    key: Option<IdempotencyKey>,
) -> Result<PokerHandView, CasinoError> {
    let key = key.map(IdempotencyKey::into_text);
    let scope = Scope::player(player)
        .with_key(key.clone())
        .with_game(Game::Poker);
    let at = house.now();
    house
        .database
        .write(scope, move |transaction| {
            let mut account = transaction.account(player)?;
            if let Some(key) = &key
                && let Some(round) = transaction.round_by_key(player, key)?
            {
                if round.game != Game::Poker || round.stake != bet.stake() {
                    return Err(Refusal::IdempotencyConflict.into());
                }
                return view(transaction, &account, round);
            }
            if let Some(open) = transaction.open_round(player, Game::Poker)? {
                return Err(Refusal::RoundOpen { id: open.id }.into());
            }
            let (id, nonce) = place_stake(transaction, &mut account, bet.stake(), at)?;
            let round = transaction.add_open_round(
                &account,
                OpenedRound {
                    id,
                    game: Game::Poker,
                    rules: RulesVersion::CURRENT,
                    stake: bet.stake(),
                    details: poker_hand::details(Holds::NONE)?,
                    nonce,
                    idempotency_key: key.clone(),
                    at,
                    due_at: None,
                },
            );
            let view = view(transaction, &account, round)?;
            transaction.save_account(account);
            Ok(view)
        })
        .await
}

/// Keeps which cards of the open hand are held, so that a reload finds them again.
///
/// # Errors
/// If there is no hand in play, or another one than was meant; or on a fault.
pub async fn hold_cards(
    house: &House,
    player: UserId,
    holds: Holds,
    meant: Option<RoundId>,
) -> Result<PokerHandView, CasinoError> {
    let scope = Scope::player(player).with_game(Game::Poker);
    house
        .database
        .write(scope, move |transaction| {
            let round = open_hand(transaction, player, meant)?;
            let account = transaction.account(player)?;
            let round = transaction.keep_details(&round, poker_hand::details(holds)?)?;
            view(transaction, &account, round)
        })
        .await
}

/// Replaces what is not held and settles the hand: by `holds`, or by those that were kept. The bet
/// that counts is the one that was dealt with. The same key answers the first result again.
///
/// # Errors
/// If there is no hand in play, or another one than was meant; or on a fault.
pub async fn draw_cards(
    house: &House,
    player: UserId,
    holds: Option<Holds>,
    meant: Option<RoundId>,
    key: Option<IdempotencyKey>,
) -> Result<PokerHandView, CasinoError> {
    let key = key.map(IdempotencyKey::into_text);
    let scope = Scope::player(player)
        .with_game(Game::Poker)
        .with_key(key.clone())
        .with_settlement_key(key.clone());
    let at = house.now();
    house
        .database
        .write(scope, move |transaction| {
            let mut account = transaction.account(player)?;
            // The key first: a repeated call must not draw to the next hand.
            if let Some(round) = first_draw(transaction, player, meant, key.as_deref())? {
                let first = view(transaction, &account, round)?;
                if holds.is_some_and(|holds| holds != first.holds) {
                    return Err(Refusal::IdempotencyConflict.into());
                }
                return Ok(first);
            }
            let round = open_hand(transaction, player, meant)?;
            let hand = view(transaction, &account, round)?;
            let holds = holds.unwrap_or(hand.holds);
            let end = hand.finish(holds);
            pay_out(transaction, &mut account, hand.round.id, end.payout, at)?;
            let outcome = end.multiplier.map_or(Outcome::Loss, |_| Outcome::Told {
                word: "win",
                remark: end.rank.name(),
            });
            let settlement = Settlement {
                stake: hand.round.stake,
                payout: end.payout,
                spread: spread::video_poker(&hand.bet),
                outcome,
                details: poker_hand::details(holds)?,
                key: key.clone(),
                at,
            };
            let round = transaction.settle_round(&account, &hand.round, settlement);
            let view = view(transaction, &account, round)?;
            transaction.save_account(account);
            Ok(view)
        })
        .await
}

fn view(
    transaction: &mut Transaction<'_, '_>,
    account: &Account,
    round: Round,
) -> Result<PokerHandView, CasinoError> {
    let mut stream = stream_by_account(transaction, account, &round)?;
    PokerHandView::restore(round, &mut stream)
}

fn first_draw(
    transaction: &mut Transaction<'_, '_>,
    player: UserId,
    meant: Option<RoundId>,
    key: Option<&str>,
) -> Result<Option<Round>, CasinoError> {
    let Some(key) = key else { return Ok(None) };
    if transaction.round_by_key(player, key)?.is_some() {
        return Err(Refusal::IdempotencyConflict.into());
    }
    let is_same =
        |round: &Round| round.game == Game::Poker && meant.is_none_or(|id| id == round.id);
    match transaction.round_by_settlement_key(player, key)? {
        Some(round) if !is_same(&round) => Err(Refusal::IdempotencyConflict.into()),
        found => Ok(found),
    }
}

fn open_hand(
    transaction: &mut Transaction<'_, '_>,
    player: UserId,
    meant: Option<RoundId>,
) -> Result<Round, CasinoError> {
    open_round_meant(transaction, player, Game::Poker, meant)
}
