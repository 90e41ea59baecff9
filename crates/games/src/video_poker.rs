//! Jacks or Better, 8/5 (`docs/games.md#video-poker`): five cards are dealt, some are
//! held, and the others are replaced.

use glasshouse_domain::{Money, Multiplier};

use crate::bet::BetError;
use crate::cards::{Card, CardSet};
use crate::fairness::Stream;
use crate::hand_rank::{Category, HandRank};
use crate::urn::Urn;

mod round;

pub use round::{Details, Move, Round, Terms, View, paid_rank};

/// The smallest stake: one dollar.
pub const MINIMUM_STAKE: Money = Money::from_cents(100);
/// The largest stake: ten dollars. The royal flush pays its full price only at this stake.
pub const MAXIMUM_STAKE: Money = Money::from_cents(1_000);
/// Stakes are multiples of one dollar.
pub const STAKE_STEP: Money = Money::from_cents(100);
/// The number of cards in a hand.
pub const HAND_SIZE: usize = 5;

/// The rank in the paytable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PaidRank {
    /// No paying combination.
    HighCard,
    /// A pair of jacks, queens, kings or aces.
    JacksOrBetter,
    /// Two pairs of different ranks.
    TwoPair,
    /// Three cards of one rank.
    ThreeOfAKind,
    /// Five consecutive ranks.
    Straight,
    /// Five cards of one suit.
    Flush,
    /// Three cards of one rank and two of another.
    FullHouse,
    /// Four cards of one rank.
    FourOfAKind,
    /// A straight in one suit.
    StraightFlush,
    /// Ten to ace in one suit.
    RoyalFlush,
}

impl PaidRank {
    /// Every rank, the best first, as in the paytable.
    pub const ALL: [Self; 10] = [
        Self::RoyalFlush,
        Self::StraightFlush,
        Self::FourOfAKind,
        Self::FullHouse,
        Self::Flush,
        Self::Straight,
        Self::ThreeOfAKind,
        Self::TwoPair,
        Self::JacksOrBetter,
        Self::HighCard,
    ];

    /// The name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::HighCard => "HIGH_CARD",
            Self::JacksOrBetter => "JACKS_OR_BETTER",
            Self::TwoPair => "TWO_PAIR",
            Self::ThreeOfAKind => "THREE_OF_A_KIND",
            Self::Straight => "STRAIGHT",
            Self::Flush => "FLUSH",
            Self::FullHouse => "FULL_HOUSE",
            Self::FourOfAKind => "FOUR_OF_A_KIND",
            Self::StraightFlush => "STRAIGHT_FLUSH",
            Self::RoyalFlush => "ROYAL_FLUSH",
        }
    }

    /// The display name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::HighCard => "High Card",
            Self::JacksOrBetter => "Jacks or Better",
            Self::TwoPair => "Two Pair",
            Self::ThreeOfAKind => "Three of a Kind",
            Self::Straight => "Straight",
            Self::Flush => "Flush",
            Self::FullHouse => "Full House",
            Self::FourOfAKind => "Four of a Kind",
            Self::StraightFlush => "Straight Flush",
            Self::RoyalFlush => "Royal Flush",
        }
    }

    /// The paytable rank of five cards.
    #[must_use]
    pub fn of(hand: CardSet) -> Self {
        let rank = HandRank::of(hand);
        match rank.category() {
            Category::Pair if rank.is_high_pair() => Self::JacksOrBetter,
            Category::HighCard | Category::Pair => Self::HighCard,
            Category::TwoPair => Self::TwoPair,
            Category::ThreeOfAKind => Self::ThreeOfAKind,
            Category::Straight => Self::Straight,
            Category::Flush => Self::Flush,
            Category::FullHouse => Self::FullHouse,
            Category::FourOfAKind => Self::FourOfAKind,
            Category::StraightFlush => Self::StraightFlush,
            Category::RoyalFlush => Self::RoyalFlush,
        }
    }

    /// The payout in multiples of the stake. The royal flush pays more at the maximum stake.
    #[must_use]
    pub const fn times(self, is_maximum_stake: bool) -> u32 {
        match self {
            Self::HighCard => 0,
            Self::JacksOrBetter => 1,
            Self::TwoPair => 2,
            Self::ThreeOfAKind => 3,
            Self::Straight => 4,
            Self::Flush => 5,
            Self::FullHouse => 8,
            Self::FourOfAKind => 25,
            Self::StraightFlush => 50,
            Self::RoyalFlush if is_maximum_stake => 800,
            Self::RoyalFlush => 250,
        }
    }
}

/// The held cards of a hand, as a set of positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Holds(u8);

/// A position is invalid or repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("Held cards are different positions from 0 to 4")]
pub struct HoldsError;

impl Holds {
    /// No card is held.
    pub const NONE: Self = Self(0);

    /// Every choice of holds, from none to all.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..32).map(Self)
    }

    /// The holds at the given positions.
    ///
    /// # Errors
    /// If a position is not from 0 to 4, or is repeated.
    pub fn of(positions: &[i64]) -> Result<Self, HoldsError> {
        positions.iter().try_fold(Self::NONE, |holds, position| {
            let bit = match position {
                0..=4 => 1 << position,
                _ => return Err(HoldsError),
            };
            if holds.0 & bit != 0 {
                return Err(HoldsError);
            }
            Ok(Self(holds.0 | bit))
        })
    }

    /// Whether the card at a position is held.
    #[must_use]
    pub const fn has(self, position: usize) -> bool {
        position < HAND_SIZE && self.0 & (1 << position) != 0
    }

    /// The held positions in ascending order.
    #[must_use]
    pub fn positions(self) -> Vec<usize> {
        (0..HAND_SIZE)
            .filter(|position| self.has(*position))
            .collect()
    }
}

