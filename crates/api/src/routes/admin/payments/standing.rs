//! How a payment stands, on the wire.

use glasshouse_casino::Standing;
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

impl From<Standing> for PaymentStanding {
    fn from(standing: Standing) -> Self {
        match standing {
            Standing::Tracked => Self::Tracked,
            Standing::Quarantined => Self::Quarantined,
            Standing::Orphan => Self::Orphan,
        }
    }
}

impl From<PaymentStanding> for Standing {
    fn from(standing: PaymentStanding) -> Self {
        match standing {
            PaymentStanding::Tracked => Self::Tracked,
            PaymentStanding::Quarantined => Self::Quarantined,
            PaymentStanding::Orphan => Self::Orphan,
        }
    }
}
