//! Creates a deposit: stores our order, then requests an invoice from the provider.

use glasshouse_domain::{Currency, DepositStatus, HouseSwitch, Money, Timestamp, UserId};
use glasshouse_payments::{ClientError, Invoice, InvoiceRequest};
use glasshouse_persistence::money::{Deposit, NewDeposit};
use glasshouse_persistence::{DatabaseError, Scope};

use crate::error::{CasinoError, Fault, Refusal};
use crate::idempotency::IdempotencyKey;
use crate::limits::deposits::admit_deposit;
use crate::money::cashier::Cashier;
use crate::money::coins::cached_terms;
use crate::money::deposits::status::{CALL_LIMIT, backoff, refused_backoff};
use crate::operating::require_switch;
use crate::randomness;

/// The maximum number of unpaid invoices per player (`docs/payments.md#rule-18`): each is an offer
/// to accept a coin at a price, and the provider is polled about each.
const MAXIMUM_UNPAID: i64 = 3;
/// The provider's statuses of a payment that was sent but has not arrived. Its invoice counts as
/// paid.
const IN_PROGRESS_STATUSES: [&str; 3] = ["confirming", "confirmed", "sending"];

/// A player's request for a deposit.
#[derive(Debug, Clone)]
pub struct DepositRequest {
    /// The player.
    pub player: UserId,
    /// The amount in US dollars.
    pub amount: Money,
    /// The coin to pay with.
    pub currency: Currency,
    /// The idempotency key.
    pub key: Option<IdempotencyKey>,
}

/// Requests an invoice from the provider. The order is stored first, so that no payment is lost
/// whatever happens to the request. A repeated request with the same key returns the same invoice.
///
/// # Errors
/// [`Refusal::DepositAmount`] unless the amount is positive, [`Refusal::DepositBelowMinimum`],
/// [`Refusal::DepositAboveMaximum`], [`Refusal::DepositBelowCoinMinimum`],
/// [`Refusal::CoinNotTaken`], [`Refusal::TooManyDeposits`], [`Refusal::Limits`],
/// [`crate::OperatingRefusal`] if deposits are stopped, [`Refusal::DepositRefused`] if the provider refuses, [`Refusal::IdempotencyConflict`],
/// [`Refusal::DepositInProgress`], or a fault:
/// [`Fault::Provider`] if the provider cannot be reached or its answer cannot be understood.
pub async fn create_deposit(
    cashier: &Cashier,
    request: DepositRequest,
) -> Result<Deposit, CasinoError> {
    check_amount(cashier, &request)?;
    match store_order(cashier, request).await? {
        Order::Existing(deposit) => replay(cashier, deposit),
        Order::New(deposit) => {
            // A caller that disconnects must not stop the request halfway.
            let cashier = cashier.clone();
            tokio::spawn(async move { request_invoice(&cashier, deposit).await })
                .await
                .map_err(|error| Fault::Interrupted(error.to_string()))?
        }
    }
}

/// Checks the amount against the operator's limits and the provider's known terms.
fn check_amount(cashier: &Cashier, request: &DepositRequest) -> Result<(), Refusal> {
    let limits = cashier.limits();
    let coin = cached_terms(cashier, request.currency);
    if !request.amount.is_positive() {
        Err(Refusal::DepositAmount)
    } else if request.amount < limits.minimum_deposit {
        Err(Refusal::DepositBelowMinimum(limits.minimum_deposit))
    } else if request.amount > limits.maximum_deposit {
        Err(Refusal::DepositAboveMaximum(limits.maximum_deposit))
    } else if coin.is_taken == Some(false) {
        Err(Refusal::CoinNotTaken(request.currency))
    } else if let Some(minimum) = coin.minimum.filter(|minimum| request.amount < *minimum) {
        Err(Refusal::DepositBelowCoinMinimum(request.currency, minimum))
    } else {
        Ok(())
    }
}

enum Order {
    New(Deposit),
    Existing(Deposit),
}

async fn store_order(cashier: &Cashier, request: DepositRequest) -> Result<Order, CasinoError> {
    let at = cashier.house.now();
    let terms_version = cashier.house.terms_version();
    let order_id = format!("gh-{}", hex::encode(randomness::bytes::<16>()?));
    let new = NewDeposit {
        player: request.player,
        order_id,
        currency: request.currency,
        price: request.amount,
        idempotency_key: request.key.map(IdempotencyKey::into_text),
        at,
        next_check_at: at.saturating_add(CALL_LIMIT),
    };
    cashier
        .house
        .database
        .write(Scope::player(request.player), move |transaction| {
            if let Some(key) = &new.idempotency_key
                && let Some(existing) = transaction.deposit_by_key(new.player, key)?
            {
                let is_same = existing.price == new.price && existing.currency == new.currency;
                return if is_same {
                    Ok(Order::Existing(existing))
                } else {
                    Err(Refusal::IdempotencyConflict.into())
                };
            }
            require_switch(transaction, HouseSwitch::Deposits)?;
            let since = at.saturating_sub(CALL_LIMIT);
            if transaction.unpaid_deposits(new.player, since, &IN_PROGRESS_STATUSES)?
                >= MAXIMUM_UNPAID
            {
                return Err(Refusal::TooManyDeposits.into());
            }
            let order = (new.player, new.price);
            admit_deposit(transaction, order, terms_version, at, since)?;
            Ok::<_, CasinoError>(Order::New(transaction.add_deposit(&new)?))
        })
        .await
}

