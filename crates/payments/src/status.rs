//! Statuses of payments at the provider, and their order.

use std::fmt;

/// The provider's status of a payment.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum PaymentStatus {
    /// No payment was sent yet.
    Waiting,
    /// The transaction is waiting for confirmations.
    Confirming,
    /// The transaction is confirmed.
    Confirmed,
    /// The provider is forwarding the money.
    Sending,
    /// Less than the requested amount has arrived.
    PartiallyPaid,
    /// The requested amount or more has arrived.
    Finished,
    /// The payment failed permanently.
    Failed,
    /// The payment was refunded.
    Refunded,
    /// The payment did not arrive in time, but may still arrive.
    Expired,
    /// An unknown status. It is stored, and the payment is worth nothing.
    Other(String),
}

/// Unknown statuses are truncated to this length.
const MAXIMUM_LENGTH: usize = 64;

impl PaymentStatus {
    /// Parses the provider's name.
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

    /// The provider's name.
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

    /// Whether the provider has finished with the payment. Expired and partially paid payments are
    /// not final, because more money can arrive.
    #[must_use]
    pub const fn is_final(&self) -> bool {
        matches!(self, Self::Finished | Self::Failed | Self::Refunded)
    }

    /// Whether the money has arrived for good and may be credited.
    #[must_use]
    pub const fn has_arrived(&self) -> bool {
        matches!(self, Self::PartiallyPaid | Self::Finished)
    }

    /// Whether this status supersedes `earlier`. Statuses only move forward, in whatever order they
    /// are received. An unknown status ranks after those of money in transit and before the final
    /// ones.
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
    fn names_are_parsed_back_and_unknown_ones_kept() {
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
    fn statuses_only_move_forward() {
        for (rank, status) in KNOWN.iter().enumerate() {
            for (other_rank, other) in KNOWN.iter().enumerate() {
                assert_eq!(
                    status.is_after(other),
                    rank > other_rank,
                    "{status} {other}"
                );
            }
        }
    }

    #[test]
    fn an_unknown_status_does_not_block_an_end() {
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
