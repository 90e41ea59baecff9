//! New rounds of every game, for tests of what refuses them.

use glasshouse_casino::play::start;
use glasshouse_casino::{CasinoError, House, Refusal};
use glasshouse_domain::{Money, UserId};
use glasshouse_games::heads_up::Action;
use glasshouse_games::mines;

use super::assert_refused;
use super::games::{deal_heads_up, deal_poker_hand, start_crash_round, start_stonks_round};
use super::limits::stake;
use super::poker::{dollars, heads_up_bet, play};
use super::predetermined_rounds::{crash_bet, stonks_bet};

pub(crate) fn mines_bet() -> mines::Bet {
    mines::Bet::new(Money::from_cents(1_000), 3).unwrap()
}

/// Tries to start a round of every game, and asserts that each is refused.
pub(crate) async fn assert_no_game_starts(house: &House, player: UserId, refusal: &Refusal) {
    fn outcome<T>(started: Result<T, CasinoError>) -> Result<(), CasinoError> {
        started.map(drop)
    }
    let attempts = [
        outcome(stake(house, player, 100).await),
        outcome(start_crash_round(house, player, crash_bet(100, None), None).await),
        outcome(start_stonks_round(house, player, stonks_bet(100, None), None).await),
        outcome(deal_poker_hand(house, player, dollars(5), None).await),
        outcome(deal_heads_up(house, player, heads_up_bet(25), None).await),
        outcome(play(house, player, Action::Call, (None, None)).await),
        outcome(start::<mines::Round>(house, player, mines_bet(), None).await),
    ];
    for attempt in attempts {
        assert_refused(attempt, refusal);
    }
}