/// Repeats the response to the first request with this key.
fn replay(cashier: &Cashier, deposit: Deposit) -> Result<Deposit, CasinoError> {
    if deposit.invoice_url.is_some() {
        return Ok(deposit);
    }
    if deposit.status == DepositStatus::Failed {
        return Err(Refusal::DepositNotSetUp.into());
    }
    let age = cashier.house.now().saturating_since(deposit.created_at);
    if age < CALL_LIMIT {
        return Err(Refusal::DepositInProgress.into());
    }
    Err(unclear("the answer to the first request is unknown"))
}

async fn request_invoice(cashier: &Cashier, deposit: Deposit) -> Result<Deposit, CasinoError> {
    let request = InvoiceRequest {
        price: deposit.price,
        order_id: deposit.order_id.clone(),
        order_description: format!("Glasshouse deposit {}", deposit.id),
        pay_currency: Some(deposit.currency),
        ipn_callback_url: cashier.callback_url().to_owned(),
        success_url: cashier.return_url().to_owned(),
        cancel_url: cashier.return_url().to_owned(),
        is_fixed_rate: cashier.rates().is_fixed,
    };
    let outcome = cashier.client().create_invoice(&request).await;
    let now = cashier.house.now();
    match outcome {
        Ok(invoice) => store_invoice(cashier, deposit, invoice, now).await,
        Err(error) => {
            tracing::warn!(deposit = %deposit.id, %error, "no invoice for a deposit");
            // The provider may have created an invoice even though its answer is an error. The
            // reconciliation looks for it, unless the request was not even sent.
            mark_failed(cashier, &deposit, now, error.was_not_sent()).await?;
            Err(if error.is_request_refused() {
                Refusal::DepositRefused.into()
            } else {
                Fault::Provider(error).into()
            })
        }
    }
}

async fn store_invoice(
    cashier: &Cashier,
    deposit: Deposit,
    invoice: Invoice,
    now: Timestamp,
) -> Result<Deposit, CasinoError> {
    let (id, player) = (deposit.id, deposit.player);
    let stored = cashier
        .house
        .database
        .write(Scope::player(player), move |transaction| {
            let mut deposit = transaction.lock_deposit(id)?;
            let owner = transaction.deposit_by_invoice(invoice.id.as_str())?;
            if owner.is_some_and(|owner| owner.id != id) {
                return Ok(None);
            }
            // A payment of the invoice may have arrived already.
            let has_invoice = deposit.invoice_id.is_some();
            if matches!(
                deposit.status,
                DepositStatus::Requested | DepositStatus::Failed
            ) && !has_invoice
            {
                deposit.status = DepositStatus::Pending;
            }
            let invoice_id = deposit
                .invoice_id
                .get_or_insert_with(|| invoice.id.to_string());
            if *invoice_id == invoice.id.as_str() {
                deposit.invoice_url = Some(invoice.invoice_url.clone());
            }
            deposit.updated_at = now;
            let age = now.saturating_since(deposit.created_at);
            deposit.next_check_at = Some(now.saturating_add(backoff(age, 1)));
            transaction.save_deposit(&deposit)?;
            if deposit.invoice_url.is_none() {
                return Err(unclear("the deposit has another invoice already"));
            }
            Ok(Some(deposit))
        })
        .await;
    match stored {
        Ok(Some(deposit)) => Ok(deposit),
        // The provider returned one invoice for two orders. With two servers, the database's unique
        // key detects it.
        Ok(None) | Err(CasinoError::Fault(Fault::Database(DatabaseError::Rejected(_)))) => {
            tracing::error!(deposit = %id, "the provider returned the invoice of another deposit");
            mark_failed(cashier, &deposit, now, false).await?;
            Err(unclear("the invoice belongs to another deposit"))
        }
        Err(error) => Err(error),
    }
}

fn unclear(message: &str) -> CasinoError {
    Fault::Provider(ClientError::OutcomeUnknown(message.to_owned())).into()
}

/// Marks a deposit as failed, because no invoice was returned. Unless it is certain that there is
/// none, the reconciliation looks for it later.
async fn mark_failed(
    cashier: &Cashier,
    deposit: &Deposit,
    now: Timestamp,
    is_certain: bool,
) -> Result<(), CasinoError> {
    let (id, player) = (deposit.id, deposit.player);
    cashier
        .house
        .database
        .write(Scope::player(player), move |transaction| {
            let mut deposit = transaction.lock_deposit(id)?;
            if deposit.status != DepositStatus::Requested {
                // A payment has arrived, so there is an invoice.
                return Ok(());
            }
            deposit.status = DepositStatus::Failed;
            deposit.updated_at = now;
            let age = now.saturating_since(deposit.created_at);
            let next = now.saturating_add(refused_backoff(age));
            deposit.next_check_at = (!is_certain).then_some(next);
            Ok::<_, CasinoError>(transaction.save_deposit(&deposit)?)
        })
        .await
}
