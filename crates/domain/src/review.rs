//! Payment reviews: payments that an administrator must decide on because no rule covers them.

/// Why a payment needs manual review.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ReviewKind {
    /// It does not match our record of the deposit, so it is on hold and nothing is credited.
    Mismatch,
    /// It does not belong to any of our orders.
    Orphan,
    /// More was paid than is credited automatically.
    Overpaid,
    /// A different coin was sent than requested.
    WrongAsset,
    /// It arrived after the rate had expired, and its value in dollars is unknown.
    LatePayment,
    /// The provider's figures are inconsistent.
    Unclear,
    /// It failed, expired unpaid or was refunded after it had been credited.
    ReturnedAfterCredit,
    /// It was credited to one player by hand but belongs to another player's deposit.
    CreditedToAnother,
    /// More was credited than the provider now reports as received.
    CreditedTooMuch,
    /// The provider sent a callback for it, but it cannot be fetched from the provider.
    Unfetchable,
}

impl ReviewKind {
    /// Every kind.
    pub const ALL: [Self; 10] = [
        Self::Mismatch,
        Self::Orphan,
        Self::Overpaid,
        Self::WrongAsset,
        Self::LatePayment,
        Self::Unclear,
        Self::ReturnedAfterCredit,
        Self::CreditedToAnother,
        Self::CreditedTooMuch,
        Self::Unfetchable,
    ];

    /// The name in the database and on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Mismatch => "mismatch",
            Self::Orphan => "orphan",
            Self::Overpaid => "overpaid",
            Self::WrongAsset => "wrong_asset",
            Self::LatePayment => "late_payment",
            Self::Unclear => "unclear",
            Self::ReturnedAfterCredit => "returned_after_credit",
            Self::CreditedToAnother => "credited_to_another",
            Self::CreditedTooMuch => "credited_too_much",
            Self::Unfetchable => "unfetchable",
        }
    }

    /// Parses the name.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_parsed_from_its_name() {
        for kind in ReviewKind::ALL {
            assert_eq!(ReviewKind::parse(kind.as_str()), Some(kind));
        }
        assert_eq!(ReviewKind::parse("other"), None);
    }
}
