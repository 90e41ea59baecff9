//! The refusals of what the operator has stopped.

use glasshouse_casino::OperatingRefusal;
use glasshouse_domain::Money;

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
            "profitAboveMaximum",
            OperatingRefusal::ProfitAboveMaximum(Money::from_cents(2_000_000)).into(),
        ),
        ("exposureReached", OperatingRefusal::ExposureReached.into()),
        (
            "maximumStakeOutOfRange",
            OperatingRefusal::MaximumStakeOutOfRange(
                Money::from_cents(100),
                Money::from_cents(100_000),
            )
            .into(),
        ),
        (
            "gameLimitNotPositive",
            OperatingRefusal::LimitNotPositive.into(),
        ),
        ("noRoundsInPlay", OperatingRefusal::NoRoundsInPlay.into()),
        (
            "operatingNotPermitted",
            OperatingRefusal::NotPermitted.into(),
        ),
    ]
}
