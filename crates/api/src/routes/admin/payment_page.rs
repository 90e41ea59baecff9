//! Everything that the house knows of one payment of the provider.

use actix_web::{get, web};
use glasshouse_casino::administration::{KnownPayment, confirmation_reason, read_payment};
use glasshouse_casino::{PaymentCredit as Credit, PaymentRecord};
use glasshouse_domain::{ProposalId, UserId};
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::ApiError;
use crate::http::responses::{AdministratorsOnly, NotFound};
use crate::routes::admin::UserRef;
use crate::routes::admin::context::Reader;
use crate::routes::admin::deposits::AdminDeposit;
use crate::routes::admin::payments::PaymentStanding;
use crate::routes::admin::proposal_view::{Proposal, Viewer};
use crate::routes::admin::reviews::Review;
use crate::state::Application;
use crate::wire::time::iso;

/// The name in the audit log.
const PAYMENT: &str = "payment";

/// The house's record of a payment, with what the provider last reported. Amounts of coins are as the provider writes
/// them.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PaymentFacts {
    /// The provider's status.
    #[schema(example = "partially_paid")]
    status: String,
    standing: PaymentStanding,
    /// The payment that this one follows.
    parent_id: Option<String>,
    /// The provider's code of the coin.
    pay_currency: Option<String>,
    /// The amount requested, in the coin.
    pay_amount: Option<String>,
    /// The amount received, in the coin.
    actually_paid: Option<String>,
    /// The amount requested for the whole price.
    rate_amount: Option<String>,
    /// The provider's code of the coin of that amount.
    rate_currency: Option<String>,
    #[schema(example = "50.00")]
    credited_amount: String,
    /// The price as the provider reports it.
    price_amount: Option<String>,
    price_currency: Option<String>,
    /// The address that the coins go to.
    pay_address: Option<String>,
    /// The hash of the payer's transaction.
    transaction_hash: Option<String>,
    /// The order's ID as the provider reports it.
    order_id: Option<String>,
    /// The invoice's ID as the provider reports it.
    invoice_id: Option<String>,
    /// What the house receives, in a coin; an estimate until the status is final.
    outcome_amount: Option<String>,
    outcome_currency: Option<String>,
    #[schema(format = "date-time")]
    first_seen_at: String,
    /// When it last changed.
    #[schema(format = "date-time")]
    updated_at: String,
    /// When an administrator last had the provider asked about it.
    #[schema(format = "date-time")]
    checked_at: Option<String>,
    /// When the amount received so far had arrived in full; null before anything has.
    #[schema(format = "date-time")]
    received_at: Option<String>,
}

/// A credit of a payment.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PaymentCredit {
    /// Its number among those of the payment, from 1 on.
    number: u64,
    user: UserRef,
    #[schema(example = "50.00")]
    amount: String,
    #[schema(format = "date-time")]
    at: String,
    /// The number of the ledger entry among those of the player.
    ledger_sequence: Option<i64>,
    /// The balance after it.
    #[schema(example = "150.00")]
    balance_after: Option<String>,
    /// Who confirmed the payment by hand; null if it was credited as the provider reported it.
    confirmed_by: Option<UserRef>,
    /// Why it was confirmed by hand.
    reason: Option<String>,
    /// The proposal that was approved.
    proposal_id: Option<i64>,
}

/// Everything that the house knows of one payment of the provider.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AdminPayment {
    payment_id: String,
    /// Null as long as the provider has not returned the payment that it notified the house of.
    facts: Option<PaymentFacts>,
    /// Since when a notification of the provider waits to be applied; null if none does.
    #[schema(format = "date-time")]
    notification_waits_since: Option<String>,
    /// When that is tried next.
    #[schema(format = "date-time")]
    next_attempt_at: Option<String>,
    /// The deposit that it pays; null if it belongs to none.
    deposit: Option<AdminDeposit>,
    credits: Vec<PaymentCredit>,
    /// The open and resolved reviews, oldest first.
    reviews: Vec<Review>,
    /// What was proposed for it, oldest first.
    proposals: Vec<Proposal>,
}

