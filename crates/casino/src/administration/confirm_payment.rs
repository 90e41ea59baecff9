//! An administrator credits a payment by hand.

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

/// A payment that is to be credited by hand.
#[derive(Debug, Clone)]
pub struct Confirmation {
    /// The provider's id of the payment, or of an invoice.
    pub id: String,
    /// Which of the two it is; without it, only one of them may have this id.
    pub id_kind: Option<IdKind>,
    /// To whom.
    pub player: UserId,
    /// How many dollars.
    pub amount: Money,
    /// What it was paid in, for the record.
    pub currency: String,
}

/// What was credited by hand.
#[derive(Debug, Clone)]
pub struct Confirmed {
    /// Which payment.
    pub payment: String,
    /// How much.
    pub credited: Money,
}

/// Credits a payment by hand. The provider is asked first, so that what it credits by itself is not
/// credited again; and what is credited by hand counts when the provider tells of it later.
///
/// # Errors
/// [`Refusal::ConfirmedAmount`], [`Refusal::UnknownPayment`], [`Refusal::AmbiguousId`],
/// [`Refusal::NoPayment`],
/// [`Refusal::SeveralPayments`], [`Refusal::OtherPlayer`], [`Refusal::AlreadyProcessed`],
/// [`Refusal::OwnPayment`], [`Refusal::NotFound`] if there is no such player,
/// [`Refusal::IdempotencyConflict`], or a fault.
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
    ask_first(cashier, &request).await;
    let at = cashier.house.now();
    cashier
        .house
        .database
        .write(Scope::player(request.player), move |transaction| {
            confirm_in(transaction, &context, &request, at)
        })
        .await
}

/// Whether or not it can be reached, the administrator's word is what counts then.
async fn ask_first(cashier: &Cashier, request: &Confirmation) {
    let checked = check_payment(cashier, &request.id, request.id_kind).await;
    if let Err(CasinoError::Fault(error)) = checked {
        tracing::warn!(%error, "confirmed by hand without the provider's answer");
    }
}

fn confirm_in(
    transaction: &mut Transaction<'_, '_>,
    context: &AdminContext,
    request: &Confirmation,
    at: Timestamp,
) -> Result<Confirmed, CasinoError> {
    transaction.user(request.player)?.ok_or(Refusal::NotFound)?;
    let account = transaction.account(request.player)?;
    let kind = kind_of(transaction, request)?;
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
    let is_repeated = context.find_replay(transaction, &event)?.is_some();
    let payment = find_payment(transaction, &request.id, kind, is_repeated)?;
    let confirmed = Confirmed {
        payment: payment.id,
        credited: request.amount,
    };
    if is_repeated {
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
        // It found its deposit between the look and the lock.
        return Err(Refusal::PaymentChanged.into());
    }
    if PaymentStatus::parse(&record.status) == PaymentStatus::Refunded {
        return Err(Refusal::PaymentRefunded.into());
    }
    // What was credited stays credited; on top of it comes at most what a review has left open.
    if record.credited.is_positive() {
        let rest = transaction.open_amount(&record.id, ReviewKind::Overpaid)?;
        if rest.is_none_or(|rest| request.amount > rest) {
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

/// What the id is of: as the administrator says, or by what there is.
fn kind_of(
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

/// The payment of that id, or the only payment of that invoice. An invoice that anything was
/// credited of is not credited by its own id again, whichever payment that was, unless this is that
/// very call once more.
fn find_payment(
    transaction: &mut Transaction<'_, '_>,
    id: &str,
    kind: IdKind,
    is_repeated: bool,
) -> Result<PaymentRecord, CasinoError> {
    if kind == IdKind::Payment {
        return Ok(transaction.payment(id)?.ok_or(Refusal::UnknownPayment)?);
    }
    let deposit = transaction
        .deposit_by_invoice(id)?
        .ok_or(Refusal::UnknownPayment)?;
    let mut payments = transaction.payments_of(deposit.id)?;
    if is_repeated {
        // The one that was credited then.
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
