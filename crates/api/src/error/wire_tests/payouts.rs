//! The refusals of the payment of withdrawals.

use glasshouse_casino::PayoutRefusal;
use glasshouse_domain::PayoutState;

use super::Refusal;

pub(super) fn refusals() -> Vec<(&'static str, Refusal)> {
    vec![
        ("ownWithdrawal", PayoutRefusal::OwnWithdrawal.into()),
        ("payoutOpenReview", PayoutRefusal::OpenReview.into()),
        ("payoutNotApproved", PayoutRefusal::NotApproved.into()),
        (
            "payoutState",
            PayoutRefusal::State(PayoutState::Returned).into(),
        ),
        ("payoutByProvider", PayoutRefusal::ByProvider.into()),
        ("payoutUnderWay", PayoutRefusal::UnderWay.into()),
        ("payoutTransactionId", PayoutRefusal::TransactionId.into()),
        ("payoutCoinAmount", PayoutRefusal::CoinAmount.into()),
        ("payoutNetworkFee", PayoutRefusal::NetworkFee.into()),
        ("payoutReasonRequired", PayoutRefusal::ReasonRequired.into()),
        (
            "payoutOtherPerson",
            PayoutRefusal::OtherPersonRequired.into(),
        ),
    ]
}
