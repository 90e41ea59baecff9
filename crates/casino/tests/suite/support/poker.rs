//! Calls of both poker games, with the bets that most tests use.

use glasshouse_casino::play::analyse_round;
use glasshouse_casino::{CasinoError, House, IdempotencyKey};
use glasshouse_domain::{Money, RoundId, UserId};
use glasshouse_games::heads_up::{self, Action};
use glasshouse_games::video_poker::{self, Holds};

use crate::support::games::{
    HeadsUpHand, HeadsUpPlay, PokerHand, deal_poker_hand, draw_cards, play_heads_up,
};

pub(crate) fn key(text: &str) -> Option<IdempotencyKey> {
    IdempotencyKey::parse(text).ok()
}

pub(crate) fn dollars(count: i64) -> video_poker::Bet {
    video_poker::Bet::new(Money::from_cents(count * 100)).unwrap()
}

pub(crate) fn heads_up_bet(count: i64) -> heads_up::Bet {
    heads_up::Bet::new(Money::from_cents(count * 100)).unwrap()
}

pub(crate) fn holds(positions: &[i64]) -> Holds {
    Holds::of(positions).unwrap()
}

pub(crate) async fn deal(house: &House, player: UserId) -> PokerHand {
    deal_poker_hand(house, player, dollars(5), None)
        .await
        .unwrap()
}

pub(crate) async fn draw(house: &House, player: UserId) -> Result<PokerHand, CasinoError> {
    draw_cards(house, player, None, None, None).await
}

pub(crate) async fn play(
    house: &House,
    player: UserId,
    action: Action,
    more: (Option<RoundId>, Option<IdempotencyKey>),
) -> Result<HeadsUpHand, CasinoError> {
    let bet = heads_up_bet(25);
    let (round, key) = more;
    play_heads_up(
        house,
        player,
        HeadsUpPlay {
            bet,
            action,
            round,
            key,
        },
    )
    .await
}

/// Analyses a round and discards the result.
pub(crate) async fn try_analysis(
    house: &House,
    player: UserId,
    id: RoundId,
) -> Result<(), CasinoError> {
    analyse_round(house, player, id, |_| Some(())).await
}
