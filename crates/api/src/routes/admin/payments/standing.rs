//! How a payment stands, on the wire.

use glasshouse_casino::MatchStatus;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How a payment stands to the house's records.
#[derive(Clone, Copy, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PaymentStanding {
    /// It is that of its deposit.
    Tracked,
    /// It is not what the record says; nothing more of it is credited without a person.
    Quarantined,
    /// It belongs to no deposit of the house.
    Orphan,
}

impl From<MatchStatus> for PaymentStanding {
    fn from(standing: MatchStatus) -> Self {
        match standing {
            MatchStatus::Matched => Self::Tracked,
            MatchStatus::OnHold => Self::Quarantined,
            MatchStatus::Unmatched => Self::Orphan,
        }
    }
}

impl From<PaymentStanding> for MatchStatus {
    fn from(standing: PaymentStanding) -> Self {
        match standing {
            PaymentStanding::Tracked => Self::Matched,
            PaymentStanding::Quarantined => Self::OnHold,
            PaymentStanding::Orphan => Self::Unmatched,
        }
    }
}