/// A bet that satisfies the rules, regardless of the player's balance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bet {
    stake: Money,
}

impl Bet {
    /// Validates a bet.
    ///
    /// # Errors
    /// If the stake is not a whole number of dollars from one to ten.
    pub fn new(stake: Money) -> Result<Self, BetError> {
        crate::bet::judge_stake(stake, MINIMUM_STAKE, MAXIMUM_STAKE)?;
        if stake.cents() % STAKE_STEP.cents() != 0 {
            return Err(BetError::StakeNotWhole(STAKE_STEP));
        }
        Ok(Self { stake })
    }

    /// The stake.
    #[must_use]
    pub const fn stake(&self) -> Money {
        self.stake
    }

    /// Whether the stake is the maximum, at which the royal flush pays its full price.
    #[must_use]
    pub fn is_maximum(&self) -> bool {
        self.stake == MAXIMUM_STAKE
    }
}

/// The ten cards of a round: the five dealt, and five replacements for cards that are not held,
/// used from left to right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deal {
    dealt: [Card; HAND_SIZE],
    replacements: [Card; HAND_SIZE],
}

/// The result of a hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FinalHand {
    /// The five cards after the draw.
    pub hand: [Card; HAND_SIZE],
    /// The paytable rank of the hand.
    pub rank: PaidRank,
    /// The payout in multiples of the stake; `None` if nothing is paid.
    pub multiplier: Option<Multiplier>,
    /// The payout.
    pub payout: Money,
}

impl Deal {
    /// Draws the cards of a round. Their order is fixed before the player holds any.
    #[must_use]
    pub fn new(stream: &mut Stream) -> Self {
        let mut deck = Urn::new(Card::deck());
        Self {
            dealt: deck.draw_several(stream),
            replacements: deck.draw_several(stream),
        }
    }

    /// The five cards dealt.
    #[must_use]
    pub const fn dealt(&self) -> &[Card; HAND_SIZE] {
        &self.dealt
    }

    /// The hand after replacing the cards that are not held.
    #[must_use]
    pub fn draw(&self, holds: Holds) -> [Card; HAND_SIZE] {
        let mut replacements = self.replacements.iter();
        let mut hand = self.dealt;
        for (position, card) in hand.iter_mut().enumerate() {
            if !holds.has(position)
                && let Some(replacement) = replacements.next()
            {
                *card = *replacement;
            }
        }
        hand
    }

    /// Computes the result of the round.
    #[must_use]
    pub fn finish(&self, bet: &Bet, holds: Holds) -> FinalHand {
        let hand = self.draw(holds);
        let rank = PaidRank::of(hand.into_iter().collect());
        let times = rank.times(bet.is_maximum());
        let multiplier = Multiplier::from_hundredths(times * 100);
        FinalHand {
            hand,
            rank,
            multiplier: (times > 0).then_some(multiplier),
            // At most 800 times ten dollars, and always whole cents.
            payout: Money::from_cents(bet.stake().cents() * i64::from(times)),
        }
    }
}

/// The exact average payout of a choice of holds, as the sum over all possible draws and the number
/// of draws.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HoldValue {
    /// The choice of holds.
    pub holds: Holds,
    /// The sum of the payouts over all draws, in multiples of the stake.
    pub paid_times: u64,
    /// The number of possible draws.
    pub draws: u64,
}

/// The exact values of the 32 choices for a dealt hand, from 2,598,960 draws in total.
#[must_use]
pub fn hold_values(dealt: &[Card; HAND_SIZE], is_maximum_stake: bool) -> Vec<HoldValue> {
    let rest: Vec<CardSet> = Card::deck()
        .filter(|card| !dealt.contains(card))
        .map(|card| CardSet::EMPTY.with(card))
        .collect();
    Holds::all()
        .map(|holds| {
            let held = holds
                .positions()
                .into_iter()
                .filter_map(|position| dealt.get(position).copied());
            let held: Vec<Card> = held.collect();
            let missing = HAND_SIZE - held.len();
            let mut value = HoldValue {
                holds,
                paid_times: 0,
                draws: 0,
            };
            let held: CardSet = held.into_iter().collect();
            complete(held, &rest, missing, &mut |hand| {
                value.paid_times += u64::from(PaidRank::of(hand).times(is_maximum_stake));
                value.draws += 1;
            });
            value
        })
        .collect()
}

/// Calls `visit` with every completion of `hand` by `missing` cards of `rest`.
pub(crate) fn complete(
    hand: CardSet,
    rest: &[CardSet],
    missing: usize,
    visit: &mut impl FnMut(CardSet),
) {
    if missing == 0 {
        visit(hand);
        return;
    }
    let mut later = rest;
    while let Some((card, after)) = later.split_first() {
        later = after;
        if later.len() + 1 < missing {
            return;
        }
        complete(hand.union(*card), later, missing - 1, visit);
    }
}
