//! The most that a bet can win, against every outcome of its game.

use std::time::Duration;

use glasshouse_domain::{Money, Multiplier};
use glasshouse_games::game_round::{End, GameRound};
use glasshouse_games::{crash, dice, heads_up, mines, stonks, video_poker};

const fn cents(cents: i64) -> Money {
    Money::from_cents(cents)
}

/// The most that an end can win, whichever way its fraction of a cent is rounded.
fn most(end: &End, opening: Money) -> i64 {
    end.payout.rounded_up().cents() - opening.cents() - end.added_stake.cents()
}

fn profit<R: GameRound>(bet: &R::Bet) -> i64 {
    R::maximum_profit(bet).cents()
}

#[test]
fn dice_wins_what_the_payout_says() {
    for stake in [1, 10, 333, 100_000] {
        for target in 1..=98 {
            let target = dice::Target::new(target).unwrap();
            for side in [dice::BetType::Over, dice::BetType::Under] {
                let bet = dice::Bet::new(cents(stake), target, side).unwrap();
                let win = bet.payout().rounded_up().cents() - stake;
                assert_eq!(profit::<dice::Round>(&bet), win.max(0));
            }
        }
    }
    let even = dice::Target::new(50).unwrap();
    let bet = dice::Bet::new(cents(10_000), even, dice::BetType::Over).unwrap();
    assert_eq!(profit::<dice::Round>(&bet), 9_800);
}

#[test]
fn crash_wins_at_most_the_automatic_cash_out_or_the_maximum_multiplier() {
    for auto in [None, Some(110), Some(250), Some(10_000), Some(20_000)] {
        let auto = auto.map(Multiplier::from_hundredths);
        let bet = crash::Bet::new(cents(12_345), auto, crash::Curve::Linear).unwrap();
        let mut highest = 0;
        for point in (100..=10_000).map(Multiplier::from_hundredths) {
            let round = crash::Round::crashing_at(bet, crash::CrashPoint::At(point));
            highest = highest.max(most(&round.ending(), bet.stake()));
            // Whoever cashes out a moment before the end gets less.
            let before = round.ending().after.unwrap_or_default();
            let before = before.saturating_sub(Duration::from_millis(1));
            if let Ok(end) = round.leave(before, Multiplier::from_hundredths(u32::MAX / 10)) {
                highest = highest.max(most(&end, bet.stake()));
            }
        }
        assert_eq!(profit::<crash::Round>(&bet), highest, "{auto:?}");
    }
}

#[test]
fn stonks_wins_at_most_what_one_tick_adds_below_the_auto_sell_amount() {
    // From 1.999, the highest factor of the wild regime, (68,624 + 510 × 60) / 65,536, leads to 3.027.
    let bet = stonks::Bet::new(cents(1_000), Some(cents(2_000))).unwrap();
    assert_eq!(bet.highest_point(), 3_027);
    assert_eq!(profit::<stonks::Round>(&bet), 2_027);
    let by_hand = (0..3)
        .map(|regime| stonks::Tick::new(2, regime).next_point(1_999, u32::MAX, u32::MAX))
        .max();
    assert_eq!(by_hand, Some(3_027));
    // A market along these points wins exactly that, and none that rises by a lower factor wins more.
    let round = stonks::Round::along(bet, vec![1_000, 1_999, 3_027, 0]);
    assert_eq!(most(&round.ending(), bet.stake()), 2_027);
    // Without an automatic sale, and with one that only the closing tick can reach, it is 100 times.
    for auto_sell in [None, Some(cents(60_001)), Some(cents(99_999_999))] {
        let bet = stonks::Bet::new(cents(1_000), auto_sell).unwrap();
        assert_eq!(bet.highest_point(), 100_000, "{auto_sell:?}");
        assert_eq!(profit::<stonks::Round>(&bet), 99_000);
    }
    let bet = stonks::Bet::new(cents(1_000), Some(cents(60_000))).unwrap();
    assert!(bet.highest_point() < 100_000, "{}", bet.highest_point());
}

#[test]
fn video_poker_wins_at_most_the_royal_flush() {
    for dollars in 1..=10 {
        let bet = video_poker::Bet::new(cents(dollars * 100)).unwrap();
        let highest = video_poker::PaidRank::ALL
            .iter()
            .map(|rank| i64::from(rank.times(bet.is_maximum())))
            .max()
            .unwrap();
        let won = (highest - 1) * dollars * 100;
        assert_eq!(profit::<video_poker::Round>(&bet), won);
    }
}

#[test]
fn heads_up_wins_at_most_a_raise_against_a_qualified_house() {
    let bet = heads_up::Bet::new(cents(2_500)).unwrap();
    let mut highest = 0;
    for action in heads_up::Action::ALL {
        for showdown in [
            heads_up::Showdown::Win,
            heads_up::Showdown::Push,
            heads_up::Showdown::Loss,
            heads_up::Showdown::Fold,
        ] {
            for qualifies in [false, true] {
                let payout = bet.payout(action, showdown, qualifies).cents();
                highest = highest.max(payout - 2_500 - bet.added(action).cents());
            }
        }
    }
    assert_eq!(highest, 7_500);
    assert_eq!(profit::<heads_up::Round>(&bet), highest);
}

#[test]
fn mines_wins_at_most_what_its_last_offered_cell_pays() {
    for stake in [10, 1_000, 100_000] {
        for count in 1..=24 {
            let bet = mines::Bet::new(cents(stake), count).unwrap();
            let mut highest = 0;
            for revealed in 1..=bet.safe_cells() {
                if !bet.offers_another(revealed - 1) {
                    break;
                }
                highest = highest.max(bet.payout(revealed).rounded_up().cents() - stake);
            }
            assert_eq!(profit::<mines::Round>(&bet), highest);
            assert!(highest + stake <= mines::MAXIMUM_PAYOUT.cents());
        }
    }
}
