//! Jacks or Better, 8/5 (`docs/games.md#video-poker`): five cards, hold some, draw the others.

use glasshouse_domain::{Money, Multiplier};

use crate::bet::BetError;
use crate::cards::{Card, CardSet};
use crate::fairness::Stream;
use crate::hand_rank::{Category, HandRank};
use crate::urn::Urn;

mod round;

pub use round::{Details, Move, Round, View, paid_rank};

/// The smallest stake: one dollar.
pub const MINIMUM_STAKE: Money = Money::from_cents(100);
/// The largest stake: ten dollars, at which the royal flush pays in full.
pub const MAXIMUM_STAKE: Money = Money::from_cents(1_000);
/// Stakes are whole dollars.
pub const STAKE_STEP: Money = Money::from_cents(100);
/// Cards of a hand.
pub const HAND_SIZE: usize = 5;

/// What a hand is paid as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PaidRank {
    /// Nothing that pays.
    HighCard,
    /// A pair of jacks, queens, kings or aces.
    JacksOrBetter,
    /// Two pairs.
    TwoPair,
    /// Three of a rank.
    ThreeOfAKind,
    /// Five ranks in a row.
    Straight,
    /// Five of a suit.
    Flush,
    /// Three of one rank, two of another.
    FullHouse,
    /// Four of a rank.
    FourOfAKind,
    /// A straight of one suit.
    StraightFlush,
    /// Ten to ace of one suit.
    RoyalFlush,
}

impl PaidRank {
    /// All, the best first, as the paytable lists them.
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

    /// As it is shown.
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

    /// What five cards are paid as.
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

    /// What the stake is paid times; the royal flush in full at the maximum stake only.
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

/// Which of the five cards stay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Holds(u8);

/// A position that is none, or named twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("Held cards are different positions from 0 to 4")]
pub struct HoldsError;

impl Holds {
    /// None stays.
    pub const NONE: Self = Self(0);

    /// Every choice, from none to all.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..32).map(Self)
    }

    /// The choice of these positions.
    ///
    /// # Errors
    /// If one is not from 0 to 4, or comes twice.
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

    /// Whether the card at that position stays.
    #[must_use]
    pub const fn has(self, position: usize) -> bool {
        position < HAND_SIZE && self.0 & (1 << position) != 0
    }

    /// The positions, in order.
    #[must_use]
    pub fn positions(self) -> Vec<usize> {
        (0..HAND_SIZE)
            .filter(|position| self.has(*position))
            .collect()
    }
}

/// A bet that the house takes, whatever the player's balance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bet {
    stake: Money,
}

impl Bet {
    /// Judges a bet by the rules of the game.
    ///
    /// # Errors
    /// If the stake is not from one to ten whole dollars.
    pub fn new(stake: Money) -> Result<Self, BetError> {
        crate::bet::judge_stake(stake, MINIMUM_STAKE, MAXIMUM_STAKE)?;
        if stake.cents() % STAKE_STEP.cents() != 0 {
            return Err(BetError::StakeNotWhole(STAKE_STEP));
        }
        Ok(Self { stake })
    }

    /// What is bet.
    #[must_use]
    pub const fn stake(&self) -> Money {
        self.stake
    }

    /// Whether the royal flush pays in full.
    #[must_use]
    pub fn is_maximum(&self) -> bool {
        self.stake == MAXIMUM_STAKE
    }
}

/// The ten cards of a round: five dealt, five that replace what is not held, from left to right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deal {
    dealt: [Card; HAND_SIZE],
    replacements: [Card; HAND_SIZE],
}

/// How a hand ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FinalHand {
    /// The five cards after the draw.
    pub hand: [Card; HAND_SIZE],
    /// What they are paid as.
    pub rank: PaidRank,
    /// What the stake is paid times; none where nothing is paid.
    pub multiplier: Option<Multiplier>,
    /// What is credited.
    pub payout: Money,
}

impl Deal {
    /// The round that a stream decides; its order is fixed before anything is held.
    #[must_use]
    pub fn new(stream: &mut Stream) -> Self {
        let mut deck = Urn::new(Card::deck());
        Self {
            dealt: deck.draw_several(stream),
            replacements: deck.draw_several(stream),
        }
    }

    /// The five cards that the player sees.
    #[must_use]
    pub const fn dealt(&self) -> &[Card; HAND_SIZE] {
        &self.dealt
    }

    /// The hand after replacing what is not held.
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

    /// The end of the round.
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
            // At most ten dollars times 800; always whole cents.
            payout: Money::from_cents(bet.stake().cents() * i64::from(times)),
        }
    }
}

/// What a choice of holds pays on average, exactly: the sum of what every possible draw pays, and
/// how many there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HoldValue {
    /// The choice.
    pub holds: Holds,
    /// The sum of the multipliers over all draws.
    pub paid_times: u64,
    /// How many draws there are.
    pub draws: u64,
}

/// The exact value of each of the 32 choices for a dealt hand: 2,598,960 draws in all.
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

/// Hands every completion of `hand` by `missing` cards of `rest` to `visit`.
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
