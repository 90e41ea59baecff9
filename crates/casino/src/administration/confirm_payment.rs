//! Credits a payment manually, on an administrator's decision.

use glasshouse_domain::{
    AuditAction, AuditSubject, Money, MoneyActKind, PaymentReference, ProposedAct, ReviewKind,
    Timestamp, UserId,
};
use glasshouse_payments::{Payment, PaymentId, PaymentStatus};
use glasshouse_persistence::money::{Deposit, PaymentRecord};
use glasshouse_persistence::{Scope, Transaction};

use crate::administration::actor::{AdminContext, AuditEvent, note};
use crate::administration::approval::authority::{Authority, JudgedAct};
use crate::administration::approval::outcome::Outcome;
use crate::administration::check_payment::check_payment;
use crate::administration::payment_id::IdKind;
use crate::error::{ApprovalRefusal, CasinoError, Refusal};
use crate::money::cashier::Cashier;
use crate::money::payments::credit::{Credit, credit_payment, save_status};

/// A request to credit a payment manually.
#[derive(Debug, Clone)]
pub struct Confirmation {
    /// The provider's ID of the payment or of an invoice.
    pub id: String,
    /// Whether it is a payment or an invoice. Without it, the ID must not belong to both.
    pub id_kind: Option<IdKind>,
    /// The player to credit.
    pub player: UserId,
    /// The amount to credit in US dollars.
    pub amount: Money,
    /// The currency in which the payment was made, for the record.
    pub currency: String,
    /// Why it is credited by hand.
    pub reason: String,
    /// Whether it may be proposed if it needs a second person.
    pub may_propose: bool,
}

/// The result of a manual credit.
#[derive(Debug, Clone)]
pub struct Confirmed {
    /// The provider's ID of the payment.
    pub payment: String,
    /// The credited amount.
    pub credited: Money,
}

/// Credits a payment manually. The payment is first requested from the provider, so that nothing
/// that is credited automatically is credited twice. A manual credit is also counted when the
/// provider reports the payment later.
///
/// # Errors
/// [`Refusal::ConfirmedAmount`], [`Refusal::UnknownPayment`], [`Refusal::AmbiguousId`],
/// [`Refusal::NoPayment`], [`Refusal::SeveralPayments`], [`Refusal::OtherPlayer`],
/// [`Refusal::AlreadyProcessed`], [`Refusal::OwnPayment`], [`ApprovalRefusal::ReasonRequired`],
/// [`ApprovalRefusal::SecondPersonRequired`] or the refusals of a proposal, [`Refusal::NotFound`] if the
/// player does not exist, [`Refusal::IdempotencyConflict`], or a fault.
pub async fn confirm_payment(
    cashier: &Cashier,
    context: AdminContext,
    request: Confirmation,
) -> Result<Outcome<Confirmed>, CasinoError> {
    let reason = note(&request.reason)?.ok_or(ApprovalRefusal::ReasonRequired)?;
    let request = Confirmation { reason, ..request };
    if !request.amount.is_positive() {
        return Err(Refusal::ConfirmedAmount.into());
    }
    if request.player == context.administrator {
        return Err(Refusal::OwnPayment.into());
    }
    if PaymentId::parse(&request.id).is_none() {
        return Err(Refusal::UnknownPayment.into());
    }
    refresh_from_provider(cashier, &request).await;
    let at = cashier.house.now();
    let authority = Authority::Alone {
        may_propose: request.may_propose,
    };
    let cashier_of_job = cashier.clone();
    cashier
        .house
        .database
        .write(Scope::player(request.player), move |transaction| {
            let who = (&context, authority);
            confirm_in_transaction(transaction, &cashier_of_job, who, &request, at)
        })
        .await
}

/// Updates our record of the payment from the provider, if it can be reached. If it cannot, the
/// administrator's decision counts.
pub(crate) async fn refresh_from_provider(cashier: &Cashier, request: &Confirmation) {
    let checked = check_payment(cashier, &request.id, request.id_kind).await;
    if let Err(CasinoError::Fault(error)) = checked {
        tracing::warn!(%error, "a payment is confirmed manually without an answer of the provider");
    }
}

