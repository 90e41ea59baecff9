//! Mines: reveal safe cells of a grid, and cash out before hitting a mine (`docs/games.md#mines`).
//!
//! With m mines among 25 cells, the first k reveals are all safe with probability
//! `C(25 − m, k) / C(25, k)`. They pay `0.99 · C(25, k) / C(25 − m, k)`: an RTP of 99 % for every
//! number of mines, whenever the player stops.

mod round;
mod spread;

use glasshouse_domain::{Money, Multiplier};

use crate::bet::{BetError, judge_stake};
use crate::payout::ExactPayout;

pub use round::{Details, Move, Round, Terms, View};

/// The number of cells in the grid.
pub const CELLS: u8 = 25;
/// The smallest stake: ten cents.
pub const MINIMUM_STAKE: Money = Money::from_cents(10);
/// The largest stake: 1,000 dollars.
pub const MAXIMUM_STAKE: Money = Money::from_cents(100_000);
/// The default stake in the interface.
pub const DEFAULT_STAKE: Money = Money::from_cents(1_000);
/// The default number of mines in the interface.
pub const DEFAULT_MINES: u8 = 3;
/// The maximum payout: 100,000 dollars. A round is cashed out before a reveal that could exceed it.
pub const MAXIMUM_PAYOUT: Money = Money::from_cents(10_000_000);
/// 100 % less the house edge of 1 %.
const RETURN_PERCENT: u32 = 99;

/// A cell of the grid, from 0 to 24.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(u8);

impl Cell {
    /// Validates a cell number.
    ///
    /// # Errors
    /// If it is not from 0 to 24.
    pub fn new(number: i64) -> Result<Self, BetError> {
        match u8::try_from(number) {
            Ok(cell) if cell < CELLS => Ok(Self(cell)),
            _ => Err(BetError::InvalidTerms("Cells are numbered from 0 to 24")),
        }
    }

    /// The cell's number.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }

    /// Every cell, row by row.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..CELLS).map(Self)
    }
}

/// A bet that satisfies the rules, regardless of the player's balance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bet {
    stake: Money,
    mines: u8,
}

impl Bet {
    /// Validates a bet.
    ///
    /// # Errors
    /// If the stake is not from [`MINIMUM_STAKE`] to [`MAXIMUM_STAKE`], or the number of mines not
    /// from 1 to 24.
    pub fn new(stake: Money, mines: i64) -> Result<Self, BetError> {
        judge_stake(stake, MINIMUM_STAKE, MAXIMUM_STAKE)?;
        match u8::try_from(mines) {
            Ok(mines @ 1..=24) => Ok(Self { stake, mines }),
            _ => Err(BetError::InvalidTerms(
                "The number of mines must be between 1 and 24",
            )),
        }
    }

    /// The stake.
    #[must_use]
    pub const fn stake(&self) -> Money {
        self.stake
    }

    /// The number of mines.
    #[must_use]
    pub const fn mines(&self) -> u8 {
        self.mines
    }

    /// The number of safe cells.
    #[must_use]
    pub const fn safe_cells(&self) -> u8 {
        CELLS - self.mines
    }

    /// `0.99 · C(25, k) / C(25 − m, k)` for k revealed safe cells, as numerator and denominator.
    /// `k` must be at most the number of safe cells.
    #[must_use]
    pub const fn odds(&self, revealed: u8) -> (u32, u32) {
        (
            RETURN_PERCENT * binomial(CELLS, revealed),
            100 * binomial(self.safe_cells(), revealed),
        )
    }

    /// The payout for k revealed safe cells.
    #[must_use]
    pub fn payout(&self, revealed: u8) -> ExactPayout {
        let (numerator, denominator) = self.odds(revealed);
        ExactPayout::of(self.stake, numerator, denominator)
    }

    /// The multiplier for k revealed safe cells, rounded down to a thousandth.
    #[must_use]
    pub fn multiplier(&self, revealed: u8) -> Multiplier {
        let (numerator, denominator) = self.odds(revealed);
        let thousandths = u64::from(numerator) * 1_000 / u64::from(denominator);
        Multiplier::from_thousandths(u32::try_from(thousandths).unwrap_or(u32::MAX))
    }

    /// Whether another cell may be revealed after k safe ones: one is left, and finding it could
    /// not pay more than [`MAXIMUM_PAYOUT`].
    #[must_use]
    pub fn offers_another(&self, revealed: u8) -> bool {
        revealed < self.safe_cells() && self.payout(revealed + 1).rounded_up() <= MAXIMUM_PAYOUT
    }
}

/// The binomial coefficient, at most `C(25, 12)` = 5,200,300.
const fn binomial(n: u8, k: u8) -> u32 {
    let mut result: u32 = 1;
    let mut chosen: u32 = 0;
    // The product after each step is a binomial coefficient, so the division is exact. Before the
    // division it is less than 5,200,300 × 25, which fits.
    while chosen < k as u32 {
        result = result * (n as u32 - chosen) / (chosen + 1);
        chosen += 1;
    }
    result
}
