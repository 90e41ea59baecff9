//! What a user types as the second factor: the code of an authenticator, or a recovery code.

use std::fmt;

/// The digits of an authenticator's code.
const CODE_DIGITS: usize = 6;
/// The characters of a recovery code without its hyphens.
const RECOVERY_CODE_LENGTH: usize = 16;
/// The characters of recovery codes (Crockford's base 32), without those that are easily confused.
pub const RECOVERY_CODE_CHARACTERS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// A typed second factor in its normal form. It is never printed.
#[derive(Clone, PartialEq, Eq)]
pub enum TypedSecondFactor {
    /// The six digits that an authenticator shows.
    Code(String),
    /// One of the recovery codes.
    RecoveryCode(String),
}

impl TypedSecondFactor {
    /// Parses what was typed, with or without spaces and hyphens; `None` if it cannot be either.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let typed = text
            .chars()
            .filter(|letter| !letter.is_whitespace() && *letter != '-')
            // No longer text is valid, whatever its length.
            .take(RECOVERY_CODE_LENGTH + 1);
        let typed: String = typed.collect();
        if typed.len() == CODE_DIGITS && typed.bytes().all(|byte| byte.is_ascii_digit()) {
            return Some(Self::Code(typed));
        }
        let code: String = typed.chars().map(unconfused).collect();
        let is_valid = |byte| RECOVERY_CODE_CHARACTERS.contains(&byte);
        (code.len() == RECOVERY_CODE_LENGTH && code.bytes().all(is_valid))
            .then_some(Self::RecoveryCode(code))
    }
}

/// The character that was meant.
const fn unconfused(letter: char) -> char {
    match letter.to_ascii_lowercase() {
        'o' => '0',
        'i' | 'l' => '1',
        other => other,
    }
}

impl fmt::Debug for TypedSecondFactor {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Code(_) => "Code(…)",
            Self::RecoveryCode(_) => "RecoveryCode(…)",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_recovery_codes_are_told_apart() {
        let code = |text: &str| Some(TypedSecondFactor::Code(text.to_owned()));
        let recovery = |text: &str| Some(TypedSecondFactor::RecoveryCode(text.to_owned()));
        let check = |typed: &str, expected| {
            assert!(TypedSecondFactor::parse(typed) == expected, "{typed}");
        };
        check("012345", code("012345"));
        check(" 012 345\n", code("012345"));
        check("k7qp-2mxd-9fht-4wzr", recovery("k7qp2mxd9fht4wzr"));
        check("K7QP 2MXD 9FHT 4WZR", recovery("k7qp2mxd9fht4wzr"));
        check("oOiIlL0123456789", recovery("0011110123456789"));
        for invalid in [
            "",
            "12345",
            "1234567",
            "١٢٣٤٥٦",
            "12345x",
            "k7qp-2mxd-9fht-4wz",
            "k7qp-2mxd-9fht-4wzrr",
            "k7qp-2mxd-9fht-4wzu",
            &"1".repeat(1_000_000),
        ] {
            check(invalid, None);
        }
    }

    #[test]
    fn it_is_never_printed() {
        let typed = TypedSecondFactor::parse("012345").unwrap();
        assert_eq!(format!("{typed:?}"), "Code(…)");
    }
}
