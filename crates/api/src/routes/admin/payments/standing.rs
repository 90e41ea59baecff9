//! The standing of a payment on the wire.

use glasshouse_casino::MatchStatus;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How a payment matches the house's records.
#[derive(Clone, Copy, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PaymentStanding {
    /// The payment matches its deposit.
    Tracked,
    /// The payment deviates from the record; nothing more is credited without manual review.
    Quarantined,
    /// The payment belongs to no deposit of the house.
    Orphan,
}

impl From<MatchStatus> for PaymentStanding {
    fn from(status: MatchStatus) -> Self {
        match status {
            MatchStatus::Matched => Self::Tracked,
            MatchStatus::OnHold => Self::Quarantined,
            MatchStatus::Unmatched => Self::Orphan,
        }
    }
}

impl From<PaymentStanding> for MatchStatus {
    fn from(status: PaymentStanding) -> Self {
        match status {
            PaymentStanding::Tracked => Self::Matched,
            PaymentStanding::Quarantined => Self::OnHold,
            PaymentStanding::Orphan => Self::Unmatched,
        }
    }
}
