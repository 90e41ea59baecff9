//! An administrator credits a payment by hand.

use glasshouse_domain::{Money, ReviewKind, Timestamp, UserId};
use glasshouse_payments::{PaymentId, PaymentStatus};
use glasshouse_persistence::{PaymentRecord, Scope, Transaction};

use crate::administrator::{Act, Acting};
use crate::cashier::Cashier;
use crate::check_payment::check_payment;
use crate::error::{CasinoError, Refusal};
use crate::settle_payment::{Credit, credit_payment, save_conclusion};

/// A payment that is to be credited by hand.
#[derive(Debug, Clone)]
pub struct Confirmation {
    /// The provider's id of the payment, or of an invoice.
    pub id: String,
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
/// [`Refusal::ConfirmedAmount`], [`Refusal::UnknownPayment`], [`Refusal::NoPayment`],
/// [`Refusal::SeveralPayments`], [`Refusal::OtherPlayer`], [`Refusal::AlreadyProcessed`],
/// [`Refusal::OwnPayment`], [`Refusal::NotFound`] if there is no such player,
/// [`Refusal::IdempotencyConflict`], or a fault.
pub async fn confirm_payment(
    cashier: &Cashier,
    acting: Acting,
    wish: Confirmation,
) -> Result<Confirmed, CasinoError> {
    if !wish.amount.is_positive() {
        return Err(Refusal::ConfirmedAmount.into());
    }
    if wish.player == acting.administrator {
        return Err(Refusal::OwnPayment.into());
    }
    if PaymentId::parse(&wish.id).is_none() {
        return Err(Refusal::UnknownPayment.into());
    }
    ask_first(cashier, &wish.id).await;
    let at = cashier.house.now();
    cashier
        .house
        .database
        .write(Scope::player(wish.player), move |transaction| {
            confirm_in(transaction, &acting, &wish, at)
        })
        .await
}

/// Whether or not it can be reached, the administrator's word is what counts then.
async fn ask_first(cashier: &Cashier, id: &str) {
    if let Err(CasinoError::Fault(error)) = check_payment(cashier, id).await {
        tracing::warn!(%error, "confirmed by hand without the provider's answer");
    }
}

fn confirm_in(
    transaction: &mut Transaction<'_, '_>,
    acting: &Acting,
    wish: &Confirmation,
    at: Timestamp,
) -> Result<Confirmed, CasinoError> {
    transaction.user(wish.player)?.ok_or(Refusal::NotFound)?;
    let account = transaction.account(wish.player)?;
    let mut act = Act {
        action: "payment_confirmed",
        target: Some(wish.player),
        subject: Some(match transaction.payment(&wish.id)? {
            Some(_) => format!("payment {}", wish.id),
            None => format!("invoice {}", wish.id),
        }),
        old_value: None,
        new_value: Some(format!(
            "{} credited, paid in {}",
            wish.amount, wish.currency
        )),
    };
    let is_repeated = acting.repeated(transaction, &act)?.is_some();
    let payment = find_payment(transaction, &wish.id, is_repeated)?;
    let confirmed = Confirmed {
        payment: payment.id,
        credited: wish.amount,
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
        .is_some_and(|deposit| deposit.player != wish.player)
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
        if rest.is_none_or(|rest| wish.amount > rest) {
            return Err(Refusal::AlreadyProcessed(record.credited).into());
        }
    }
    act.old_value = Some(format!(
        "payment {} {}, {} credited",
        record.id, record.status, record.credited
    ));
    let credit = Credit {
        amount: wish.amount,
        confirmed_by: Some(acting.administrator),
        at,
    };
    credit_payment(transaction, account, &mut record, credit, false)?;
    let resolution = format!("{} was credited by hand", wish.amount);
    transaction.close_reviews_of(&record.id, acting.administrator, &resolution, at)?;
    if let Some(deposit) = &mut deposit {
        save_conclusion(transaction, deposit, at)?;
    }
    acting.record(transaction, act, at)?;
    Ok(confirmed)
}

/// The payment of that id; else, for an invoice, its only payment. An invoice that anything was
/// credited of is not credited by its own id again, whichever payment that was, unless this is that
/// very call once more.
fn find_payment(
    transaction: &mut Transaction<'_, '_>,
    id: &str,
    is_repeated: bool,
) -> Result<PaymentRecord, CasinoError> {
    if let Some(record) = transaction.payment(id)? {
        return Ok(record);
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
