//! Heads-up hold'em against the house (`docs/games.md#heads-up`).

use glasshouse_domain::Money;
use serde::{Deserialize, Serialize};

use crate::bet::{BetError, judge_stake};
use crate::cards::{Card, CardSet};
use crate::fairness::Stream;
use crate::hand_rank::HandRank;
use crate::urn::Urn;
use crate::video_poker::complete;

mod round;

pub use round::{Details, Round, ShownDown, Terms, View};

/// The smallest stake: five dollars.
pub const MINIMUM_STAKE: Money = Money::from_cents(500);
/// The largest opening stake: 1,000 dollars. With a raise, three times as much is staked.
pub const MAXIMUM_STAKE: Money = Money::from_cents(100_000);
/// The default stake in the interface.
pub const DEFAULT_STAKE: Money = Money::from_cents(2_500);
/// Stakes are multiples of five dollars.
pub const STAKE_STEP: Money = Money::from_cents(500);
/// The house qualifies with a pair of threes or better.
pub const QUALIFYING_RANK: u8 = 1;

/// The player's action after the flop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Action {
    /// Gives up the bet.
    Fold,
    /// Adds one more bet.
    Call,
    /// Adds two more bets.
    Raise,
}

impl Action {
    /// Every action, the cheapest first.
    pub const ALL: [Self; 3] = [Self::Fold, Self::Call, Self::Raise];

    /// The name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Fold => "fold",
            Self::Call => "call",
            Self::Raise => "raise",
        }
    }

    /// Parses the name.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|action| action.as_str() == text)
    }

    /// The number of bets that the action adds.
    #[must_use]
    pub const fn added_bets(self) -> i64 {
        match self {
            Self::Fold => 0,
            Self::Call => 1,
            Self::Raise => 2,
        }
    }
}

/// The result of comparing the hands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Showdown {
    /// The player's hand is better.
    Win,
    /// The hands are equal.
    Push,
    /// The house's hand is better.
    Loss,
    /// The player folded, so the hands are not compared.
    Fold,
}

impl Showdown {
    /// The name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Win => "win",
            Self::Push => "push",
            Self::Loss => "loss",
            Self::Fold => "fold",
        }
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
    /// If the stake is not a multiple of five dollars, from five dollars to [`MAXIMUM_STAKE`].
    pub fn new(stake: Money) -> Result<Self, BetError> {
        judge_stake(stake, MINIMUM_STAKE, MAXIMUM_STAKE)?;
        if stake.cents() % STAKE_STEP.cents() != 0 {
            return Err(BetError::StakeNotWhole(STAKE_STEP));
        }
        Ok(Self { stake })
    }

    /// The opening stake, before the flop.
    #[must_use]
    pub const fn stake(&self) -> Money {
        self.stake
    }

    /// The additional stake of an action.
    #[must_use]
    pub const fn added(&self, action: Action) -> Money {
        Money::from_cents(self.stake.cents() * action.added_bets())
    }

    /// The payout according to the table in `docs/games.md#heads-up-table`.
    #[must_use]
    pub const fn payout(&self, action: Action, showdown: Showdown, house_qualifies: bool) -> Money {
        let added = action.added_bets();
        let bets = match (action, showdown) {
            (Action::Fold, _) | (_, Showdown::Fold) => 0,
            // The opening pot, the player's additional bets, and the house's if it qualifies.
            (_, Showdown::Win) if house_qualifies => 2 + 2 * added,
            (_, Showdown::Win) => 2 + added,
            (_, Showdown::Push) => 1 + added,
            // The house wins the bets that it matched.
            (_, Showdown::Loss) if house_qualifies => 0,
            (_, Showdown::Loss) => added,
        };
        Money::from_cents(self.stake.cents() * bets)
    }
}

/// The nine cards of a round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deal {
    player: [Card; 2],
    house: [Card; 2],
    board: [Card; 5],
}

/// The hands at the end of a round, and the payout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FinalHands {
    /// The result of the showdown.
    pub showdown: Showdown,
    /// Whether the house qualifies.
    pub house_qualifies: bool,
    /// The rank of the player's best five of seven cards.
    pub player_rank: HandRank,
    /// The rank of the house's best five of seven cards.
    pub house_rank: HandRank,
    /// The payout.
    pub payout: Money,
}

impl Deal {
    /// Draws the cards of a round: two for the player, two for the house, flop, turn and river.
    #[must_use]
    pub fn new(stream: &mut Stream) -> Self {
        let mut deck = Urn::new(Card::deck());
        Self {
            player: deck.draw_several(stream),
            house: deck.draw_several(stream),
            board: deck.draw_several(stream),
        }
    }

    /// The player's hole cards.
    #[must_use]
    pub const fn player(&self) -> &[Card; 2] {
        &self.player
    }

