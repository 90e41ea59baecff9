//! What waits for an administrator.

use actix_web::{get, web};
use glasshouse_casino::PendingWork as Pending;
use glasshouse_casino::administration::read_pending_work;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::ApiError;
use crate::http::responses::AdministratorsOnly;
use crate::session::PassiveAdministrator;
use crate::state::Application;
use crate::wire::time::iso;

/// What waits for an administrator. The panel asks for it every few seconds; a newer ID tells it that
/// a list has a new entry.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PendingWork {
    /// Withdrawals that wait for a decision.
    pending_withdrawals: u64,
    /// When the oldest of them was requested; null if there is none.
    #[schema(format = "date-time")]
    oldest_pending_withdrawal: Option<String>,
    /// The newest withdrawal, pending or not.
    newest_withdrawal_id: Option<i64>,
    /// Approved withdrawals that are not sent yet.
    payouts_to_send: u64,
    /// Withdrawals whose payment has failed and was not returned yet.
    failed_payouts: u64,
    /// Payments that need review.
    open_reviews: u64,
    /// The newest review, open or not.
    newest_review_id: Option<i64>,
    /// Proposals that can be approved.
    open_proposals: u64,
    /// The newest proposal, open or not.
    newest_proposal_id: Option<i64>,
    /// Alerts that nobody has acknowledged; at most 1,000 are counted.
    unacknowledged_alerts: u64,
    /// The newest alert, acknowledged or not.
    newest_alert_id: Option<i64>,
}

impl From<Pending> for PendingWork {
    fn from(pending: Pending) -> Self {
        Self {
            pending_withdrawals: pending.withdrawals,
            oldest_pending_withdrawal: pending.oldest_withdrawal_at.map(iso),
            newest_withdrawal_id: pending.newest_withdrawal,
            payouts_to_send: pending.payouts_to_send,
            failed_payouts: pending.failed_payouts,
            open_reviews: pending.reviews,
            newest_review_id: pending.newest_review,
            open_proposals: pending.proposals,
            newest_proposal_id: pending.newest_proposal,
            unacknowledged_alerts: pending.alerts,
            newest_alert_id: pending.newest_alert,
        }
    }
}

/// What waits for an administrator. Asking for it is no activity of the user.
#[utoipa::path(
    tag = "administration",
    responses(
        (status = 200, body = PendingWork),
        AdministratorsOnly,
    )
)]
#[get("/api/admin/pending-work")]
pub(crate) async fn pending_work(
    application: web::Data<Application>,
    _: PassiveAdministrator,
) -> Result<web::Json<PendingWork>, ApiError> {
    let pending = read_pending_work(&application.house).await?;
    Ok(web::Json(pending.into()))
}
