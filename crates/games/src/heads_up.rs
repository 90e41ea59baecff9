//! Heads-up hold'em against the house (`docs/games.md#heads-up`).

use glasshouse_domain::Money;

use crate::bet::{BetError, judge_stake};
use crate::cards::{Card, CardSet};
use crate::fairness::Stream;
use crate::hand_rank::HandRank;
use crate::urn::Urn;
use crate::video_poker::complete;

mod round;

pub use round::{Details, Round, ShownDown, View};

/// The smallest stake: five dollars.
pub const MINIMUM_STAKE: Money = Money::from_cents(500);
/// The largest stake: 1,000 dollars, of which a raise stakes three.
pub const MAXIMUM_STAKE: Money = Money::from_cents(100_000);
/// The stake that a player is first offered.
pub const DEFAULT_STAKE: Money = Money::from_cents(2_500);
/// Stakes are multiples of five dollars.
pub const STAKE_STEP: Money = Money::from_cents(500);
/// The house matches with a pair of threes or anything better.
pub const QUALIFYING_RANK: u8 = 1;

/// What the player does after the flop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Gives the bet up.
    Fold,
    /// Adds one bet.
    Call,
    /// Adds two bets.
    Raise,
}

impl Action {
    /// All, the cheapest first.
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

    /// The action of that name.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|action| action.as_str() == text)
    }

    /// How many bets it adds.
    #[must_use]
    pub const fn added_bets(self) -> i64 {
        match self {
            Self::Fold => 0,
            Self::Call => 1,
            Self::Raise => 2,
        }
    }
}

/// How the hands compare, or that they do not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Showdown {
    /// The player's hand is better.
    Win,
    /// Equal hands.
    Push,
    /// The house's hand is better.
    Loss,
    /// The player gave up.
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

/// A bet that the house takes, whatever the player's balance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bet {
    stake: Money,
}

impl Bet {
    /// Judges a bet by the rules of the game.
    ///
    /// # Errors
    /// If the stake is not a multiple of five dollars from five to [`MAXIMUM_STAKE`].
    pub fn new(stake: Money) -> Result<Self, BetError> {
        judge_stake(stake, MINIMUM_STAKE, MAXIMUM_STAKE)?;
        if stake.cents() % STAKE_STEP.cents() != 0 {
            return Err(BetError::StakeNotWhole(STAKE_STEP));
        }
        Ok(Self { stake })
    }

    /// What is bet before the flop.
    #[must_use]
    pub const fn stake(&self) -> Money {
        self.stake
    }

    /// What an action stakes in addition.
    #[must_use]
    pub const fn added(&self, action: Action) -> Money {
        Money::from_cents(self.stake.cents() * action.added_bets())
    }

    /// What is credited: the table of `docs/games.md#heads-up-table`, in bets.
    #[must_use]
    pub const fn payout(&self, action: Action, showdown: Showdown, house_qualifies: bool) -> Money {
        let added = action.added_bets();
        let bets = match (action, showdown) {
            (Action::Fold, _) | (_, Showdown::Fold) => 0,
            // The opening pot, the player's addition, and the house's if it matches.
            (_, Showdown::Win) if house_qualifies => 2 + 2 * added,
            (_, Showdown::Win) => 2 + added,
            (_, Showdown::Push) => 1 + added,
            // The house takes what it matched.
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

/// The cards on the table at the end, and what they mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FinalHands {
    /// How the hands compare.
    pub showdown: Showdown,
    /// Whether the house matches.
    pub house_qualifies: bool,
    /// The player's best five of seven.
    pub player_rank: HandRank,
    /// The house's.
    pub house_rank: HandRank,
    /// What is credited.
    pub payout: Money,
}

impl Deal {
    /// The round that a stream decides: the player's two, the house's two, flop, turn, river.
    #[must_use]
    pub fn new(stream: &mut Stream) -> Self {
        let mut deck = Urn::new(Card::deck());
        Self {
            player: deck.draw_several(stream),
            house: deck.draw_several(stream),
            board: deck.draw_several(stream),
        }
    }

    /// The player's two cards.
    #[must_use]
    pub const fn player(&self) -> &[Card; 2] {
        &self.player
    }

    /// The house's two cards. A secret until the end.
    #[must_use]
    pub const fn house(&self) -> &[Card; 2] {
        &self.house
    }

    /// The five cards of the board; the last two are a secret until the end.
    #[must_use]
    pub const fn board(&self) -> &[Card; 5] {
        &self.board
    }

    /// The three cards of the board that the player sees.
    #[must_use]
    pub const fn flop(&self) -> [Card; 3] {
        let [first, second, third, ..] = self.board;
        [first, second, third]
    }

    /// The end of the round.
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

/// How often what happens, over every turn, river and house's hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Equity {
    /// All completions: 1,070,190.
    pub total: u64,
    /// The player's hand is better, the house qualifying or not.
    pub wins: u64,
    /// Equal hands.
    pub ties: u64,
    /// The house does not qualify.
    pub unqualified: u64,
    /// The player's hand is better and the house qualifies.
    pub wins_qualified: u64,
    /// Equal hands and the house qualifies.
    pub ties_qualified: u64,
}

impl Equity {
    /// The exact equity of two cards on a flop.
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

    /// How often the house's hand is better.
    #[must_use]
    pub const fn losses(&self) -> u64 {
        self.total - self.wins - self.ties
    }

    /// What an action credits on average, in bets: the sum over all completions.
    #[must_use]
    pub fn paid_bets(&self, action: Action) -> u64 {
        // In units of one bet each.
        let bet = Bet {
            stake: Money::from_cents(1),
        };
        let qualified = self.total - self.unqualified;
        let losses_qualified = qualified - self.wins_qualified - self.ties_qualified;
        let cases = [
            (Showdown::Win, true, self.wins_qualified),
            (Showdown::Win, false, self.wins - self.wins_qualified),
            (Showdown::Push, true, self.ties_qualified),
            (Showdown::Push, false, self.ties - self.ties_qualified),
            (Showdown::Loss, true, losses_qualified),
            (Showdown::Loss, false, self.losses() - losses_qualified),
        ];
        cases
            .iter()
            .map(|(showdown, qualifies, count)| {
                let bets = bet.payout(action, *showdown, *qualifies).cents();
                u64::try_from(bets).unwrap_or(0) * count
            })
            .sum()
    }
}
