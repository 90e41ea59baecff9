//! Computes the RTP of heads-up hold'em under optimal play by enumerating all deals and
//! completions: `cargo run --release --package glasshouse-games --example heads_up_best_play` (some
//! minutes).
//!
//! Flops that differ only by a permutation of the suits are counted once with a weight, which
//! leaves 1,755 of 22,100. For each flop, turn and river, all pairs of hole cards are ranked and
//! sorted once. The number of house pairs that a player's pair beats is its index, less the pairs
//! that share a card with it.
#![expect(
    clippy::print_stdout,
    clippy::indexing_slicing,
    clippy::float_arithmetic,
    clippy::cast_precision_loss,
    reason = "an example prints what it has computed"
)]

use std::collections::BTreeMap;

use glasshouse_games::cards::{Card, CardSet};
use glasshouse_games::hand_rank::HandRank;
use glasshouse_games::heads_up::QUALIFYING_RANK;

const DECK: usize = 52;

/// The number of completions of a deal by result, depending on whether the house qualifies.
#[derive(Clone, Copy, Default)]
struct Outcomes {
    /// Wins, ties and losses where the house does not qualify.
    unqualified: [u64; 3],
    /// Wins, ties and losses where the house qualifies.
    qualified: [u64; 3],
}

impl Outcomes {
    /// Whether the player can hold these cards on the flop.
    fn is_possible(&self) -> bool {
        self.unqualified != [0; 3] || self.qualified != [0; 3]
    }
}

/// Bets staked and credited by action (fold, call, raise): `docs/games.md#heads-up-table`.
const STAKED: [f64; 3] = [1.0, 2.0, 3.0];
const UNQUALIFIED: [[f64; 3]; 3] = [[0.0; 3], [3.0, 2.0, 1.0], [4.0, 3.0, 2.0]];
const QUALIFIED: [[f64; 3]; 3] = [[0.0; 3], [4.0, 2.0, 0.0], [6.0, 3.0, 0.0]];

fn main() {
    let mut total = Total::default();
    for (flop, weight) in flops() {
        for outcomes in deals(flop).iter().filter(|deal| deal.is_possible()) {
            total.add(outcomes, weight as f64);
        }
    }
    let (bets, staked) = (total.net / total.weight, total.staked / total.weight);
    let returned = 1.0 + bets / staked;
    println!("deals                          {}", total.weight);
    println!("net of the opening bet         {bets:.10}");
    println!("staked, in opening bets        {staked:.10}");
    println!("returned of all that is staked {returned:.10}");
    // The variance of credited − returned × staked, whose mean is zero.
    let variance = (total.credited_squares - 2.0 * returned * total.products
        + returned * returned * total.staked_squares)
        / total.weight;
    println!("variance, in square bets       {variance:.10}");
}

#[derive(Default)]
struct Total {
    weight: f64,
    net: f64,
    staked: f64,
    staked_squares: f64,
    credited_squares: f64,
    products: f64,
}

impl Total {
    /// Adds a deal, played with the action that has the highest expected value.
    fn add(&mut self, outcomes: &Outcomes, weight: f64) {
        let count = |counts: [u64; 3]| counts.map(|count| count as f64);
        let (unqualified, qualified) = (count(outcomes.unqualified), count(outcomes.qualified));
        let completions: f64 = unqualified.iter().chain(&qualified).sum();
        let mean = |credited: &dyn Fn(f64) -> f64, action: usize| {
            (0..3)
                .map(|outcome| {
                    unqualified[outcome] * credited(UNQUALIFIED[action][outcome])
                        + qualified[outcome] * credited(QUALIFIED[action][outcome])
                })
                .sum::<f64>()
                / completions
        };
        let nets: Vec<f64> = (0..3)
            .map(|action| mean(&|credited| credited, action) - STAKED[action])
            .collect();
        let best = (0..3).fold(0, |best, action| {
            if nets[action] > nets[best] {
                action
            } else {
                best
            }
        });
        let staked = STAKED[best];
        self.weight += weight;
        self.net += weight * nets[best];
        self.staked += weight * staked;
        self.staked_squares += weight * staked * staked;
        self.credited_squares += weight * mean(&|credited| credited * credited, best);
        self.products += weight * staked * mean(&|credited| credited, best);
    }
}

