//! The rank of the best five of five, six or seven cards.
//!
//! A rank is one number whose order is poker's: the category above, below it the ranks that make
//! the category, below those the kickers. Ranks are sets of bits, so that of two sets with as many
//! cards the one with the higher cards is the larger number.

use crate::cards::CardSet;

/// What a hand is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Category {
    /// Nothing.
    HighCard,
    /// Two of a rank.
    Pair,
    /// Two of one rank, two of another.
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
    /// Five ranks in a row, of a suit.
    StraightFlush,
    /// Ten to ace, of a suit.
    RoyalFlush,
}

impl Category {
    /// All categories, the lowest first.
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

    /// As it is shown.
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

/// How good a hand is; more is better, equal hands are equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HandRank(u32);

const RANK_BITS: u32 = 13;
const ACE: u64 = 1 << 12;
const JACK: u64 = 1 << 9;
/// Ace to five: the ace counts as one.
const WHEEL: u64 = ACE | 0b1111;

impl HandRank {
    /// The rank of the best five of these cards, of which there are five, six or seven.
    #[must_use]
    pub fn of(cards: CardSet) -> Self {
        let [a, b, c, d] = cards.suits();
        let all = a | b | c | d;
        for suit in [a, b, c, d] {
            if suit.count_ones() >= 5 {
                // With at most seven cards, five of a suit leave no room for four of a kind or a
                // full house.
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

    fn new(category: Category, made_of: u64, kickers: u64) -> Self {
        // Both sets have thirteen bits.
        let low = u32::try_from(made_of << RANK_BITS | kickers).unwrap_or(u32::MAX);
        Self((category as u32) << (2 * RANK_BITS) | low)
    }

    /// What the hand is called.
    #[must_use]
    pub fn category(self) -> Category {
        usize::try_from(self.0 >> (2 * RANK_BITS))
            .ok()
            .and_then(|index| Category::ALL.get(index).copied())
            .unwrap_or(Category::HighCard)
    }

    /// Whether it is a pair of jacks or of something higher, and no more.
    #[must_use]
    pub fn is_high_pair(self) -> bool {
        self.category() == Category::Pair && self.made_of() >= JACK
    }

    /// Whether it is a pair of at least that rank (0 for twos), or anything better than a pair.
    #[must_use]
    pub fn is_pair_of_at_least(self, rank: u8) -> bool {
        match self.category() {
            Category::HighCard => false,
            Category::Pair => self.made_of() >= 1 << rank,
            _ => true,
        }
    }

    fn made_of(self) -> u64 {
        u64::from(self.0 >> RANK_BITS) & ((1 << RANK_BITS) - 1)
    }
}

/// The highest card of the highest straight; none without one.
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
