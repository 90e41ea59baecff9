//! Calls of each game, with short signatures for the tests.

use std::time::Duration;

use glasshouse_casino::play::{HistoryRequest, RoundMove, RoundView, make_move, start};
use glasshouse_casino::{CasinoError, House, IdempotencyKey};
use glasshouse_domain::{Multiplier, RoundId, Timestamp, UserId};
use glasshouse_games::dice::BetType;
use glasshouse_games::{crash, dice, heads_up, stonks, video_poker};

use super::{Fixture, bet};

pub(crate) const ALL_HISTORY: HistoryRequest = HistoryRequest {
    games: Vec::new(),
    after: None,
    limit: 100,
    search: None,
};

pub(crate) type DiceRound = RoundView<dice::Round>;
pub(crate) type CrashRound = RoundView<crash::Round>;
pub(crate) type StonksRound = RoundView<stonks::Round>;
pub(crate) type PokerHand = RoundView<video_poker::Round>;
pub(crate) type HeadsUpHand = RoundView<heads_up::Round>;

/// The round to cash out or sell, and the call's idempotency key.
#[derive(Clone, Default)]
pub(crate) struct CashOutCall {
    pub(crate) round: Option<RoundId>,
    pub(crate) key: Option<IdempotencyKey>,
}

/// An action in heads-up, with the bet to use if no hand is dealt yet.
#[derive(Clone)]
pub(crate) struct HeadsUpPlay {
    pub(crate) bet: heads_up::Bet,
    pub(crate) action: heads_up::Action,
    pub(crate) round: Option<RoundId>,
    pub(crate) key: Option<IdempotencyKey>,
}

pub(crate) async fn place_dice_bet(
    house: &House,
    player: UserId,
    bet: dice::Bet,
    key: Option<IdempotencyKey>,
) -> Result<DiceRound, CasinoError> {
    start(house, player, bet, key).await
}

pub(crate) async fn start_crash_round(
    house: &House,
    player: UserId,
    bet: crash::Bet,
    key: Option<IdempotencyKey>,
) -> Result<CrashRound, CasinoError> {
    start(house, player, bet, key).await
}

pub(crate) async fn start_stonks_round(
    house: &House,
    player: UserId,
    bet: stonks::Bet,
    key: Option<IdempotencyKey>,
) -> Result<StonksRound, CasinoError> {
    start(house, player, bet, key).await
}

pub(crate) async fn deal_poker_hand(
    house: &House,
    player: UserId,
    bet: video_poker::Bet,
    key: Option<IdempotencyKey>,
) -> Result<PokerHand, CasinoError> {
    start(house, player, bet, key).await
}

pub(crate) async fn deal_heads_up(
    house: &House,
    player: UserId,
    bet: heads_up::Bet,
    key: Option<IdempotencyKey>,
) -> Result<HeadsUpHand, CasinoError> {
    start(house, player, bet, key).await
}

pub(crate) async fn cash_out(
    house: &House,
    player: UserId,
    claim: Multiplier,
    cash_out: CashOutCall,
) -> Result<CrashRound, CasinoError> {
    let call = RoundMove::new(crash::CashOut { claim });
    make_move(
        house,
        player,
        call.in_round(cash_out.round).with_key(cash_out.key),
    )
    .await
}

pub(crate) async fn sell(
    house: &House,
    player: UserId,
    cash_out: CashOutCall,
) -> Result<StonksRound, CasinoError> {
    let call = RoundMove::new(stonks::Sell);
    make_move(
        house,
        player,
        call.in_round(cash_out.round).with_key(cash_out.key),
    )
    .await
}

pub(crate) async fn hold_cards(
    house: &House,
    player: UserId,
    holds: video_poker::Holds,
    round: Option<RoundId>,
) -> Result<PokerHand, CasinoError> {
    let call = RoundMove::new(video_poker::Move::Hold(holds));
    make_move(house, player, call.in_round(round)).await
}

pub(crate) async fn draw_cards(
    house: &House,
    player: UserId,
    holds: Option<video_poker::Holds>,
    round: Option<RoundId>,
    key: Option<IdempotencyKey>,
) -> Result<PokerHand, CasinoError> {
    let call = RoundMove::new(video_poker::Move::Draw(holds));
    make_move(house, player, call.in_round(round).with_key(key)).await
}

pub(crate) async fn play_heads_up(
    house: &House,
    player: UserId,
    play: HeadsUpPlay,
) -> Result<HeadsUpHand, CasinoError> {
    let call = RoundMove {
        play: play.action,
        round: play.round,
        key: play.key,
        opening_bet: Some(play.bet),
    };
    make_move(house, player, call).await
}

/// The points published by `published_until`, or up to the end of a round that is over.
pub(crate) fn points(shown: &StonksRound, published_until: Timestamp) -> &[u32] {
    let until = shown.round.ended_at.unwrap_or(published_until);
    let elapsed: Duration = until.saturating_since(shown.round.started_at);
    shown.view.published(elapsed)
}

/// Plays `count` rounds of dice, with stakes of 100 cents, 101 cents and so on.
pub(crate) async fn play_dice(test: &Fixture, player: UserId, count: usize) {
    for number in 0..count {
        let cents = 100 + i64::try_from(number).unwrap();
        place_dice_bet(&test.house, player, bet(cents, 50, BetType::Over), None)
            .await
            .unwrap();
    }
}
