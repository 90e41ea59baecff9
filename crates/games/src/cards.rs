//! Cards: a deck in a fixed order from which the fairness stream draws, and sets of cards as bit
//! masks.

use std::fmt;

use crate::fairness::Stream;
use crate::urn::Urn;

/// The number of cards in a deck.
pub const DECK_SIZE: u8 = 52;
const RANKS: u8 = 13;
const RANK_NAMES: [&str; 13] = [
    "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A",
];

/// A suit, in deck order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Suit {
    /// ♦
    Diamonds,
    /// ♥
    Hearts,
    /// ♠
    Spades,
    /// ♣
    Clubs,
}

impl Suit {
    /// Every suit, in deck order.
    pub const ALL: [Self; 4] = [Self::Diamonds, Self::Hearts, Self::Spades, Self::Clubs];

    /// The name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Diamonds => "diamonds",
            Self::Hearts => "hearts",
            Self::Spades => "spades",
            Self::Clubs => "clubs",
        }
    }

    const fn letter(self) -> char {
        match self {
            Self::Diamonds => 'D',
            Self::Hearts => 'H',
            Self::Spades => 'S',
            Self::Clubs => 'C',
        }
    }
}

/// A card, stored as its position in the deck: 2♦ 2♥ 2♠ 2♣ 3♦ … A♣.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

impl Card {
    /// The card at a position from 0 to 51.
    #[must_use]
    pub const fn at(place: u8) -> Option<Self> {
        if place < DECK_SIZE {
            Some(Self(place))
        } else {
            None
        }
    }

    /// Every card, in deck order.
    pub fn deck() -> impl Iterator<Item = Self> {
        (0..DECK_SIZE).map(Self)
    }

    /// Parses a card such as `10H` or `AS`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::deck().find(|card| card.to_string() == text)
    }

    /// The position in the deck.
    #[must_use]
    pub const fn place(self) -> u8 {
        self.0
    }

    /// The rank, from 0 for a two to 12 for an ace.
    #[must_use]
    pub const fn rank(self) -> u8 {
        self.0 / 4
    }

    /// The suit.
    #[must_use]
    pub const fn suit(self) -> Suit {
        match self.0 % 4 {
            0 => Suit::Diamonds,
            1 => Suit::Hearts,
            2 => Suit::Spades,
            _ => Suit::Clubs,
        }
    }

    /// The rank as printed: `2` to `10`, `J`, `Q`, `K`, `A`.
    #[must_use]
    pub fn value(self) -> &'static str {
        RANK_NAMES
            .get(usize::from(self.rank()))
            .copied()
            .unwrap_or_default()
    }
}

/// The notation of published verifiers, such as `10H`.
impl fmt::Display for Card {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}{}", self.value(), self.suit().letter())
    }
}

/// A set of cards as a bit mask, with the suits 16 bits apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct CardSet(u64);

impl CardSet {
    /// The empty set.
    pub const EMPTY: Self = Self(0);

    /// The set with one more card.
    #[must_use]
    pub const fn with(self, card: Card) -> Self {
        Self(self.0 | Self::bit(card))
    }

    /// The union of both sets.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether the set contains the card.
    #[must_use]
    pub const fn has(self, card: Card) -> bool {
        self.0 & Self::bit(card) != 0
    }

    /// The ranks in each suit, one bit per rank.
    #[must_use]
    pub(crate) const fn suits(self) -> [u64; 4] {
        const MASK: u64 = (1 << RANKS) - 1;
        [
            self.0 & MASK,
            (self.0 >> 16) & MASK,
            (self.0 >> 32) & MASK,
            (self.0 >> 48) & MASK,
        ]
    }

    const fn bit(card: Card) -> u64 {
        1 << ((card.0 % 4) * 16 + card.0 / 4)
    }
}

impl FromIterator<Card> for CardSet {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Self {
        cards.into_iter().fold(Self::EMPTY, Self::with)
    }
}

/// Draws the first `N` cards of a deck (`docs/games.md#cards`).
#[must_use]
pub fn draw<const N: usize>(stream: &mut Stream) -> [Card; N] {
    Urn::new(Card::deck()).draw_several(stream)
}
