//! Why a bet is refused, regardless of the player's balance. Players see these texts.

use glasshouse_domain::Money;

/// Why a game's rules refuse a bet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BetError {
    /// The stake is zero or negative.
    #[error("Bet amount must be greater than 0")]
    StakeNotPositive,
    /// The stake is below the game's minimum.
    #[error("Minimum allowed is ${0}")]
    StakeBelowMinimum(Money),
    /// The stake is above the game's maximum.
    #[error("Maximum allowed is ${0}")]
    StakeAboveMaximum(Money),
    /// The stake is not a multiple of the game's stake increment.
    #[error("The bet must be a multiple of ${0}")]
    StakeNotWhole(Money),
    /// The bet is flagged as the maximum bet, but its stake is not the maximum.
    #[error("The maximum bet is ${0}")]
    NotTheMaximum(Money),
    /// A dice target outside 1 to 98.
    #[error("Target number must be between 1 and 98")]
    InvalidTarget,
    /// An automatic cash-out multiplier that is not greater than 1, or has more than two decimals.
    #[error("Invalid auto cashout multiplier")]
    InvalidAutoCashout,
    /// A cash-out with a multiplier below 1.00.
    #[error("A cash-out multiplier is at least 1.00")]
    InvalidClaim,
    /// An auto-sell amount that does not exceed the stake.
    #[error("Auto-sell amount must be greater than your bet amount")]
    InvalidAutoSell,
    /// Another parameter of the bet is invalid.
    #[error("{0}")]
    InvalidTerms(&'static str),
}

/// Checks a stake against a game's limits.
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