/// Credits the payment, or proposes to.
pub(crate) fn confirm_in_transaction(
    transaction: &mut Transaction<'_, '_>,
    cashier: &Cashier,
    (context, authority): (&AdminContext, Authority),
    request: &Confirmation,
    at: Timestamp,
) -> Result<Outcome<Confirmed>, CasinoError> {
    transaction.user(request.player)?.ok_or(Refusal::NotFound)?;
    let account = transaction.account(request.player)?;
    let kind = resolve_id_kind(transaction, request)?;
    let mut act = confirmation_act(kind, request);
    let mut event = confirmation_event(kind, request);
    let earlier = context.find_repeat(transaction, &event, |made| act.is_same(made))?;
    if let Some(Outcome::Proposed(id)) = earlier {
        return Ok(Outcome::Proposed(id));
    }
    let is_replay = earlier.is_some();
    let payment = find_payment(transaction, &request.id, kind, is_replay)?;
    let confirmed = Confirmed {
        payment: payment.id.clone(),
        credited: request.amount,
    };
    if is_replay {
        return Ok(Outcome::Done(confirmed));
    }
    let (mut deposit, mut record) = lock_creditable(transaction, &payment, request)?;
    act.exceeds_payment = exceeds_worth(cashier, deposit.as_ref(), &record, request.amount);
    if let Some(id) = act.authorise(transaction, context, authority, at)? {
        return Ok(Outcome::Proposed(id));
    }
    event.old_value = Some(format!(
        "payment {} {}, {} credited",
        record.id, record.status, record.credited
    ));
    let credit = Credit {
        amount: request.amount,
        confirmed_by: Some(context.administrator),
        at,
    };
    credit_payment(transaction, account, &mut record, credit, false)?;
    let resolution = format!("{} was credited by hand", request.amount);
    transaction.close_reviews_of(&record.id, context.administrator, &resolution, at)?;
    if let Some(deposit) = &mut deposit {
        save_status(transaction, deposit, at)?;
    }
    act.record(transaction, (context, authority), event, at)?;
    Ok(Outcome::Done(confirmed))
}

fn confirmation_act(kind: IdKind, request: &Confirmation) -> JudgedAct {
    let id = request.id.clone();
    JudgedAct {
        kind: MoneyActKind::Confirmation,
        player: request.player,
        amount: request.amount,
        exceeds_payment: false,
        proposed: ProposedAct::ConfirmPayment {
            payment: match kind {
                IdKind::Payment => PaymentReference::Payment(id),
                IdKind::Invoice => PaymentReference::Invoice(id),
            },
            amount: request.amount,
            currency: request.currency.clone(),
        },
        reason: Some(request.reason.clone()),
    }
}

fn confirmation_event(kind: IdKind, request: &Confirmation) -> AuditEvent {
    AuditEvent {
        action: AuditAction::PaymentConfirmed,
        target: Some(request.player),
        subject: Some(match kind {
            IdKind::Payment => AuditSubject::Payment(request.id.clone()),
            IdKind::Invoice => AuditSubject::Invoice(request.id.clone()),
        }),
        old_value: None,
        new_value: Some(format!(
            "{} credited, paid in {} ({})",
            request.amount, request.currency, request.reason
        )),
    }
}

/// The reason for a confirmation, from the new value of its audit record.
#[must_use]
pub fn confirmation_reason(new_value: &str) -> Option<&str> {
    let (_, reason) = new_value.split_once(" (")?;
    reason.strip_suffix(')')
}

