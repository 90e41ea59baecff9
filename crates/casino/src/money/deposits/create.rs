//! A player wants to deposit: our order is written, then the provider is asked for an invoice.

use glasshouse_domain::{Currency, DepositStatus, Money, Timestamp, UserId};
use glasshouse_payments::{ClientError, Invoice, InvoiceRequest};
use glasshouse_persistence::money::{Deposit, NewDeposit};
use glasshouse_persistence::{DatabaseError, Scope};

use crate::error::{CasinoError, Fault, Refusal};
use crate::idempotency::IdempotencyKey;
use crate::money::cashier::Cashier;
use crate::money::coins::known_coin;
use crate::money::deposits::status::{CALL_LIMIT, backoff, refused_backoff};
use crate::randomness;

/// How many invoices a player may leave unpaid at a time (`docs/payments.md#rule-18`): each is an
/// offer to take a coin at a price, and the provider is asked about each.
const MAXIMUM_UNPAID: i64 = 3;
/// What the provider calls a payment that was sent and has not arrived: its invoice is as good as
/// paid.
const IN_PROGRESS_STATUSES: [&str; 3] = ["confirming", "confirmed", "sending"];

/// How much a player wants to deposit.
#[derive(Debug, Clone)]
pub struct DepositRequest {
    /// Who.
    pub player: UserId,
    /// How many dollars.
    pub amount: Money,
    /// In which currency.
    pub currency: Currency,
    /// For repeating the call.
    pub key: Option<IdempotencyKey>,
}

/// Asks the provider for an invoice. The order is written before, so that whatever happens to the
/// call, no payment of it is lost. The same key answers the same invoice again.
///
/// # Errors
/// [`Refusal::DepositAmount`] unless the amount is positive, [`Refusal::DepositBelowMinimum`],
/// [`Refusal::DepositAboveMaximum`], [`Refusal::DepositBelowCoinMinimum`],
/// [`Refusal::CoinNotTaken`], [`Refusal::TooManyDeposits`], [`Refusal::DepositRefused`] if the
/// provider says no, [`Refusal::IdempotencyConflict`], [`Refusal::DepositInProgress`], or a fault:
/// [`Fault::Provider`] if the provider cannot be reached or is not to be understood.
pub async fn create_deposit(
    cashier: &Cashier,
    request: DepositRequest,
) -> Result<Deposit, CasinoError> {
    check_amount(cashier, &request)?;
    match write_order(cashier, request).await? {
        Order::Known(deposit) => replay(cashier, deposit),
        Order::New(deposit) => {
            // A caller that goes away does not stop it halfway.
            let cashier = cashier.clone();
            tokio::spawn(async move { ask_for_invoice(&cashier, deposit).await })
                .await
                .map_err(|error| Fault::Interrupted(error.to_string()))?
        }
    }
}

/// By the operator's limits, and by what the provider is known to take.
fn check_amount(cashier: &Cashier, request: &DepositRequest) -> Result<(), Refusal> {
    let limits = cashier.limits();
    let coin = known_coin(cashier, request.currency);
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
    Known(Deposit),
}

async fn write_order(cashier: &Cashier, request: DepositRequest) -> Result<Order, CasinoError> {
    let at = cashier.house.now();
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
                && let Some(known) = transaction.deposit_by_key(new.player, key)?
            {
                let is_same = known.price == new.price && known.currency == new.currency;
                return if is_same {
                    Ok(Order::Known(known))
                } else {
                    Err(Refusal::IdempotencyConflict.into())
                };
            }
            let since = at.saturating_sub(CALL_LIMIT);
            if transaction.unpaid_deposits(new.player, since, &IN_PROGRESS_STATUSES)?
                >= MAXIMUM_UNPAID
            {
                return Err(Refusal::TooManyDeposits.into());
            }
            Ok::<_, CasinoError>(Order::New(transaction.add_deposit(&new)?))
        })
        .await
}

/// The answer that the first call got, or will get.
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
    Err(unclear("no answer to the first call is known"))
}

async fn ask_for_invoice(cashier: &Cashier, deposit: Deposit) -> Result<Deposit, CasinoError> {
    let request = InvoiceRequest {
        price: deposit.price,
        order_id: deposit.order_id.clone(),
        order_description: format!("Glasshouse deposit {}", deposit.id),
        pay_currency: Some(deposit.currency),
        ipn_callback_url: cashier.callback_url(),
        success_url: cashier.return_url(),
        cancel_url: cashier.return_url(),
        is_fixed_rate: cashier.rates().is_fixed,
    };
    let outcome = cashier.client().create_invoice(&request).await;
    let now = cashier.house.now();
    match outcome {
        Ok(invoice) => keep_invoice(cashier, deposit, invoice, now).await,
        Err(error) => {
            tracing::warn!(deposit = %deposit.id, %error, "no invoice for a deposit");
            // Whatever the answer is, an invoice may have been made: the reconciliation looks for
            // it, unless the provider was not even asked.
            fail(cashier, &deposit, now, error.was_not_sent()).await?;
            Err(match error {
                // 401 and 403 are about our key, not about the deposit.
                ClientError::Refused { status, .. } if !matches!(status, 401 | 403) => {
                    Refusal::DepositRefused.into()
                }
                error => Fault::Provider(error).into(),
            })
        }
    }
}

async fn keep_invoice(
    cashier: &Cashier,
    deposit: Deposit,
    invoice: Invoice,
    now: Timestamp,
) -> Result<Deposit, CasinoError> {
    let (id, player) = (deposit.id, deposit.player);
    let kept = cashier
        .house
        .database
        .write(Scope::player(player), move |transaction| {
            let mut deposit = transaction.lock_deposit(id)?;
            let owner = transaction.deposit_by_invoice(invoice.id.as_str())?;
            if owner.is_some_and(|owner| owner.id != id) {
                return Ok(None);
            }
            // A payment of it may already have come.
            let has_invoice = deposit.invoice_id.is_some();
            if matches!(
                deposit.status,
                DepositStatus::Requested | DepositStatus::Failed
            ) && !has_invoice
            {
                deposit.status = DepositStatus::Pending;
            }
            let kept = deposit
                .invoice_id
                .get_or_insert_with(|| invoice.id.to_string());
            if *kept == invoice.id.as_str() {
                deposit.invoice_url = Some(invoice.invoice_url.clone());
            }
            deposit.updated_at = now;
            let age = now.saturating_since(deposit.created_at);
            deposit.next_check_at = Some(now.saturating_add(backoff(age, 1)));
            transaction.save_deposit(&deposit)?;
            if deposit.invoice_url.is_none() {
                return Err(unclear("there are two invoices"));
            }
            Ok(Some(deposit))
        })
        .await;
    match kept {
        Ok(Some(deposit)) => Ok(deposit),
        // Two orders were given one invoice; with two servers, the database's key notices it.
        Ok(None) | Err(CasinoError::Fault(Fault::Database(DatabaseError::Rejected(_)))) => {
            tracing::error!(deposit = %id, "the provider gave the invoice of another deposit");
            fail(cashier, &deposit, now, false).await?;
            Err(unclear("the invoice is another deposit's"))
        }
        Err(error) => Err(error),
    }
}

fn unclear(what: &str) -> CasinoError {
    Fault::Provider(ClientError::OutcomeUnknown(what.to_owned())).into()
}

/// There is no invoice, as far as the provider's answer can be believed. Unless that is certain, it
/// is looked for later.
async fn fail(
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
                // A payment of it has come: then there is an invoice.
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
