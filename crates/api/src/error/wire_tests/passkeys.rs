//! The refusals of passkeys.

use glasshouse_casino::PasskeyRefusal;
use glasshouse_domain::PasskeyNameError;

use super::Refusal;

pub(super) fn refusals() -> Vec<(&'static str, Refusal)> {
    vec![
        ("passkeyInvalid", PasskeyRefusal::Invalid.into()),
        (
            "passkeyCeremonyExpired",
            PasskeyRefusal::CeremonyExpired.into(),
        ),
        ("passkeysUnavailable", PasskeyRefusal::Unavailable.into()),
        ("passkeysTooMany", PasskeyRefusal::TooMany.into()),
        ("passkeyNone", PasskeyRefusal::None.into()),
        (
            "passkeyNameMissing",
            PasskeyRefusal::from(PasskeyNameError::Missing).into(),
        ),
        (
            "passkeyNameTooLong",
            PasskeyRefusal::from(PasskeyNameError::TooLong).into(),
        ),
        (
            "passkeyNameControlCharacter",
            PasskeyRefusal::from(PasskeyNameError::ControlCharacter).into(),
        ),
    ]
}