/// Locks the payment and its deposit, and makes sure that the payment can be credited.
fn lock_creditable(
    transaction: &mut Transaction<'_, '_>,
    payment: &PaymentRecord,
    request: &Confirmation,
) -> Result<(Option<Deposit>, PaymentRecord), CasinoError> {
    let deposit = match payment.deposit {
        Some(id) => Some(transaction.lock_deposit(id)?),
        None => None,
    };
    let record = transaction
        .lock_payment(&payment.id)?
        .ok_or(Refusal::UnknownPayment)?;
    if deposit
        .as_ref()
        .is_some_and(|deposit| deposit.player != request.player)
    {
        return Err(Refusal::OtherPlayer.into());
    }
    if record.deposit != payment.deposit {
        // It was matched to its deposit between the read and the lock.
        return Err(Refusal::PaymentChanged.into());
    }
    if PaymentStatus::parse(&record.status) == PaymentStatus::Refunded {
        return Err(Refusal::PaymentRefunded.into());
    }
    // What was credited stays credited. In addition, at most the open amount of a review can be
    // credited.
    if record.credited.is_positive() {
        let open_amount = transaction.open_amount(&record.id, ReviewKind::Overpaid)?;
        if open_amount.is_none_or(|open| request.amount > open) {
            return Err(Refusal::AlreadyProcessed(record.credited).into());
        }
    }
    Ok((deposit, record))
}

/// Whether more would be credited than the price times the cap for overpayments. A payment whose price is
/// not known is worth nothing.
fn exceeds_worth(
    cashier: &Cashier,
    deposit: Option<&Deposit>,
    record: &PaymentRecord,
    amount: Money,
) -> bool {
    let (price, credited) = match deposit {
        Some(deposit) => (Some(deposit.price), deposit.credited),
        None => (reported_price(record), record.credited),
    };
    let total = credited.checked_add(amount);
    match (price, total) {
        (Some(price), Some(total)) => total > cashier.overpayment_cap(price),
        _ => true,
    }
}

/// The price in dollars that the provider reports.
fn reported_price(record: &PaymentRecord) -> Option<Money> {
    let reported = Payment::parse(record.details.as_bytes()).ok()?;
    let currency = reported.price_currency?;
    let is_dollars = currency.eq_ignore_ascii_case("usd");
    reported.price_amount.filter(|_| is_dollars)?.to_money()
}

/// The kind of the ID: as the administrator specified, or as our records say.
fn resolve_id_kind(
    transaction: &mut Transaction<'_, '_>,
    request: &Confirmation,
) -> Result<IdKind, CasinoError> {
    if let Some(kind) = request.id_kind {
        return Ok(kind);
    }
    let is_payment = transaction.payment(&request.id)?.is_some();
    let is_invoice = transaction.deposit_by_invoice(&request.id)?.is_some();
    match (is_payment, is_invoice) {
        (true, true) => Err(Refusal::AmbiguousId.into()),
        (true, false) => Ok(IdKind::Payment),
        (false, _) => Ok(IdKind::Invoice),
    }
}

/// Finds the payment with this ID, or the only payment of the invoice. An invoice that was already
/// credited cannot be credited by its own ID again, whichever payment was credited, unless this is
/// a repeated request.
fn find_payment(
    transaction: &mut Transaction<'_, '_>,
    id: &str,
    kind: IdKind,
    is_replay: bool,
) -> Result<PaymentRecord, CasinoError> {
    if kind == IdKind::Payment {
        return Ok(transaction.payment(id)?.ok_or(Refusal::UnknownPayment)?);
    }
    let deposit = transaction
        .deposit_by_invoice(id)?
        .ok_or(Refusal::UnknownPayment)?;
    let mut payments = transaction.payments_of(deposit.id)?;
    if is_replay {
        // The payment that was credited by the first request.
        payments.sort_by_key(|payment| !payment.credited.is_positive());
        payments.truncate(1);
    } else if deposit.credited.is_positive() {
        return Err(Refusal::AlreadyProcessed(deposit.credited).into());
    }
    match payments.len() {
        0 => Err(Refusal::NoPayment.into()),
        1 => Ok(payments.swap_remove(0)),
        _ => Err(Refusal::SeveralPayments.into()),
    }
}
