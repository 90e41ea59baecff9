//! Why a withdrawal cannot be approved or its payment not be recorded as sent, failed or returned.

use glasshouse_domain::PayoutState;

use super::code::{RefusalCode, RefusalKind};

/// The refusals of the payment of withdrawals. The texts are shown to administrators.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PayoutRefusal {
    /// Administrators cannot decide on their own withdrawals.
    #[error("You cannot decide on your own withdrawal")]
    OwnWithdrawal,
    /// A payment of the player is under review.
    #[error("A payment of this player is under review. Resolve the review first.")]
    OpenReview,
    /// The withdrawal was not approved.
    #[error("This withdrawal is not approved, so it is not paid.")]
    NotApproved,
    /// The payment cannot come into the requested state.
    #[error("The payment of this withdrawal is already {}.", .0.as_str())]
    State(PayoutState),
    /// The provider pays it.
    #[error("The provider pays this withdrawal. It reports by itself what has happened.")]
    ByProvider,
    /// The provider was asked to pay it and may have done so.
    #[error("The provider was told to pay this withdrawal. It can no longer be stopped.")]
    UnderWay,
    /// The transaction's ID is missing or is none.
    #[error("Please enter the transaction ID: 10 to 128 letters and digits")]
    TransactionId,
    /// An amount in the coin is missing or is none.
    #[error("Please enter the amount in the coin")]
    CoinAmount,
    /// The network's fee is not an amount.
    #[error("Please enter the network fee in the coin, or leave it empty")]
    NetworkFee,
    /// A reason is missing.
    #[error("Please say why the payment failed")]
    ReasonRequired,
    /// Whoever said that a payment had failed would return a large amount.
    #[error(
        "You have marked this payment as failed. Somebody else has to return an amount of this size."
    )]
    OtherPersonRequired,
}

impl PayoutRefusal {
    pub(super) const fn kind(self) -> RefusalKind {
        match self {
            Self::OpenReview
            | Self::NotApproved
            | Self::State(_)
            | Self::ByProvider
            | Self::UnderWay => RefusalKind::Conflict,
            Self::TransactionId | Self::CoinAmount | Self::NetworkFee => RefusalKind::Invalid,
            Self::ReasonRequired => RefusalKind::Unprocessable,
            Self::OwnWithdrawal | Self::OtherPersonRequired => RefusalKind::Forbidden,
        }
    }

    pub(super) const fn code(self) -> RefusalCode {
        match self {
            Self::OwnWithdrawal => RefusalCode::OwnWithdrawal,
            Self::OpenReview => RefusalCode::OpenReview,
            Self::NotApproved => RefusalCode::NotApproved,
            Self::State(_) => RefusalCode::PayoutState,
            Self::ByProvider => RefusalCode::PaidByProvider,
            Self::UnderWay => RefusalCode::PayoutUnderWay,
            Self::TransactionId => RefusalCode::InvalidTransactionId,
            Self::CoinAmount | Self::NetworkFee => RefusalCode::InvalidAmount,
            Self::ReasonRequired => RefusalCode::ReasonRequired,
            Self::OtherPersonRequired => RefusalCode::OtherPersonRequired,
        }
    }
}