impl PaymentFacts {
    fn new(known: &KnownPayment, record: &PaymentRecord) -> Self {
        let record = record.clone();
        let (rate_amount, rate_currency) = record.rate.unzip();
        let reported = known.reported.as_ref();
        Self {
            status: record.status,
            standing: record.match_status.into(),
            parent_id: record.parent,
            pay_currency: record.pay_currency,
            pay_amount: record.pay_amount,
            actually_paid: record.actually_paid,
            rate_amount,
            rate_currency,
            credited_amount: record.credited.to_string(),
            price_amount: reported
                .and_then(|payment| Some(payment.price_amount.as_ref()?.to_string())),
            price_currency: reported.and_then(|payment| payment.price_currency.clone()),
            pay_address: reported.and_then(|payment| payment.pay_address.clone()),
            transaction_hash: reported.and_then(|payment| payment.payin_hash.clone()),
            order_id: reported.and_then(|payment| payment.order_id.clone()),
            invoice_id: reported.and_then(|payment| Some(payment.invoice.as_ref()?.to_string())),
            outcome_amount: reported
                .and_then(|payment| Some(payment.outcome_amount.as_ref()?.to_string())),
            outcome_currency: reported.and_then(|payment| payment.outcome_currency.clone()),
            first_seen_at: iso(record.first_seen_at),
            updated_at: iso(record.updated_at),
            checked_at: known.details.checked_at.map(iso),
            received_at: record.received_at.map(iso),
        }
    }
}

impl From<Credit> for PaymentCredit {
    fn from(credit: Credit) -> Self {
        let (sequence, balance_after) = credit
            .ledger_entry
            .map(|entry| (entry.sequence, entry.balance_after.to_string()))
            .unzip();
        let hand = credit.by_hand;
        let recorded = hand.as_ref().and_then(|hand| hand.recorded.as_deref());
        Self {
            number: credit.number,
            user: credit.player.into(),
            amount: credit.amount.to_string(),
            at: iso(credit.at),
            ledger_sequence: sequence,
            balance_after,
            reason: recorded.and_then(confirmation_reason).map(str::to_owned),
            proposal_id: hand
                .as_ref()
                .and_then(|hand| hand.proposal)
                .map(ProposalId::get),
            confirmed_by: hand.map(|hand| hand.by.into()),
        }
    }
}

impl AdminPayment {
    fn new(known: KnownPayment, viewer: Viewer) -> Self {
        let record = known.details.record.as_ref();
        let facts = record.map(|record| PaymentFacts::new(&known, record));
        let details = known.details;
        let (waits_since, next_attempt_at) = details
            .pending_callback
            .map(|(since, next)| (iso(since), iso(next)))
            .unzip();
        let proposals = details.proposals.into_iter();
        Self {
            payment_id: known.id,
            facts,
            notification_waits_since: waits_since,
            next_attempt_at,
            deposit: details.deposit.map(AdminDeposit::from),
            credits: details
                .credits
                .into_iter()
                .map(PaymentCredit::from)
                .collect(),
            reviews: details.reviews.into_iter().map(Review::from).collect(),
            proposals: proposals
                .map(|entry| Proposal::new(entry, viewer))
                .collect(),
        }
    }
}

/// Whose data it is, if it is all one player's: that of the deposit, of the credits, or of what was proposed.
fn person_of(known: &KnownPayment) -> Option<UserId> {
    let details = &known.details;
    let depositor = details.deposit.iter().map(|entry| entry.player.id);
    let credited = details.credits.iter().map(|credit| credit.player.id);
    let reviewed = details
        .reviews
        .iter()
        .filter_map(|review| review.player.as_ref());
    let proposed = details
        .proposals
        .iter()
        .filter_map(|entry| entry.user.as_ref());
    let mut players = depositor
        .chain(credited)
        .chain(reviewed.chain(proposed).map(|user| user.id));
    let first = players.next()?;
    players.all(|player| player == first).then_some(first)
}

/// Everything that the house knows of one payment of the provider, whether or not it belongs to a deposit: the record,
/// what was credited, its reviews, and what was proposed. The provider is not asked.
#[utoipa::path(
    tag = "administration",
    params(("paymentId" = String, Path)),
    responses((status = 200, body = AdminPayment), AdministratorsOnly, NotFound)
)]
#[get("/api/admin/payments/{paymentId}")]
pub(crate) async fn known_payment(
    application: web::Data<Application>,
    reader: Reader,
    path: web::Path<String>,
) -> Result<web::Json<AdminPayment>, ApiError> {
    let known = read_payment(&application.house, &path).await?;
    let person = person_of(&known);
    let viewer = Viewer::of(reader.administrator(), application.house.now());
    let shown = AdminPayment::new(known, viewer);
    reader.record(&application.house, PAYMENT, person).await?;
    Ok(web::Json(shown))
}
