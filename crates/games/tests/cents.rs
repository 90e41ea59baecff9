//! The rounding of fractions of a cent: the deciding words, the result, and its exact mean.
//!
//! "Exact" means that of the 2³² words, ⌈2³² × r/d⌉ round a fraction r/d up. So the mean over all
//! words is never below the exact payout, and above it by less than 2⁻³² of a cent: a finite number
//! of words cannot represent every fraction. If d divides 2³² × r, as for halves and quarters, the
//! two are equal.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::time::Duration;

use glasshouse_domain::{Money, Multiplier, RulesVersion};
use glasshouse_games::crash::{self, CrashPoint, Curve};
use glasshouse_games::dice::{self, BetType, Target};
use glasshouse_games::fairness::{ClientSeed, ServerSeed, Stream};
use glasshouse_games::payout::ExactPayout;
use glasshouse_games::stonks;
use proptest::prelude::*;
use serde_json::Value;

const WORDS: u64 = 1 << 32;
/// Small stakes, for which a fraction matters most, and stakes with no common divisor.
const DICE_STAKES: [i64; 9] = [1, 2, 3, 5, 7, 10, 49, 99, 101];
const CRASH_STAKES: [i64; 6] = [100, 101, 103, 107, 150, 199];

fn money(cents: i64) -> Money {
    Money::from_cents(cents)
}

fn dice_bets(cents: i64) -> impl Iterator<Item = dice::Bet> {
    [BetType::Over, BetType::Under]
        .into_iter()
        .flat_map(move |side| {
            (1..=98).map(move |target| {
                dice::Bet::new(money(cents), Target::new(target).unwrap(), side).unwrap()
            })
        })
}

/// The number of words that round up. `word × d` rises with the word, so these are the lowest
/// words, and a binary search finds the first that rounds down. The assertions check its
/// neighbours.
fn words_rounding_up(payout: &ExactPayout) -> u64 {
    let adds = |word: u64| {
        u32::try_from(word).is_ok_and(|word| payout.rounded_by(word) > payout.rounded_down())
    };
    let (mut first_down, mut end) = (0, WORDS);
    while first_down < end {
        let middle = u64::midpoint(first_down, end);
        if adds(middle) {
            first_down = middle + 1;
        } else {
            end = middle;
        }
    }
    assert!(first_down == 0 || adds(first_down - 1));
    assert!(!adds(first_down));
    first_down
}

/// Compares the mean payout over all words with `stake × numerator / divisor`, in integers: it must
/// be equal, or greater by less than 2⁻³² of a cent.
#[track_caller]
fn assert_fair(payout: &ExactPayout, stake: i64, numerator: i64, divisor: i64) {
    let whole = i128::from(payout.rounded_down().cents());
    let paid_by_all_words = whole * i128::from(WORDS) + i128::from(words_rounding_up(payout));
    let exact = i128::from(stake) * i128::from(numerator) * i128::from(WORDS);
    let excess = paid_by_all_words * i128::from(divisor) - exact;
    assert!(
        (0..i128::from(divisor)).contains(&excess),
        "{stake} × {numerator} / {divisor} is paid as {paid_by_all_words} / 2^32"
    );
}

#[test]
fn every_dice_bet_of_a_few_cents_returns_99_percent() {
    for stake in DICE_STAKES {
        for bet in dice_bets(stake) {
            assert_fair(&bet.payout(), stake, 99, i64::from(bet.winning_numbers()));
        }
    }
    // One cent on fifty numbers: 1.98 cents with a probability of 50 % are 99 %.
    let bet = dice::Bet::new(money(1), Target::DEFAULT, BetType::Over).unwrap();
    assert_eq!(bet.payout().rounded_down(), money(1));
    assert_eq!(bet.payout().fraction(), (49, 50));
    assert_eq!(words_rounding_up(&bet.payout()), (49 * WORDS).div_ceil(50));
}

#[test]
fn every_cash_out_of_crash_pays_its_multiplier_on_average() {
    for stake in CRASH_STAKES {
        for hundredths in 101..=10_000_u32 {
            let auto = Some(Multiplier::from_hundredths(hundredths));
            let bet = crash::Bet::new(money(stake), auto, Curve::Linear).unwrap();
            let highest = CrashPoint::At(crash::MAXIMUM_MULTIPLIER);
            let payout = crash::Round::crashing_at(bet, highest).ending().payout;
            assert_fair(&payout, stake, i64::from(hundredths), 100);
        }
    }
}