/// One flop from each class of flops that differ only by a permutation of the suits, with the size
/// of the class.
fn flops() -> BTreeMap<[usize; 3], u64> {
    let mut classes = BTreeMap::new();
    for a in 0..DECK {
        for b in a + 1..DECK {
            for c in b + 1..DECK {
                *classes.entry(canonical([a, b, c])).or_default() += 1;
            }
        }
    }
    classes
}

/// The smallest flop that results from permuting the suits. A card's number is four times its rank
/// plus its suit.
fn canonical(flop: [usize; 3]) -> [usize; 3] {
    let mut least = flop;
    for a in 0..4 {
        for b in (0..4).filter(|b| *b != a) {
            for c in (0..4).filter(|c| *c != a && *c != b) {
                let suits = [a, b, c, 6 - a - b - c];
                let mut renamed = flop.map(|card| card / 4 * 4 + suits[card % 4]);
                renamed.sort_unstable();
                least = least.min(renamed);
            }
        }
    }
    least
}

fn card(index: usize) -> Card {
    u8::try_from(index)
        .ok()
        .and_then(Card::at)
        .unwrap_or_else(|| unreachable!())
}

/// Counts the results of all completions for each pair of the player's hole cards. The index is 52
/// times the first card plus the second.
fn deals(flop: [usize; 3]) -> Vec<Outcomes> {
    let mut outcomes = vec![Outcomes::default(); DECK * DECK];
    for turn in (0..DECK).filter(|turn| !flop.contains(turn)) {
        for river in (turn + 1..DECK).filter(|river| !flop.contains(river)) {
            let board = [flop[0], flop[1], flop[2], turn, river];
            compare(board, &mut outcomes);
        }
    }
    outcomes
}

/// Adds, for each pair of hole cards, its results against all house pairs on this board.
fn compare(board: [usize; 5], outcomes: &mut [Outcomes]) {
    let shared: CardSet = board.into_iter().map(card).collect();
    let rest: Vec<usize> = (0..DECK).filter(|index| !board.contains(index)).collect();
    let mut pairs = Vec::with_capacity(1_081);
    for (start, a) in rest.iter().enumerate() {
        for b in &rest[start + 1..] {
            let rank = HandRank::of(shared.with(card(*a)).with(card(*b)));
            pairs.push((rank, *a, *b));
        }
    }
    pairs.sort_unstable();
    let is_qualified: Vec<bool> = pairs
        .iter()
        .map(|(rank, ..)| rank.is_pair_of_at_least(QUALIFYING_RANK))
        .collect();
    let first_qualified = is_qualified.partition_point(|is_qualified| !is_qualified);
    // The number of pairs before an index that contain a card.
    let mut holding = vec![[0_u16; DECK]; pairs.len() + 1];
    for (index, (_, a, b)) in pairs.iter().enumerate() {
        holding[index + 1] = holding[index];
        holding[index + 1][*a] += 1;
        holding[index + 1][*b] += 1;
    }
    let mut begin = 0;
    while begin < pairs.len() {
        let rank = pairs[begin].0;
        let end = begin + pairs[begin..].partition_point(|pair| pair.0 == rank);
        for (_, a, b) in &pairs[begin..end] {
            // The number of house pairs in a range of indices that share no card with the player.
            let others = |from: usize, to: usize, has_own: bool| -> u64 {
                let held = |card: usize| holding[to][card] - holding[from][card];
                let sharing = u64::from(held(*a)) + u64::from(held(*b));
                (to - from) as u64 + u64::from(has_own) - sharing
            };
            let counts = &mut outcomes[a * DECK + b];
            let split = |from: usize, to: usize| first_qualified.clamp(from, to);
            for (outcome, (from, to)) in [(0, begin), (begin, end), (end, pairs.len())]
                .into_iter()
                .enumerate()
            {
                let middle = split(from, to);
                // The player's own pair is among the ties and was subtracted once for each of its
                // two cards.
                let own_is_unqualified = outcome == 1 && middle == to && from < to;
                let own_is_qualified = outcome == 1 && !own_is_unqualified;
                counts.unqualified[outcome] += others(from, middle, own_is_unqualified);
                counts.qualified[outcome] += others(middle, to, own_is_qualified);
            }
        }
        begin = end;
    }
}
