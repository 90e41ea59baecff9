//! Everything that the house knows of one withdrawal.

use actix_web::{get, web};
use glasshouse_casino::administration::{KnownWithdrawal, read_withdrawal};
use glasshouse_casino::{LedgerEntry, Payout, Refusal, WithdrawalDetails};
use glasshouse_domain::WithdrawalId;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::ApiError;
use crate::http::responses::{AdministratorsOnly, NotFound};
use crate::routes::admin::UserRef;
use crate::routes::admin::context::Reader;
use crate::routes::admin::proposal_view::{Proposal, Viewer};
use crate::routes::admin::timeline::TimelineLedgerEntry;
use crate::routes::admin::withdrawals::AdminWithdrawal;
use crate::state::Application;
use crate::wire::time::iso;

/// The name in the audit log.
const WITHDRAWAL: &str = "withdrawal";

/// How the player has used the address of a withdrawal.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WithdrawalAddressUse {
    /// How many withdrawals the player has requested to it, this one included.
    requests: u64,
    /// When the player first requested one.
    #[schema(format = "date-time")]
    first_requested_at: Option<String>,
    /// Since when it is in the player's address book; null if the player has removed it.
    #[schema(format = "date-time")]
    added_at: Option<String>,
    /// From when it no longer delays withdrawals; null if the player has removed it.
    #[schema(format = "date-time")]
    usable_from: Option<String>,
}

/// Who has recorded how far the payment of a withdrawal has come, and what the provider calls it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PayoutCourse {
    /// When it was taken up to be paid.
    #[schema(format = "date-time")]
    claimed_at: String,
    /// When the provider was first asked to create the payment.
    #[schema(format = "date-time")]
    requested_at: Option<String>,
    /// The house's own ID of the payment at the provider.
    external_id: String,
    provider_id: Option<String>,
    batch_id: Option<String>,
    /// The number of calls to the provider that have failed in a row.
    #[schema(minimum = 0)]
    failed_calls: i64,
    /// How often the provider has refused the code that verifies the payment.
    #[schema(minimum = 0)]
    refused_codes: i64,
    /// The administrator; null if it was reported by the provider, or has not happened.
    sent_by: Option<UserRef>,
    confirmed_by: Option<UserRef>,
    failed_by: Option<UserRef>,
    returned_by: Option<UserRef>,
    stopped_by: Option<UserRef>,
}

impl PayoutCourse {
    fn new(payout: &Payout, details: &WithdrawalDetails) -> Self {
        let person = |id| details.person(id).map(UserRef::from);
        let provider = payout.provider.clone();
        let (provider_id, batch_id) = provider.map(|ids| (ids.id, ids.batch)).unzip();
        Self {
            claimed_at: iso(payout.claimed_at),
            requested_at: payout.requested_at.map(iso),
            external_id: payout.external_id.clone(),
            provider_id,
            batch_id,
            failed_calls: payout.failed_calls,
            refused_codes: payout.refused_codes,
            sent_by: person(payout.sent_by),
            confirmed_by: person(payout.confirmed_by),
            failed_by: person(payout.failed_by),
            returned_by: person(payout.returned_by),
            stopped_by: person(payout.stop.as_ref().map(|stop| stop.by)),
        }
    }
}

/// A ledger entry of a withdrawal.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WithdrawalLedgerEntry {
    /// Its number among those of the player.
    sequence: i64,
    #[schema(format = "date-time")]
    at: String,
    #[serde(flatten)]
    entry: TimelineLedgerEntry,
}

impl From<LedgerEntry> for WithdrawalLedgerEntry {
    fn from(entry: LedgerEntry) -> Self {
        Self {
            sequence: entry.sequence,
            at: iso(entry.at),
            entry: entry.into(),
        }
    }
}

/// Everything that the house knows of one withdrawal.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WithdrawalPage {
    request: AdminWithdrawal,
    address: WithdrawalAddressUse,
    /// Null unless the withdrawal was approved.
    course: Option<PayoutCourse>,
    /// What was proposed for it, oldest first.
    proposals: Vec<Proposal>,
    /// The ledger entries that held its amount, and returned it.
    ledger_entries: Vec<WithdrawalLedgerEntry>,
}

impl WithdrawalPage {
    fn new(known: KnownWithdrawal, viewer: Viewer) -> Self {
        let KnownWithdrawal { details, address } = known;
        let payout = details.entry.payout.as_ref();
        let course = payout.map(|payout| PayoutCourse::new(payout, &details));
        let (added_at, usable_from) = address
            .map(|known| (iso(known.added_at), iso(known.usable_from)))
            .unzip();
        let proposals = details.proposals.into_iter();
        let ledger_entries = details.ledger_entries.into_iter();
        Self {
            request: details.entry.into(),
            address: WithdrawalAddressUse {
                requests: details.requests.count,
                first_requested_at: details.requests.first_at.map(iso),
                added_at,
                usable_from,
            },
            course,
            proposals: proposals
                .map(|entry| Proposal::new(entry, viewer))
                .collect(),
            ledger_entries: ledger_entries.map(WithdrawalLedgerEntry::from).collect(),
        }
    }
}

/// Everything that the house knows of one withdrawal: the request, how its address was used, how far its payment has
/// come and who has recorded that, what was proposed, and its ledger entries. The provider is not asked.
#[utoipa::path(
    tag = "administration",
    params(("withdrawalId" = i64, Path)),
    responses((status = 200, body = WithdrawalPage), AdministratorsOnly, NotFound)
)]
#[get("/api/admin/withdrawals/{withdrawalId}")]
pub(crate) async fn known_withdrawal(
    application: web::Data<Application>,
    reader: Reader,
    path: web::Path<String>,
) -> Result<web::Json<WithdrawalPage>, ApiError> {
    let id: WithdrawalId = path.parse().map_err(|_| Refusal::NotFound)?;
    let known = read_withdrawal(&application.house, id).await?;
    let player = known.details.entry.player.id;
    let viewer = Viewer::of(reader.administrator(), application.house.now());
    let shown = WithdrawalPage::new(known, viewer);
    reader
        .record(&application.house, WITHDRAWAL, Some(player))
        .await?;
    Ok(web::Json(shown))
}
