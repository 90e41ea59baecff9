//! What has become of a payment, and which news of it is newer.

use std::fmt;

/// The provider's status of a payment.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum PaymentStatus {
    /// Nothing was sent yet.
    Waiting,
    /// The network is confirming what was sent.
    Confirming,
    /// The network has confirmed it.
    Confirmed,
    /// The provider is passing it on.
    Sending,
    /// Less than was asked has arrived.
    PartiallyPaid,
    /// What was asked has arrived, or more.
    Finished,
    /// It went wrong for good.
    Failed,
    /// It was sent back.
    Refunded,
    /// Nothing arrived in time; money can still come later.
    Expired,
    /// One that we do not know: kept, and valuation nothing.
    Other(String),
}

/// A status that we do not know is kept up to this length.
const MAXIMUM_LENGTH: usize = 64;

impl PaymentStatus {
    /// The status of that name.
    #[must_use]
    pub fn parse(name: &str) -> Self {
        match name {
            "waiting" => Self::Waiting,
            "confirming" => Self::Confirming,
            "confirmed" => Self::Confirmed,
            "sending" => Self::Sending,
            "partially_paid" => Self::PartiallyPaid,
            "finished" => Self::Finished,
            "failed" => Self::Failed,
            "refunded" => Self::Refunded,
            "expired" => Self::Expired,
            other => Self::Other(other.chars().take(MAXIMUM_LENGTH).collect()),
        }
    }

    /// The provider's name of it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Waiting => "waiting",
            Self::Confirming => "confirming",
            Self::Confirmed => "confirmed",
            Self::Sending => "sending",
            Self::PartiallyPaid => "partially_paid",
            Self::Finished => "finished",
            Self::Failed => "failed",
            Self::Refunded => "refunded",
            Self::Expired => "expired",
            Self::Other(name) => name,
        }
    }

    /// Whether the provider is done with the payment. An expired one is not final, nor one paid in
    /// part: more money can come for both.
    #[must_use]
    pub const fn is_final(&self) -> bool {
        matches!(self, Self::Finished | Self::Failed | Self::Refunded)
    }

    /// Whether what was received has arrived for good, and may be credited.
    #[must_use]
    pub const fn has_arrived(&self) -> bool {
        matches!(self, Self::PartiallyPaid | Self::Finished)
    }

    /// Whether a payment that stood at `earlier` goes forward to this. Statuses never go backwards,
    /// in whatever order they reach us. A status that we do not know stands behind those in which
    /// the money is under way, and holds up none that tells of its end.
    #[must_use]
    pub fn is_after(&self, earlier: &Self) -> bool {
        match (self, earlier) {
            (Self::Other(name), Self::Other(earlier)) => name != earlier,
            _ => self.rank() > earlier.rank(),
        }
    }

    const fn rank(&self) -> u8 {
        match self {
            Self::Waiting => 0,
            Self::Confirming => 1,
            Self::Confirmed => 2,
            Self::Sending => 3,
            Self::Other(_) => 4,
            Self::Expired => 5,
            Self::PartiallyPaid => 6,
            Self::Finished => 7,
            Self::Failed => 8,
            Self::Refunded => 9,
        }
    }
}

impl fmt::Display for PaymentStatus {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: [PaymentStatus; 9] = [
        PaymentStatus::Waiting,
        PaymentStatus::Confirming,
        PaymentStatus::Confirmed,
        PaymentStatus::Sending,
        PaymentStatus::Expired,
        PaymentStatus::PartiallyPaid,
        PaymentStatus::Finished,
        PaymentStatus::Failed,
        PaymentStatus::Refunded,
    ];

    #[test]
    fn names_are_read_back_and_unknown_ones_kept() {
        for status in KNOWN {
            assert_eq!(PaymentStatus::parse(status.as_str()), status);
        }
        let other = PaymentStatus::parse("wrong_asset_confirmed");
        assert_eq!(
            other,
            PaymentStatus::Other("wrong_asset_confirmed".to_owned())
        );
        assert!(!other.is_final() && !other.has_arrived());
        assert_eq!(PaymentStatus::parse("FINISHED").as_str(), "FINISHED");
        assert_eq!(PaymentStatus::parse(&"x".repeat(1000)).as_str().len(), 64);
    }

    #[test]
    fn statuses_only_go_forward() {
        for (place, status) in KNOWN.iter().enumerate() {
            for (other_place, other) in KNOWN.iter().enumerate() {
                assert_eq!(
                    status.is_after(other),
                    place > other_place,
                    "{status} {other}"
                );
            }
        }
    }

    #[test]
    fn an_unknown_status_holds_nothing_up() {
        let unknown = PaymentStatus::parse("new");
        assert!(unknown.is_after(&PaymentStatus::Sending));
        assert!(!unknown.is_after(&unknown));
        assert!(unknown.is_after(&PaymentStatus::parse("newer")));
        for end in [
            PaymentStatus::Expired,
            PaymentStatus::PartiallyPaid,
            PaymentStatus::Finished,
        ] {
            assert!(end.is_after(&unknown) && !unknown.is_after(&end));
        }
    }
}
