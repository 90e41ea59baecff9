//! What administrators record about the payment of withdrawals.

use actix_web::{post, web};
use glasshouse_casino::Refusal;
use glasshouse_casino::administration::{PayoutRecord, SentByHand, record_payout};
use glasshouse_domain::WithdrawalId;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::error::{ApiError, ErrorBody};
use crate::http::idempotency_key::Idempotency;
use crate::http::json_body::Json;
use crate::http::responses::NotFound;
use crate::routes::admin::context::AdminContext;
use crate::routes::admin::withdrawals::AdminWithdrawal;
use crate::session::DecideWithdrawals;
use crate::state::Application;

/// What has happened to the payment of a withdrawal.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PayoutAction {
    /// It was sent by hand: needs `transactionId` and `coinAmount`.
    Sent,
    /// It has arrived.
    Confirmed,
    /// It did not take place, or must not take place: needs a `reason`. If the provider was told to pay it, it is not
    /// told again, and the payment fails once it is certain that it was not paid.
    Failed,
    /// It has failed, and its amount goes back to the balance.
    Returned,
}

/// A record about the payment of a withdrawal.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(as = PayoutRecord)]
pub(crate) struct NewPayoutRecord {
    action: PayoutAction,
    /// The transaction's ID in the network: 10 to 128 letters and digits.
    transaction_id: Option<String>,
    /// The amount sent, in the coin.
    #[schema(example = "0.000275")]
    coin_amount: Option<String>,
    /// The fee of the network, in the coin.
    #[schema(example = "0.000012")]
    network_fee: Option<String>,
    /// Why it failed. At most 500 characters.
    #[schema(max_length = 500)]
    reason: Option<String>,
}

impl NewPayoutRecord {
    fn parse(self) -> Result<PayoutRecord, Refusal> {
        let text = Option::unwrap_or_default;
        Ok(match self.action {
            PayoutAction::Sent => PayoutRecord::Sent(SentByHand::parse(
                &text(self.transaction_id),
                &text(self.coin_amount),
                &text(self.network_fee),
            )?),
            PayoutAction::Confirmed => PayoutRecord::Confirmed,
            PayoutAction::Failed => PayoutRecord::Failed(text(self.reason)),
            PayoutAction::Returned => PayoutRecord::Returned,
        })
    }
}

/// Records what has happened to the payment of an approved withdrawal, once. What the provider pays is reported
/// by the provider; it can only be marked as failed as long as the provider is not known to have paid it.
#[utoipa::path(
    tag = "administration",
    extensions(("x-permission" = json!("decide_withdrawals"))),
    params(
        ("requestId" = i64, Path),
        Idempotency
    ),
    responses(
        (status = 200, body = AdminWithdrawal),
        (status = 400, description = "The request is malformed, the transaction ID or an amount is invalid, or the reason is too long", body = ErrorBody),
        (status = 401, body = ErrorBody),
        (status = 403, description = "Not permitted, the administrator's own withdrawal, somebody else has to return the amount, or the password must be entered again", body = ErrorBody),
        NotFound,
        (status = 409, description = "The withdrawal is not approved, its payment is in another \
            state, the provider pays it, or it can no longer be stopped", body = ErrorBody),
        (status = 422, description = "The reason is missing", body = ErrorBody),
    )
)]
#[post("/api/admin/withdraw-requests/{requestId}/payout")]
pub(crate) async fn payout_record(
    application: web::Data<Application>,
    AdminContext(context, _): AdminContext<DecideWithdrawals>,
    path: web::Path<String>,
    Json(body): Json<NewPayoutRecord>,
) -> Result<web::Json<AdminWithdrawal>, ApiError> {
    let id: WithdrawalId = path.parse().map_err(|_| Refusal::NotFound)?;
    let record = body.parse()?;
    let entry = record_payout(&application.house, context, id, record).await?;
    Ok(web::Json(entry.into()))
}