#[test]
fn every_sale_of_stonks_pays_its_point_on_average() {
    for stake in [1, 2, 3, 7, 99] {
        let bet = stonks::Bet::new(money(stake), None).unwrap();
        for point in (1..3_000).chain((3_000..100_000).step_by(97)) {
            let round = stonks::Round::along(bet, vec![1_000, point, 0]);
            let sold = round.leave(stonks::TICK).unwrap();
            assert_fair(&sold.payout, stake, i64::from(point), 1_000);
        }
    }
}

/// The position is sold at the first point at which stake × point reaches the amount, exactly. The
/// amount is in whole cents, so the payout rounded down reaches it as well.
#[test]
fn an_auto_sell_pays_at_least_its_amount_for_every_word() {
    for stake in [1, 3, 7, 99] {
        for amount in stake + 1..stake + 40 {
            let bet = stonks::Bet::new(money(stake), Some(money(amount))).unwrap();
            let points: Vec<u32> = (1_000..60_000).step_by(13).chain([0]).collect();
            let ending = stonks::Round::along(bet, points.clone()).ending();
            let tick = stonks::Round::tick_after(ending.after.unwrap());
            let reaches = |point: u32| i64::from(point) * stake >= amount * 1_000;
            assert!(reaches(points[tick]) && (tick == 1 || !reaches(points[tick - 1])));
            assert!(ending.payout.rounded_down() >= money(amount));
            assert!(ending.payout.rounded_by(u32::MAX) >= money(amount));
        }
    }
}

#[test]
fn words_at_the_boundary_round_correctly() {
    let bet = |cents, target| {
        dice::Bet::new(money(cents), Target::new(target).unwrap(), BetType::Under).unwrap()
    };
    let check = |payout: ExactPayout, word: u32, cents: i64| {
        assert_eq!(payout.rounded_by(word), money(cents), "{payout:?} {word}");
    };
    // 99 / 50: rounded up while word × 50 < 49 × 2³², that is, up to ⌊49 × 2³² / 50⌋.
    let fiftieths = bet(1, 50).payout();
    check(fiftieths, 0, 2);
    check(fiftieths, 4_209_067_950, 2);
    check(fiftieths, 4_209_067_951, 1);
    check(fiftieths, u32::MAX, 1);
    // One half: exactly half of the words round up.
    let half = bet(1, 66).payout();
    assert_eq!(half.fraction(), (33, 66));
    check(half, (1 << 31) - 1, 2);
    check(half, 1 << 31, 1);
    // 1/98: word 0 and few others round up.
    let ninety_eighth = bet(1, 98).payout();
    check(ninety_eighth, 0, 2);
    check(ninety_eighth, 43_826_196, 2);
    check(ninety_eighth, 43_826_197, 1);
    // Whole cents: no word changes the payout.
    for word in [0, 1, 1 << 31, u32::MAX] {
        check(bet(1_000, 50).payout(), word, 1_980);
        check(ExactPayout::NOTHING, word, 0);
    }
}

proptest! {
    #[test]
    fn a_stonks_payout_is_the_exact_value_rounded_by_the_word(
        stake in 1..=100_000_i64, point in 1..=100_000_u32, word: u32,
    ) {
        let bet = stonks::Bet::new(money(stake), None).unwrap();
        let round = stonks::Round::along(bet, vec![1_000, point, 0]);
        let payout = round.leave(Duration::from_millis(700)).unwrap().payout;
        let product = i128::from(stake) * i128::from(point);
        // word / 2³² < fraction, with both sides multiplied by 2³² × 1000.
        let adds = i128::from(word) * 1_000 < (product % 1_000) * i128::from(WORDS);
        let expected = product / 1_000 + i128::from(adds);
        prop_assert_eq!(i128::from(payout.rounded_by(word).cents()), expected);
        prop_assert_eq!(i128::from(payout.rounded_down().cents()), product / 1_000);
        prop_assert_eq!(payout.is_whole(), product % 1_000 == 0);
    }

    #[test]
    fn a_dice_payout_is_the_exact_value_rounded_by_the_word(
        stake in 1..=100_000_i64, target in 1..=98_i64, word: u32,
    ) {
        let bet = dice::Bet::new(money(stake), Target::new(target).unwrap(), BetType::Over).unwrap();
        let winning = i128::from(100 - target);
        let product = i128::from(stake) * 99;
        let adds = i128::from(word) * winning < (product % winning) * i128::from(WORDS);
        let paid = i128::from(bet.payout().rounded_by(word).cents());
        prop_assert_eq!(paid, product / winning + i128::from(adds));
    }
}

