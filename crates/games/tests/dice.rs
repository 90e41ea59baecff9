//! Dice: all 196 inputs, the payouts, and the figures quoted by the interface and documentation.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use glasshouse_domain::Money;
use glasshouse_games::bet::BetError;
use glasshouse_games::dice::{Bet, BetType, DEFAULT_STAKE, MAXIMUM_STAKE, MINIMUM_STAKE, Target};
use glasshouse_games::fairness::{ClientSeed, ServerSeed, Stream, scale};

fn bets(cents: i64) -> impl Iterator<Item = Bet> {
    [BetType::Over, BetType::Under]
        .into_iter()
        .flat_map(move |bet_type| {
            (1..=98).map(move |target| {
                Bet::new(
                    Money::from_cents(cents),
                    Target::new(target).unwrap(),
                    bet_type,
                )
                .unwrap()
            })
        })
}

#[test]
fn every_input_wins_on_exactly_its_winning_numbers() {
    assert_eq!(bets(100).count(), 2 * 98);
    for bet in bets(100) {
        let target = bet.target().get();
        let winning: Vec<u8> = (1..=100).filter(|roll| bet.wins(*roll)).collect();
        let expected: Vec<u8> = match bet.bet_type() {
            BetType::Over => (target + 1..=100).collect(),
            BetType::Under => (1..=target).collect(),
        };
        assert_eq!(winning, expected, "{bet:?}");
        assert_eq!(usize::from(bet.winning_numbers()), winning.len());
    }
}

/// Over all 100 rolls a bet returns exactly 99 % of the stakes, including fractions of a cent:
/// payout times winning numbers is 99 times the stake.
#[test]
fn the_rtp_is_99_percent() {
    for cents in [1, 2, 3, 7, 99, 100, 101, 1_000, 12_345, 99_999, 100_000] {
        for bet in bets(cents) {
            let winning = i64::from(bet.winning_numbers());
            let (remainder, divisor) = bet.payout().fraction();
            assert_eq!(i64::from(divisor), winning);
            assert!(remainder < divisor);
            let whole = bet.payout().rounded_down().cents() * winning;
            assert_eq!(whole + i64::from(remainder), 99 * cents, "{bet:?}");
        }
    }
}

#[test]
fn payouts_match_values_computed_by_hand() {
    let check = |cents, target, bet_type, expected| {
        let target = Target::new(target).unwrap();
        let bet = Bet::new(Money::from_cents(cents), target, bet_type).unwrap();
        assert_eq!(bet.payout().rounded_down().cents(), expected, "{bet:?}");
    };
    check(1_000, 50, BetType::Over, 1_980);
    check(1_000, 50, BetType::Under, 1_980);
    check(1_000, 98, BetType::Over, 49_500);
    check(1_000, 1, BetType::Under, 99_000);
    check(1_000, 1, BetType::Over, 1_000);
    check(1_000, 98, BetType::Under, 1_010);
    check(1, 98, BetType::Under, 1);
    check(1, 67, BetType::Over, 3);
    check(100_000, 1, BetType::Under, 9_900_000);
}

#[test]
fn bets_outside_the_limits_are_refused() {
    let target = Target::DEFAULT;
    let check = |cents, expected| {
        let bet = Bet::new(Money::from_cents(cents), target, BetType::Over);
        assert_eq!(bet.err(), expected, "{cents}");
    };
    check(i64::MIN, Some(BetError::StakeNotPositive));
    check(-1, Some(BetError::StakeNotPositive));
    check(0, Some(BetError::StakeNotPositive));
    check(MINIMUM_STAKE.cents(), None);
    check(MAXIMUM_STAKE.cents(), None);
    check(
        MAXIMUM_STAKE.cents() + 1,
        Some(BetError::StakeAboveMaximum(MAXIMUM_STAKE)),
    );
    check(i64::MAX, Some(BetError::StakeAboveMaximum(MAXIMUM_STAKE)));
    for number in [i64::MIN, -1, 0, 99, 100, 256, 257, i64::MAX] {
        assert_eq!(
            Target::new(number),
            Err(BetError::InvalidTarget),
            "{number}"
        );
    }
    assert_eq!(
        BetError::StakeAboveMaximum(MAXIMUM_STAKE).to_string(),
        "Maximum allowed is $1000.00"
    );
}

/// The number of words that map to at most `result` in a range of 100. It covers the whole mapping
/// without trying four billion words.
fn words_up_to(result: u64) -> u64 {
    (((result + 1) << 32).div_ceil(100)).min(1 << 32)
}

#[test]
fn the_numbers_of_words_per_roll_differ_by_at_most_one() {
    let mut before = 0;
    for result in 0..100_u32 {
        let until = words_up_to(u64::from(result));
        let last = u32::try_from(until - 1).unwrap();
        assert_eq!(scale(last, 100), result);
        assert_eq!(scale(u32::try_from(before).unwrap(), 100), result);
        assert!(matches!(until - before, 42_949_672 | 42_949_673));
        before = until;
    }
    assert_eq!(before, 1 << 32);
}

/// χ² with 99 degrees of freedom. The seeds are fixed, so the result is always the same.
#[test]
fn a_million_rolls_are_uniformly_distributed() {
    let server_seed = ServerSeed::from_bytes([7; 32]);
    let client_seed = ClientSeed::parse("million").unwrap();
    let bet = Bet::new(DEFAULT_STAKE, Target::DEFAULT, BetType::Over).unwrap();
    let mut counts = [0_u32; 100];
    for nonce in 0..1_000_000 {
        let roll = bet
            .play(&mut Stream::new(&server_seed, &client_seed, nonce))
            .roll;
        counts[usize::from(roll) - 1] += 1;
    }
    let expected = 10_000.0;
    let chi_squared: f64 = counts
        .iter()
        .map(|count| (f64::from(*count) - expected).powi(2) / expected)
        .sum();
    // The 0.1 % and 99.9 % quantiles.
    assert!((60.0..=149.0).contains(&chi_squared), "χ² = {chi_squared}");
}

#[test]
fn the_published_figures_match_the_code() {
    let facts: serde_json::Value = serde_json::from_str(include_str!("../facts.json")).unwrap();
    let dice = &facts["dice"];
    assert_eq!(dice["target_minimum"], Target::MINIMUM.get());
    assert_eq!(dice["target_maximum"], Target::MAXIMUM.get());
    assert_eq!(dice["target_default"], Target::DEFAULT.get());
    assert_eq!(dice["bet_minimum_cents"], MINIMUM_STAKE.cents());
    assert_eq!(dice["bet_maximum_cents"], MAXIMUM_STAKE.cents());
    assert_eq!(dice["bet_default_cents"], DEFAULT_STAKE.cents());
    assert_eq!(dice["roll_minimum"], 1);
    assert_eq!(dice["roll_maximum"], 100);
    // $99 on each of the 99 winning numbers of "over 1": $9,801 of $9,900 are returned.
    let bet = Bet::new(Money::from_cents(9_900), Target::MINIMUM, BetType::Over).unwrap();
    assert!(bet.payout().is_whole());
    let returned = bet.payout().rounded_down().cents() * i64::from(bet.winning_numbers());
    assert_eq!(returned * 100, 99 * 9_900 * 100);
    assert_eq!(dice["rtp_percent"], "99.00");
    assert_eq!(dice["house_edge_percent"], "1.00");
}
