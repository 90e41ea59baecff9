//! One ID type for each kind of row, so that the IDs of different kinds cannot be confused.

use std::fmt;
use std::str::FromStr;

/// The text is not a positive integer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an id is a positive whole number")]
pub struct IdError;

macro_rules! id {
    ($(#[$documentation:meta])* $name:ident) => {
        $(#[$documentation])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(i64);

        impl $name {
            /// Wraps a number.
            #[must_use]
            pub const fn new(number: i64) -> Self {
                Self(number)
            }

            /// The ID as a number.
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
    /// The ID of a user, and of that user's account.
    UserId
);
id!(
    /// The ID of an alert.
    AlertId
);
id!(
    /// The ID of a proposal of an administrator.
    ProposalId
);
id!(
    /// The ID of a round of any game.
    RoundId
);
id!(
    /// The ID of a security event.
    SecurityEventId
);
id!(
    /// The ID of a pair of server seed and client seed.
    SeedPairId
);
id!(
    /// The ID of a record in the audit log.
    AuditId
);
id!(
    /// The ID of a deposit.
    DepositId
);
id!(
    /// The ID of a withdrawal request.
    WithdrawalId
);
id!(
    /// The ID of an address that a player's withdrawals go to.
    WithdrawalAddressId
);
id!(
    /// The ID of a passkey, which is not its ID on the user's device.
    PasskeyId
);
id!(
    /// The ID of a payment review.
    ReviewId
);
id!(
    /// The ID of a receipt of a seed pair, a deposit or a withdrawal.
    ReceiptId
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_positive_integers_are_ids() {
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