    /// The house's hole cards, secret until the end.
    #[must_use]
    pub const fn house(&self) -> &[Card; 2] {
        &self.house
    }

    /// The five cards of the board; turn and river are secret until the end.
    #[must_use]
    pub const fn board(&self) -> &[Card; 5] {
        &self.board
    }

    /// The first three cards of the board.
    #[must_use]
    pub const fn flop(&self) -> [Card; 3] {
        let [first, second, third, ..] = self.board;
        [first, second, third]
    }

    /// Computes the result of the round.
    #[must_use]
    pub fn finish(&self, bet: &Bet, action: Action) -> FinalHands {
        let board: CardSet = self.board.into_iter().collect();
        let rank = |cards: &[Card; 2]| HandRank::of(board.union(cards.iter().copied().collect()));
        let (player_rank, house_rank) = (rank(&self.player), rank(&self.house));
        let showdown = if action == Action::Fold {
            Showdown::Fold
        } else {
            compare(player_rank, house_rank)
        };
        let house_qualifies = house_rank.is_pair_of_at_least(QUALIFYING_RANK);
        FinalHands {
            showdown,
            house_qualifies,
            player_rank,
            house_rank,
            payout: bet.payout(action, showdown, house_qualifies),
        }
    }
}

fn compare(player: HandRank, house: HandRank) -> Showdown {
    match player.cmp(&house) {
        std::cmp::Ordering::Greater => Showdown::Win,
        std::cmp::Ordering::Equal => Showdown::Push,
        std::cmp::Ordering::Less => Showdown::Loss,
    }
}

/// How often each result occurs over all turns, rivers and house hands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Equity {
    /// The number of completions: 1,070,190.
    pub total: u64,
    /// Completions in which the player's hand is better, whether or not the house qualifies.
    pub wins: u64,
    /// Completions in which the hands are equal.
    pub ties: u64,
    /// Completions in which the house does not qualify.
    pub unqualified: u64,
    /// Completions in which the player's hand is better and the house qualifies.
    pub wins_qualified: u64,
    /// Completions in which the hands are equal and the house qualifies.
    pub ties_qualified: u64,
}

impl Equity {
    /// Computes the exact equity of two hole cards on a flop.
    #[must_use]
    pub fn of(player: [Card; 2], flop: [Card; 3]) -> Self {
        let seen: CardSet = player.into_iter().chain(flop).collect();
        let rest: Vec<CardSet> = Card::deck()
            .filter(|card| !seen.has(*card))
            .map(|card| CardSet::EMPTY.with(card))
            .collect();
        let own: CardSet = player.into_iter().collect();
        let flop: CardSet = flop.into_iter().collect();
        let mut equity = Self::default();
        complete(flop, &rest, 2, &mut |board| {
            let player_rank = HandRank::of(board.union(own));
            let left: Vec<CardSet> = rest
                .iter()
                .copied()
                .filter(|card| card.union(board) != board)
                .collect();
            complete(board, &left, 2, &mut |cards| {
                equity.add(player_rank, HandRank::of(cards));
            });
        });
        equity
    }

    fn add(&mut self, player: HandRank, house: HandRank) {
        let qualifies = house.is_pair_of_at_least(QUALIFYING_RANK);
        self.total += 1;
        self.unqualified += u64::from(!qualifies);
        match compare(player, house) {
            Showdown::Win => {
                self.wins += 1;
                self.wins_qualified += u64::from(qualifies);
            }
            Showdown::Push => {
                self.ties += 1;
                self.ties_qualified += u64::from(qualifies);
            }
            Showdown::Loss | Showdown::Fold => {}
        }
    }

    /// The number of completions in which the house's hand is better.
    #[must_use]
    pub const fn losses(&self) -> u64 {
        self.total - self.wins - self.ties
    }

    /// The total payout of an action over all completions, in bets.
    #[must_use]
    pub fn paid_bets(&self, action: Action) -> u64 {
        // With a stake of one cent, payouts in cents are payouts in bets.
        let bet = Bet {
            stake: Money::from_cents(1),
        };
        let qualified = self.total - self.unqualified;
        let losses_qualified = qualified - self.wins_qualified - self.ties_qualified;
        let outcomes = [
            (Showdown::Win, true, self.wins_qualified),
            (Showdown::Win, false, self.wins - self.wins_qualified),
            (Showdown::Push, true, self.ties_qualified),
            (Showdown::Push, false, self.ties - self.ties_qualified),
            (Showdown::Loss, true, losses_qualified),
            (Showdown::Loss, false, self.losses() - losses_qualified),
        ];
        outcomes
            .iter()
            .map(|(showdown, qualifies, count)| {
                let bets = bet.payout(action, *showdown, *qualifies).cents();
                u64::try_from(bets).unwrap_or(0) * count
            })
            .sum()
    }
}