fn stream(server_seed: &Value, client_seed: &Value, nonce: &Value) -> Stream {
    let server_seed = ServerSeed::from_text(server_seed.as_str().unwrap().to_owned()).unwrap();
    let client_seed = ClientSeed::parse(client_seed.as_str().unwrap()).unwrap();
    Stream::new(&server_seed, &client_seed, nonce.as_u64().unwrap())
}

fn vectors() -> Value {
    serde_json::from_str(include_str!("vectors/cents.json")).unwrap()
}

#[test]
fn the_words_match_another_implementation() {
    let vectors = vectors();
    let rows = vectors["words"]["rows"].as_array().unwrap();
    assert!(rows.len() >= 15);
    for row in rows {
        let mut stream = stream(&row[0], &row[1], &row[2]);
        assert_eq!(u64::from(stream.cent_word()), row[3].as_u64().unwrap());
        // The word does not depend on how much of the stream was read, and reading it leaves the
        // stream unchanged.
        let first = stream.next_word();
        assert_eq!(u64::from(stream.cent_word()), row[3].as_u64().unwrap());
        let second = stream.next_word();
        assert_ne!(first, second);
    }
}

#[test]
fn the_payouts_match_another_implementation() {
    let vectors = vectors();
    let payouts = &vectors["payouts"];
    let (mut added, mut not_added) = (0, 0);
    for row in payouts["rows"].as_array().unwrap() {
        let mut stream = stream(&payouts["server_seed"], &payouts["client_seed"], &row[0]);
        let [stake, numerator, divisor, expected] =
            [1, 2, 3, 4].map(|at| row[at].as_i64().unwrap());
        let payout = if divisor < 100 {
            let target = Target::new(divisor).unwrap();
            dice::Bet::new(money(stake), target, BetType::Under)
                .unwrap()
                .payout()
        } else {
            let point = u32::try_from(numerator * 1_000 / divisor).unwrap();
            let bet = stonks::Bet::new(money(stake), None).unwrap();
            let round = stonks::Round::along(bet, vec![1_000, point, 0]);
            round.leave(stonks::TICK).unwrap().payout
        };
        let fair = payout.in_cents(RulesVersion::FairCents, || stream.cent_word());
        assert_eq!(fair, money(expected), "{row}");
        let rounded_down = payout.in_cents(RulesVersion::RoundedDown, || stream.cent_word());
        assert_eq!(rounded_down, payout.rounded_down(), "{row}");
        if !payout.is_whole() {
            let counter = if fair > rounded_down {
                &mut added
            } else {
                &mut not_added
            };
            *counter += 1;
        }
    }
    assert!(added > 5 && not_added > 5, "{added} and {not_added}");
}

/// The mean of a one-cent bet on fifty numbers under both versions of the rules, with fixed seeds.
#[test]
fn a_one_cent_bet_returns_99_percent_instead_of_50() {
    const ROUNDS: u32 = 200_000;
    let server_seed = ServerSeed::from_bytes([11; 32]);
    let client_seed = ClientSeed::parse("cents").unwrap();
    let bet = dice::Bet::new(money(1), Target::DEFAULT, BetType::Over).unwrap();
    let mut paid = [0, 0];
    for nonce in 0..u64::from(ROUNDS) {
        let mut stream = Stream::new(&server_seed, &client_seed, nonce);
        let payout = bet.play(&mut stream).payout;
        paid[0] += payout
            .in_cents(RulesVersion::RoundedDown, || stream.cent_word())
            .cents();
        paid[1] += payout
            .in_cents(RulesVersion::FairCents, || stream.cent_word())
            .cents();
    }
    let rtp = paid.map(|cents| f64::from(i32::try_from(cents).unwrap()) / f64::from(ROUNDS));
    // Four standard deviations of a bet that pays two cents half of the time.
    let noise = 4.0 / f64::from(ROUNDS).sqrt();
    assert!((rtp[0] - 0.50).abs() < noise, "{rtp:?}");
    assert!((rtp[1] - 0.99).abs() < noise, "{rtp:?}");
}
