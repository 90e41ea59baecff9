//! The RTP of video poker by exhaustive sums, and the trainer held against them.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::float_arithmetic,
    clippy::cast_precision_loss,
    reason = "a test stops where something is not as it should be; a percentage is a fraction"
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

/// What all hands pay together that contain a given set of cards, by how many those are.
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
        every_indices(&mut |hand| {
            let paid = times(PaidRank::of(
                hand.iter()
                    .map(|place| Card::at(u8::try_from(*place).unwrap()).unwrap())
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

    /// The place of a subset of a hand among all sets of its size.
    fn index(&self, hand: [usize; 5], mask: usize) -> (usize, usize) {
        let (mut size, mut index) = (0, 0);
        for (position, place) in hand.into_iter().enumerate() {
            if mask & (1 << position) != 0 {
                size += 1;
                index += self.binomials[place][size];
            }
        }
        (size, index)
    }

    /// What all draws to each of the 32 holds pay together: of the hands that contain what is held,
    /// those that contain nothing of what is discarded.
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

/// Every hand of five by its places in the deck, in ascending order.
fn every_indices(visit: &mut impl FnMut([usize; 5])) {
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

/// What best play returns over all hands.
struct BestPlay {
    /// In percent.
    rtp_percent: f64,
    /// The variance of the payout in square bets.
    variance: f64,
}

/// Of two holds of the same value the one of fewer, earlier cards is taken.
fn best_play(times: impl Fn(PaidRank) -> i64) -> BestPlay {
    let sums = SubsetSums::new(&times);
    let squares = SubsetSums::new(&|rank| times(rank) * times(rank));
    let draws: Vec<f64> = (0..=5)
        .map(|k| f64::from(u32::try_from(choose(47, 5 - k)).unwrap()))
        .collect();
    let (mut mean, mut square) = (0.0, 0.0);
    every_indices(&mut |hand| {
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

/// The RTPs of `docs/games.md#games`, to their last digit; `facts.json` says the same.
#[test]
fn the_rtp_of_best_play_is_exact() {
    let facts: serde_json::Value = serde_json::from_str(include_str!("../facts.json")).unwrap();
    let stated = |name: &str| facts["video_poker"][name].as_str().unwrap().to_owned();
    let maximum = best_play(|rank| i64::from(rank.times(true)));
    assert_eq!(format!("{:.8}", maximum.rtp_percent), "97.29843375");
    assert_eq!(stated("rtp_percent_maximum_bet"), "97.29843375");
    let below = best_play(|rank| i64::from(rank.times(false)));
    assert_eq!(format!("{:.8}", below.rtp_percent), "96.06354764");
    assert_eq!(stated("rtp_percent_below"), "96.06354764");
    // The control: the well-known 9/6 table.
    let full_pay = best_play(|rank| match rank {
        PaidRank::FullHouse => 9,
        PaidRank::Flush => 6,
        _ => i64::from(rank.times(true)),
    });
    assert_eq!(format!("{:.8}", full_pay.rtp_percent), "99.54390437");
    // The control: published for the 9/6 table as 19.51.
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

/// The trainer goes through the draws one by one; the sums above come at them another way.
#[test]
fn the_trainers_values_are_those_of_the_exhaustive_sums() {
    let sums = SubsetSums::new(&|rank| i64::from(rank.times(true)));
    for nonce in 0..4 {
        let mut hand = draw::<5>(&mut stream(nonce));
        hand.sort_unstable();
        let dealt: [Card; 5] = hand;
        let places = dealt.map(|card| usize::from(card.place()));
        let expected = sums.of_holds(places);
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
