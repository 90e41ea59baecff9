//! Approval thresholds on the wire.

use glasshouse_domain::ApprovalThresholds as Thresholds;
use serde::Serialize;
use utoipa::ToSchema;

/// Up to which amounts, in US dollars, one administrator may act alone.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ApprovalThresholds {
    /// For one adjustment of a balance.
    #[schema(example = "100.00")]
    adjustment: String,
    /// For one manual confirmation of a payment.
    #[schema(example = "500.00")]
    confirmation: String,
    /// For one approval of a withdrawal.
    #[schema(example = "1000.00")]
    withdrawal: String,
    /// For everything that one person moves alone in a day of UTC.
    #[schema(example = "2000.00")]
    person_per_day: String,
    /// For everything that all persons move alone in a day of UTC.
    #[schema(example = "10000.00")]
    house_per_day: String,
    /// Up to which amount a day the withdrawals of a player are approved without a person; 0 if none is.
    #[schema(example = "0.00")]
    automatic_withdrawal: String,
}

impl From<Thresholds> for ApprovalThresholds {
    fn from(thresholds: Thresholds) -> Self {
        Self {
            adjustment: thresholds.adjustment.to_string(),
            confirmation: thresholds.confirmation.to_string(),
            withdrawal: thresholds.withdrawal.to_string(),
            person_per_day: thresholds.person_per_day.to_string(),
            house_per_day: thresholds.house_per_day.to_string(),
            automatic_withdrawal: thresholds.automatic_withdrawal.to_string(),
        }
    }
}
