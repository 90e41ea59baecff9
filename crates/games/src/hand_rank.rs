//! Ranks the best five of five, six or seven cards.
//!
//! A rank is a number ordered like poker hands: the highest bits are the category, followed by the
//! ranks that form it and then the kickers. Both are bit masks of ranks, so that of two masks with
//! the same number of cards the one with the higher cards is the larger number.

use crate::cards::CardSet;

/// The category of a poker hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Category {
    /// No combination.
    HighCard,
    /// Two cards of one rank.
    Pair,
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

impl Category {
    /// Every category, the lowest first.
    pub const ALL: [Self; 10] = [
        Self::HighCard,
        Self::Pair,
        Self::TwoPair,
        Self::ThreeOfAKind,
        Self::Straight,
        Self::Flush,
        Self::FullHouse,
        Self::FourOfAKind,
        Self::StraightFlush,
        Self::RoyalFlush,
    ];

    /// The display name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::HighCard => "High Card",
            Self::Pair => "Pair",
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
}

/// The strength of a hand. Better hands compare greater; equally good hands are equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HandRank(u32);

const RANK_BITS: u32 = 13;
const ACE: u64 = 1 << 12;
const JACK: u64 = 1 << 9;
/// Ace to five, with the ace as the lowest card.
const WHEEL: u64 = ACE | 0b1111;

impl HandRank {
    /// Ranks the best five of five, six or seven cards.
    #[must_use]
    pub fn of(cards: CardSet) -> Self {
        let [a, b, c, d] = cards.suits();
        let all = a | b | c | d;
        for suit in [a, b, c, d] {
            if suit.count_ones() >= 5 {
                // With at most seven cards, a flush rules out four of a kind and a full house.
                return match straight(suit) {
                    ACE => Self::new(Category::RoyalFlush, ACE, 0),
                    0 => Self::new(Category::Flush, 0, highest(suit, 5)),
                    high => Self::new(Category::StraightFlush, high, 0),
                };
            }
        }
        let four = a & b & c & d;
        let three = ((a & b) & (c | d)) | ((c & d) & (a | b));
        let two = (a & (b | c | d)) | (b & (c | d)) | (c & d);
        if four != 0 {
            return Self::new(Category::FourOfAKind, four, highest(all & !four, 1));
        }
        if three != 0 {
            let triple = highest(three, 1);
            let pair = highest(two & !triple, 1);
            if pair != 0 {
                return Self::new(Category::FullHouse, triple, pair);
            }
            let high = straight(all);
            if high != 0 {
                return Self::new(Category::Straight, high, 0);
            }
            return Self::new(Category::ThreeOfAKind, triple, highest(all & !triple, 2));
        }
        let high = straight(all);
        if high != 0 {
            return Self::new(Category::Straight, high, 0);
        }
        match two.count_ones() {
            0 => Self::new(Category::HighCard, 0, highest(all, 5)),
            1 => Self::new(Category::Pair, two, highest(all & !two, 3)),
            _ => {
                let pairs = highest(two, 2);
                Self::new(Category::TwoPair, pairs, highest(all & !pairs, 1))
            }
        }
    }

    fn new(category: Category, combination: u64, kickers: u64) -> Self {
        // Both masks have 13 bits.
        let low = u32::try_from(combination << RANK_BITS | kickers).unwrap_or(u32::MAX);
        Self((category as u32) << (2 * RANK_BITS) | low)
    }

    /// The category of the hand.
    #[must_use]
    pub fn category(self) -> Category {
        usize::try_from(self.0 >> (2 * RANK_BITS))
            .ok()
            .and_then(|index| Category::ALL.get(index).copied())
            .unwrap_or(Category::HighCard)
    }

    /// Whether the hand is exactly a pair, of jacks or higher.
    #[must_use]
    pub fn is_high_pair(self) -> bool {
        self.category() == Category::Pair && self.combination() >= JACK
    }

    /// Whether the hand is a pair of at least the given rank (0 for twos), or better than a pair.
    #[must_use]
    pub fn is_pair_of_at_least(self, rank: u8) -> bool {
        match self.category() {
            Category::HighCard => false,
            Category::Pair => self.combination() >= 1 << rank,
            _ => true,
        }
    }

    fn combination(self) -> u64 {
        u64::from(self.0 >> RANK_BITS) & ((1 << RANK_BITS) - 1)
    }
}

/// The highest card of the highest straight, as a mask; 0 if there is none.
const fn straight(ranks: u64) -> u64 {
    let runs = ranks & (ranks << 1) & (ranks << 2) & (ranks << 3) & (ranks << 4);
    if runs != 0 {
        1 << runs.ilog2()
    } else if ranks & WHEEL == WHEEL {
        1 << 3
    } else {
        0
    }
}

/// The `count` highest ranks.
const fn highest(mut ranks: u64, count: u32) -> u64 {
    while ranks.count_ones() > count {
        ranks &= ranks - 1;
    }
    ranks
}
