//! A type for each kind of number that names a row, so that none is taken for another.

use std::fmt;
use std::str::FromStr;

/// The text is not a positive whole number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an id is a positive whole number")]
pub struct IdError;

macro_rules! id {
    ($(#[$documentation:meta])* $name:ident) => {
        $(#[$documentation])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(i64);

        impl $name {
            /// The id of that number.
            #[must_use]
            pub const fn new(number: i64) -> Self {
                Self(number)
            }

            /// Its number.
            #[must_use]
            pub const fn get(self) -> i64 {
                self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(formatter)
            }
        }

        impl FromStr for $name {
            type Err = IdError;

            fn from_str(text: &str) -> Result<Self, IdError> {
                let is_digits = text.bytes().all(|byte| byte.is_ascii_digit());
                match text.parse() {
                    Ok(number) if number > 0 && is_digits => Ok(Self(number)),
                    _ => Err(IdError),
                }
            }
        }
    };
}

id!(
    /// A user; also the player whose account has the same number.
    UserId
);
id!(
    /// A round of any game.
    RoundId
);
id!(
    /// A pair of server seed and client seed.
    SeedPairId
);
id!(
    /// A record of the audit log.
    AuditId
);
id!(
    /// A deposit.
    DepositId
);
id!(
    /// A request for a withdrawal.
    WithdrawalId
);
id!(
    /// Something about a payment that a person must look at.
    ReviewId
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_positive_digits_are_an_id() {
        let check = |text: &str, expected: Option<i64>| {
            assert_eq!(
                text.parse::<RoundId>().ok().map(RoundId::get),
                expected,
                "{text}"
            );
        };
        check("1", Some(1));
        check("9223372036854775807", Some(i64::MAX));
        for text in [
            "0",
            "-1",
            "+1",
            "",
            " 1",
            "1.0",
            "1e3",
            "9223372036854775808",
            "x",
        ] {
            check(text, None);
        }
    }
}
