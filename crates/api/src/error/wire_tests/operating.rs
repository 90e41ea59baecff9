//! The refusals of what the operator has stopped.

use glasshouse_casino::OperatingRefusal;

use super::Refusal;

pub(super) fn refusals() -> Vec<(&'static str, Refusal)> {
    let reason = || "we are moving".to_owned();
    vec![
        (
            "maintenance",
            OperatingRefusal::Maintenance(reason()).into(),
        ),
        (
            "depositsPaused",
            OperatingRefusal::DepositsPaused(reason()).into(),
        ),
        (
            "withdrawalsPaused",
            OperatingRefusal::WithdrawalsPaused(reason()).into(),
        ),
        (
            "registrationPaused",
            OperatingRefusal::RegistrationPaused(reason()).into(),
        ),
        ("bettingBlocked", OperatingRefusal::BettingBlocked.into()),
        (
            "withdrawingBlocked",
            OperatingRefusal::WithdrawingBlocked.into(),
        ),
        (
            "playerMayNotWithdraw",
            OperatingRefusal::PlayerMayNotWithdraw.into(),
        ),
        (
            "operatingNotPermitted",
            OperatingRefusal::NotPermitted.into(),
        ),
    ]
}
