//! The RTP of video poker from an exhaustive enumeration, and the strategy trainer compared with
//! it.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::float_arithmetic,
    clippy::cast_precision_loss,
    reason = "a test fails by panicking; percentages are fractions"
)]

use glasshouse_domain::Money;
use glasshouse_games::cards::{Card, draw};
use glasshouse_games::fairness::{ClientSeed, ServerSeed, Stream};
use glasshouse_games::spread;
use glasshouse_games::video_poker::{Bet, HoldValue, PaidRank, hold_values};

fn stream(nonce: u64) -> Stream {
    let client_seed = ClientSeed::parse("trainer").unwrap();
    Stream::new(&ServerSeed::from_bytes([3; 32]), &client_seed, nonce)
}

const HANDS: usize = 2_598_960;

fn choose(n: usize, k: usize) -> usize {
    (0..k).fold(1, |product, i| product * (n - i) / (i + 1))
}

/// For every set of up to five cards, the total payout of all hands that contain it, by the size of
/// the set.
struct SubsetSums {
    binomials: Vec<[usize; 6]>,
    sums: Vec<Vec<i64>>,
}

impl SubsetSums {
    fn new(times: &impl Fn(PaidRank) -> i64) -> Self {
        let binomials = (0..52)
            .map(|n| std::array::from_fn(|k| if n < k { 0 } else { choose(n, k) }))
            .collect();
        let mut sums = Self {
            binomials,
            sums: (0..=5).map(|k| vec![0; choose(52, k)]).collect(),
        };
        for_every_hand(&mut |hand| {
            let paid = times(PaidRank::of(
                hand.iter()
                    .map(|position| Card::at(u8::try_from(*position).unwrap()).unwrap())
                    .collect(),
            ));
            if paid != 0 {
                for mask in 0..32_usize {
                    let (size, index) = sums.index(hand, mask);
                    sums.sums[size][index] += paid;
                }
            }
        });
        sums
    }

    /// The size of a subset of a hand, and its index among all sets of that size.
    fn index(&self, hand: [usize; 5], mask: usize) -> (usize, usize) {
        let (mut size, mut index) = (0, 0);
        for (place, position) in hand.into_iter().enumerate() {
            if mask & (1 << place) != 0 {
                size += 1;
                index += self.binomials[position][size];
            }
        }
        (size, index)
    }

    /// The total payout of all draws for each of the 32 holds: that of the hands that contain all
    /// held cards and no discarded one, by inclusion and exclusion.
    fn of_holds(&self, hand: [usize; 5]) -> [i64; 32] {
        let mut paid = std::array::from_fn(|mask| {
            let (size, index) = self.index(hand, mask);
            self.sums[size][index]
        });
        for bit in [1, 2, 4, 8, 16] {
            for mask in 0..32 {
                if mask & bit == 0 {
                    paid[mask] -= paid[mask | bit];
                }
            }
        }
        paid
    }
}

/// Visits every hand of five cards as ascending positions in the deck.
fn for_every_hand(visit: &mut impl FnMut([usize; 5])) {
    for a in 0..48 {
        for b in a + 1..49 {
            for c in b + 1..50 {
                for d in c + 1..51 {
                    for e in d + 1..52 {
                        visit([a, b, c, d, e]);
                    }
                }
            }
        }
    }
}

/// The result of optimal play over all hands.
struct BestPlay {
    /// The RTP in percent.
    rtp_percent: f64,
    /// The variance of the payout in squared bets.
    variance: f64,
}

/// If two holds have equal values, the one with fewer and earlier cards is used.
fn best_play(times: impl Fn(PaidRank) -> i64) -> BestPlay {
    let sums = SubsetSums::new(&times);
    let squares = SubsetSums::new(&|rank| times(rank) * times(rank));
    let draws: Vec<f64> = (0..=5)
        .map(|k| f64::from(u32::try_from(choose(47, 5 - k)).unwrap()))
        .collect();
    let (mut mean, mut square) = (0.0, 0.0);
    for_every_hand(&mut |hand| {
        let (paid, paid_squares) = (sums.of_holds(hand), squares.of_holds(hand));
        let (mut best, mut best_square) = (-1.0, 0.0);
        for mask in 0..32_usize {
            let draws = draws[mask.count_ones() as usize];
            let value = f64::from(i32::try_from(paid[mask]).unwrap()) / draws;
            if value > best {
                (best, best_square) = (value, paid_squares[mask] as f64 / draws);
            }
        }
        mean += best;
        square += best_square;
    });
    let hands = f64::from(u32::try_from(HANDS).unwrap());
    let (mean, square) = (mean / hands, square / hands);
    BestPlay {
        rtp_percent: 100.0 * mean,
        variance: square - mean * mean,
    }
}

/// The RTPs of `docs/games.md#games` and `facts.json`, to the last digit.
#[test]
fn the_rtp_of_optimal_play_is_exact() {
    let facts: serde_json::Value = serde_json::from_str(include_str!("../facts.json")).unwrap();
    let stated = |name: &str| facts["video_poker"][name].as_str().unwrap().to_owned();
    let maximum = best_play(|rank| i64::from(rank.times(true)));
    assert_eq!(format!("{:.8}", maximum.rtp_percent), "97.29843375");
    assert_eq!(stated("rtp_percent_maximum_bet"), "97.29843375");
    let below = best_play(|rank| i64::from(rank.times(false)));
    assert_eq!(format!("{:.8}", below.rtp_percent), "96.06354764");
    assert_eq!(stated("rtp_percent_below"), "96.06354764");
    // Control: the well-known 9/6 paytable.
    let full_pay = best_play(|rank| match rank {
        PaidRank::FullHouse => 9,
        PaidRank::Flush => 6,
        _ => i64::from(rank.times(true)),
    });
    assert_eq!(format!("{:.8}", full_pay.rtp_percent), "99.54390437");
    // Control: the published variance of the 9/6 paytable is 19.51.
    assert_eq!(format!("{:.2}", full_pay.variance), "19.51");

    for (dollars, exact) in [(10, maximum), (9, below)] {
        let bet = Bet::new(Money::from_cents(100 * dollars)).unwrap();
        let stated = spread::video_poker(&bet);
        let cents = 100.0 * f64::from(i32::try_from(dollars).unwrap());
        let mean = 100.0 * stated.expected_cents / cents;
        assert_eq!(format!("{mean:.8}"), format!("{:.8}", exact.rtp_percent));
        let variance = stated.variance / cents / cents;
        assert_eq!(format!("{variance:.8}"), format!("{:.8}", exact.variance));
    }
}

/// The trainer enumerates the draws one by one; the sums are computed in a different way.
#[test]
fn the_trainers_values_match_the_exhaustive_sums() {
    let sums = SubsetSums::new(&|rank| i64::from(rank.times(true)));
    for nonce in 0..4 {
        let mut hand = draw::<5>(&mut stream(nonce));
        hand.sort_unstable();
        let dealt: [Card; 5] = hand;
        let positions = dealt.map(|card| usize::from(card.place()));
        let expected = sums.of_holds(positions);
        let values = hold_values(&dealt, true);
        assert_eq!(values.len(), 32);
        for HoldValue {
            holds,
            paid_times,
            draws,
        } in values
        {
            let mask: usize = holds
                .positions()
                .into_iter()
                .map(|position| 1 << position)
                .sum();
            assert_eq!(
                i64::try_from(paid_times).unwrap(),
                expected[mask],
                "{dealt:?} {mask:05b}"
            );
            assert_eq!(
                usize::try_from(draws).unwrap(),
                choose(47, 5 - holds.positions().len())
            );
        }
    }
}
