//! Why a bet is not taken, whatever the player's balance. The texts are what the player reads.

use glasshouse_domain::Money;

/// What a game's rules say no to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BetError {
    /// The stake is zero or less.
    #[error("Bet amount must be greater than 0")]
    StakeNotPositive,
    /// The stake is below the game's minimum.
    #[error("Minimum allowed is ${0}")]
    StakeBelowMinimum(Money),
    /// The stake is over the game's maximum.
    #[error("Maximum allowed is ${0}")]
    StakeAboveMaximum(Money),
    /// The stake is not a multiple of the game's step.
    #[error("The bet must be a multiple of ${0}")]
    StakeNotWhole(Money),
    /// A bet that is called the maximum and is not.
    #[error("The maximum bet is ${0}")]
    NotTheMaximum(Money),
    /// A dice target that is not from 1 to 98.
    #[error("Target number must be between 1 and 98")]
    InvalidTarget,
    /// An automatic cash-out that is not greater than 1, or has more than two decimals.
    #[error("Invalid auto cashout multiplier")]
    InvalidAutoCashout,
    /// A cash-out that claims less than the stake.
    #[error("A cash-out multiplier is at least 1.00")]
    InvalidClaim,
    /// An auto-sell amount that is not above the stake.
    #[error("Auto-sell amount must be greater than your bet amount")]
    InvalidAutoSell,
    /// Another of the bet's terms is not one that the game allows.
    #[error("{0}")]
    InvalidTerms(&'static str),
}

/// Judges a stake by a game's limits.
pub(crate) fn judge_stake(stake: Money, minimum: Money, maximum: Money) -> Result<(), BetError> {
    if !stake.is_positive() {
        Err(BetError::StakeNotPositive)
    } else if stake < minimum {
        Err(BetError::StakeBelowMinimum(minimum))
    } else if stake > maximum {
        Err(BetError::StakeAboveMaximum(maximum))
    } else {
        Ok(())
    }
}
