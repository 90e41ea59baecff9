//! What about a payment a person must look at, because a rule would be a guess.

/// Why somebody must look at a payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ReviewKind {
    /// It is not what our record says: quarantined, nothing of it is credited.
    Mismatch,
    /// It belongs to no order of ours.
    Orphan,
    /// More was paid than is credited without being asked.
    Overpaid,
    /// Another coin was sent than was asked for.
    WrongAsset,
    /// It came when the rate held no longer, and what it brought in is not known in dollars.
    LatePayment,
    /// The provider's figures make no sense.
    Unclear,
    /// It failed, expired unpaid or was sent back after it was credited.
    ReturnedAfterCredit,
    /// It was credited by hand to one player, and turns out to pay the deposit of another.
    CreditedToAnother,
    /// More was credited than the provider now says was received.
    CreditedTooMuch,
    /// The provider called back about it and cannot be asked about it.
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

    /// The kind of that name.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_found_again() {
        for kind in ReviewKind::ALL {
            assert_eq!(ReviewKind::parse(kind.as_str()), Some(kind));
        }
        assert_eq!(ReviewKind::parse("other"), None);
    }
}
