//! The payment of an approved withdrawal: who pays it, and how far it has come.

use strum::{EnumString, IntoStaticStr, VariantArray};

use crate::stored_names::stored_names;

/// Who pays a withdrawal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum PayoutMethod {
    /// The payment provider, at the house's request.
    Provider,
    /// An administrator, from a wallet, who then records the transaction.
    Manual,
}

/// How far the payment of an approved withdrawal has come.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, EnumString, IntoStaticStr, VariantArray,
)]
#[strum(serialize_all = "snake_case")]
pub enum PayoutState {
    /// Taken up: the withdrawal was approved and is about to be paid.
    Claimed,
    /// The payment was ordered from the provider, or sent by an administrator.
    Sent,
    /// The payment has arrived. This is final.
    Confirmed,
    /// The payment did not take place, and the amount is still held.
    Failed,
    /// It failed, and the amount was returned to the balance. This is final.
    Returned,
}

stored_names!(PayoutMethod, PayoutState);

impl PayoutState {
    /// Whether a payment in this state can come into another one.
    #[must_use]
    pub const fn can_become(self, next: Self) -> bool {
        matches!(
            (self, next),
            (Self::Claimed, Self::Sent | Self::Failed)
                | (Self::Sent, Self::Confirmed | Self::Failed)
                | (Self::Failed, Self::Returned)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_payment_only_moves_forward() {
        use PayoutState::{Claimed, Confirmed, Failed, Returned, Sent};
        let possible = [
            (Claimed, Sent),
            (Claimed, Failed),
            (Sent, Confirmed),
            (Sent, Failed),
            (Failed, Returned),
        ];
        for from in PayoutState::ALL {
            for to in PayoutState::ALL {
                let expected = possible.contains(&(*from, *to));
                assert_eq!(from.can_become(*to), expected, "{from:?} to {to:?}");
            }
        }
    }

    #[test]
    fn the_names_are_parsed() {
        for state in PayoutState::ALL {
            assert_eq!(PayoutState::parse(state.as_str()), Some(*state));
        }
        for method in PayoutMethod::ALL {
            assert_eq!(PayoutMethod::parse(method.as_str()), Some(*method));
        }
    }
}
