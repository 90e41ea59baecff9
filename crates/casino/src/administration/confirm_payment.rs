//! Credits a payment manually, on an administrator's decision.

use glasshouse_domain::{AuditAction, Money, ReviewKind, Timestamp, UserId};
use glasshouse_payments::{PaymentId, PaymentStatus};
use glasshouse_persistence::money::PaymentRecord;
use glasshouse_persistence::{Scope, Transaction};

use crate::administration::actor::{AdminContext, AuditEvent};
use crate::administration::check_payment::check_payment;
use crate::administration::payment_id::IdKind;
use crate::error::{CasinoError, Refusal};
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
/// [`Refusal::AlreadyProcessed`], [`Refusal::OwnPayment`], [`Refusal::NotFound`] if the player does
/// not exist, [`Refusal::IdempotencyConflict`], or a fault.
pub async fn confirm_payment(
    cashier: &Cashier,
    context: AdminContext,
    request: Confirmation,
) -> Result<Confirmed, CasinoError> {
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
    cashier
        .house
        .database
        .write(Scope::player(request.player), move |transaction| {
            confirm_in_transaction(transaction, &context, &request, at)
        })
        .await
}

/// Updates our record of the payment from the provider, if it can be reached. If it cannot, the
/// administrator's decision counts.
async fn refresh_from_provider(cashier: &Cashier, request: &Confirmation) {
    let checked = check_payment(cashier, &request.id, request.id_kind).await;
    if let Err(CasinoError::Fault(error)) = checked {
        tracing::warn!(%error, "a payment is confirmed manually without an answer of the provider");
    }
}

fn confirm_in_transaction(
    transaction: &mut Transaction<'_, '_>,
    context: &AdminContext,
    request: &Confirmation,
    at: Timestamp,
) -> Result<Confirmed, CasinoError> {
    transaction.user(request.player)?.ok_or(Refusal::NotFound)?;
    let account = transaction.account(request.player)?;
    let kind = resolve_id_kind(transaction, request)?;
    let mut event = AuditEvent {
        action: AuditAction::PaymentConfirmed,
        target: Some(request.player),
        subject: Some(match kind {
            IdKind::Payment => format!("payment {}", request.id),
            IdKind::Invoice => format!("invoice {}", request.id),
        }),
        old_value: None,
        new_value: Some(format!(
            "{} credited, paid in {}",
            request.amount, request.currency
        )),
    };
    let is_replay = context.find_replay(transaction, &event)?.is_some();
    let payment = find_payment(transaction, &request.id, kind, is_replay)?;
    let confirmed = Confirmed {
        payment: payment.id,
        credited: request.amount,
    };
    if is_replay {
        return Ok(confirmed);
    }
    let mut deposit = match payment.deposit {
        Some(id) => Some(transaction.lock_deposit(id)?),
        None => None,
    };
    let mut record = transaction
        .lock_payment(&confirmed.payment)?
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
    context.record(transaction, event, at)?;
    Ok(confirmed)
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
