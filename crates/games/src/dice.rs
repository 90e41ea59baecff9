//! Dice: a bet that a roll from 1 to 100 is over a target, or not over it (`docs/games.md#dice`).
//!
//! "Over" wins if the roll is greater than the target, and "under" if it is not, so both chances
//! are exactly as displayed. A win pays `stake × 99 / winning numbers`: an RTP of 99 % for every
//! stake.

use glasshouse_domain::Money;
use serde::{Deserialize, Serialize};

use crate::bet::{BetError, judge_stake};
use crate::fairness::Stream;
use crate::payout::ExactPayout;

mod round;

pub use round::{Details, Round, Terms};

/// The highest roll; the lowest is 1.
pub const ROLL_MAXIMUM: u8 = 100;
/// The smallest stake: one cent.
pub const MINIMUM_STAKE: Money = Money::from_cents(1);
/// The largest stake: 1,000 dollars.
pub const MAXIMUM_STAKE: Money = Money::from_cents(100_000);
/// The default stake in the interface.
pub const DEFAULT_STAKE: Money = Money::from_cents(1_000);
/// The fair payout of 100, less the house edge of 1 %.
const RETURN_HUNDREDTHS: u32 = 99;

/// The side of the target that wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum BetType {
    /// Rolls greater than the target.
    Over,
    /// Rolls not greater than the target.
    Under,
}

impl BetType {
    /// The name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Over => "over",
            Self::Under => "under",
        }
    }

    /// Parses the name.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Over, Self::Under]
            .into_iter()
            .find(|bet_type| bet_type.as_str() == text)
    }
}

/// A number from 1 to 98 to roll over or under.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Target(u8);

impl Target {
    /// The lowest target.
    pub const MINIMUM: Self = Self(1);
    /// The highest target.
    pub const MAXIMUM: Self = Self(98);
    /// The default in the interface.
    pub const DEFAULT: Self = Self(50);

    /// Validates a target.
    ///
    /// # Errors
    /// [`BetError::InvalidTarget`] unless the number is from 1 to 98.
    pub fn new(number: i64) -> Result<Self, BetError> {
        match u8::try_from(number) {
            Ok(target @ 1..=98) => Ok(Self(target)),
            _ => Err(BetError::InvalidTarget),
        }
    }

    /// The target as a number.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }
}

/// A bet that satisfies the rules, regardless of the player's balance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bet {
    stake: Money,
    target: Target,
    side: BetType,
}

/// The outcome of a bet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Roll {
    /// The roll, from 1 to 100.
    pub roll: u8,
    /// Whether the bet won.
    pub is_win: bool,
    /// The payout; zero on a loss.
    pub payout: ExactPayout,
}

impl Bet {
    /// Validates a bet.
    ///
    /// # Errors
    /// If the stake is not from one cent to [`MAXIMUM_STAKE`].
    pub fn new(stake: Money, target: Target, bet_type: BetType) -> Result<Self, BetError> {
        judge_stake(stake, MINIMUM_STAKE, MAXIMUM_STAKE)?;
        Ok(Self {
            stake,
            target,
            side: bet_type,
        })
    }

    /// The stake.
    #[must_use]
    pub const fn stake(&self) -> Money {
        self.stake
    }

    /// The number to roll over or under.
    #[must_use]
    pub const fn target(&self) -> Target {
        self.target
    }

    /// The side of the target that wins.
    #[must_use]
    pub const fn bet_type(&self) -> BetType {
        self.side
    }

    /// The number of winning rolls out of 100, which is also the chance in percent.
    #[must_use]
    pub const fn winning_numbers(&self) -> u8 {
        match self.side {
            BetType::Over => ROLL_MAXIMUM - self.target.0,
            BetType::Under => self.target.0,
        }
    }

    /// Whether a roll wins.
    #[must_use]
    pub const fn wins(&self, roll: u8) -> bool {
        match self.side {
            BetType::Over => roll > self.target.0,
            BetType::Under => roll <= self.target.0,
        }
    }

    /// The payout of a win: `stake × 99 / winning numbers`.
    #[must_use]
    pub fn payout(&self) -> ExactPayout {
        ExactPayout::of(
            self.stake,
            RETURN_HUNDREDTHS,
            u32::from(self.winning_numbers()),
        )
    }

    /// 99 / winning numbers in ten-thousandths, rounded down. For display only, never for payouts.
    #[must_use]
    pub fn multiplier_ten_thousandths(&self) -> u32 {
        990_000 / u32::from(self.winning_numbers())
    }

    /// Rolls with the first number of the round's stream.
    #[must_use]
    pub fn play(&self, stream: &mut Stream) -> Roll {
        // At most 100, so it fits.
        let roll = u8::try_from(stream.below(u32::from(ROLL_MAXIMUM)) + 1).unwrap_or(ROLL_MAXIMUM);
        let is_win = self.wins(roll);
        Roll {
            roll,
            is_win,
            payout: if is_win {
                self.payout()
            } else {
                ExactPayout::NOTHING
            },
        }
    }
}
