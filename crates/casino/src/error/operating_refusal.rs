//! What the operator has stopped, for the whole house or for one player.

use glasshouse_domain::Money;

use super::code::{RefusalCode, RefusalKind};

/// The refusals of what administrators have stopped. The texts are shown to the user; the values are the
/// reasons that the operator gives to players.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OperatingRefusal {
    /// The house is under maintenance.
    #[error("Glasshouse is under maintenance: {0}")]
    Maintenance(String),
    /// Deposits are stopped.
    #[error("Deposits are paused at the moment: {0}")]
    DepositsPaused(String),
    /// Withdrawals are stopped.
    #[error("Withdrawals are paused at the moment: {0}")]
    WithdrawalsPaused(String),
    /// Registration is stopped.
    #[error("Registration is closed at the moment: {0}")]
    RegistrationPaused(String),
    /// The player may not bet.
    #[error(
        "Betting and deposits are blocked for your account. Rounds in play can be finished. Please \
         contact support."
    )]
    BettingBlocked,
    /// The player may not withdraw.
    #[error("Withdrawals are blocked for your account. Please contact support.")]
    WithdrawingBlocked,
    /// An administrator would approve a withdrawal of a player who may not withdraw.
    #[error("Withdrawing is blocked for this player. Lift that first, or reject the withdrawal.")]
    PlayerMayNotWithdraw,
    /// The bet could win more than the owners allow.
    #[error(
        "A round of this game can win at most ${0} at the moment. Choose a smaller bet or a lower multiplier."
    )]
    ProfitAboveMaximum(Money),
    /// All rounds in play of the game could win more than the owners allow.
    #[error(
        "As much as possible can already be won in the rounds of this game that are in play. Choose a smaller bet, \
         or try again in a moment."
    )]
    ExposureReached,
    /// A limit of a game that would change nothing, or that no bet could keep.
    #[error("The maximum stake of this game must be from ${0} to ${1}.")]
    MaximumStakeOutOfRange(Money, Money),
    /// A limit of a game that is not positive.
    #[error("A limit must be more than $0.00.")]
    LimitNotPositive,
    /// A limit of the rounds in play of a game whose rounds end when they start.
    #[error("The rounds of this game end when they start, so that there is nothing to add up.")]
    NoRoundsInPlay,
    /// The administrator's role does not permit this.
    #[error("Your role does not permit this.")]
    NotPermitted,
}

impl OperatingRefusal {
    pub(super) const fn kind(&self) -> RefusalKind {
        match self {
            Self::Maintenance(_) => RefusalKind::Unavailable,
            Self::DepositsPaused(_)
            | Self::WithdrawalsPaused(_)
            | Self::RegistrationPaused(_)
            | Self::PlayerMayNotWithdraw
            | Self::ExposureReached => RefusalKind::Conflict,
            Self::ProfitAboveMaximum(_)
            | Self::MaximumStakeOutOfRange(..)
            | Self::LimitNotPositive
            | Self::NoRoundsInPlay => RefusalKind::Invalid,
            Self::BettingBlocked | Self::WithdrawingBlocked | Self::NotPermitted => {
                RefusalKind::Forbidden
            }
        }
    }

    pub(super) const fn code(&self) -> RefusalCode {
        match self {
            Self::Maintenance(_) => RefusalCode::Maintenance,
            Self::DepositsPaused(_) => RefusalCode::DepositsPaused,
            Self::WithdrawalsPaused(_) => RefusalCode::WithdrawalsPaused,
            Self::RegistrationPaused(_) => RefusalCode::RegistrationPaused,
            Self::BettingBlocked => RefusalCode::BettingBlocked,
            Self::WithdrawingBlocked | Self::PlayerMayNotWithdraw => {
                RefusalCode::WithdrawingBlocked
            }
            Self::ProfitAboveMaximum(_) => RefusalCode::ProfitExceedsLimit,
            Self::ExposureReached => RefusalCode::ExposureReached,
            Self::MaximumStakeOutOfRange(..) | Self::LimitNotPositive | Self::NoRoundsInPlay => {
                RefusalCode::InvalidGameLimit
            }
            Self::NotPermitted => RefusalCode::NotPermitted,
        }
    }
}
