//! A player wants to deposit: our order is written, then the provider is asked for an invoice.

use glasshouse_domain::{Currency, DepositStatus, Money, Timestamp, UserId};
use glasshouse_payments::{ClientError, Invoice, InvoiceRequest};
use glasshouse_persistence::{Deposit, NewDeposit, Scope};

use crate::cashier::Cashier;
use crate::conclude_deposit::backoff;
use crate::entropy;
use crate::error::{CasinoError, Fault, Refusal};
use crate::idempotency::IdempotencyKey;

/// Longer than a call to the provider can take: an order without an invoice that is older was
/// given no answer.
const CALL_LIMIT: std::time::Duration = std::time::Duration::from_secs(30);

/// How many deposits a player may leave unpaid at a time: the provider is asked about each.
const MAXIMUM_OPEN: i64 = 50;

/// How much a player wants to deposit.
#[derive(Debug, Clone)]
pub struct DepositWish {
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
/// [`Refusal::DepositAmount`] unless the amount is positive, [`Refusal::DepositRefused`] if the
/// provider says no, [`Refusal::IdempotencyConflict`], [`Refusal::DepositInProgress`], or a fault:
/// [`Fault::Provider`] if the provider cannot be reached or is not to be understood.
pub async fn create_deposit(cashier: &Cashier, wish: DepositWish) -> Result<Deposit, CasinoError> {
    if !wish.amount.is_positive() {
        return Err(Refusal::DepositAmount.into());
    }
    match write_order(cashier, wish).await? {
        Order::Known(deposit) => answer_again(cashier, deposit),
        Order::New(deposit) => {
            // A caller that goes away does not stop it halfway.
            let cashier = cashier.clone();
            tokio::spawn(async move { ask_for_invoice(&cashier, deposit).await })
                .await
                .map_err(|error| Fault::Interrupted(error.to_string()))?
        }
    }
}

enum Order {
    New(Deposit),
    Known(Deposit),
}

async fn write_order(cashier: &Cashier, wish: DepositWish) -> Result<Order, CasinoError> {
    let at = cashier.house.now();
    let order_id = format!("gh-{}", hex::encode(entropy::bytes::<16>()?));
    let new = NewDeposit {
        player: wish.player,
        order_id,
        currency: wish.currency,
        price: wish.amount,
        idempotency_key: wish.key.map(IdempotencyKey::into_text),
        at,
        next_check_at: at.saturating_add(CALL_LIMIT),
    };
    cashier
        .house
        .database
        .write(Scope::player(wish.player), move |transaction| {
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
            if transaction.open_deposits(new.player)? >= MAXIMUM_OPEN {
                return Err(Refusal::TooManyDeposits.into());
            }
            Ok::<_, CasinoError>(Order::New(transaction.add_deposit(&new)?))
        })
        .await
}

/// The answer that the first call got, or will get.
fn answer_again(cashier: &Cashier, deposit: Deposit) -> Result<Deposit, CasinoError> {
    if deposit.invoice_url.is_some() {
        return Ok(deposit);
    }
    if deposit.status == DepositStatus::Failed {
        return Err(Refusal::DepositRefused.into());
    }
    let age = cashier.house.now().saturating_since(deposit.created_at);
    if age < CALL_LIMIT {
        return Err(Refusal::DepositInProgress.into());
    }
    let unclear = "no answer to the first call is known".to_owned();
    Err(Fault::Provider(ClientError::OutcomeUnknown(unclear)).into())
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
    };
    let outcome = cashier.client().create_invoice(&request).await;
    let now = cashier.house.now();
    match outcome {
        Ok(invoice) => keep_invoice(cashier, deposit, invoice, now).await,
        Err(error) => {
            tracing::warn!(deposit = %deposit.id, %error, "no invoice for a deposit");
            if error.may_have_been_done() {
                // It stays as it is: its payments, if there are ever any, name our order.
                return Err(Fault::Provider(error).into());
            }
            fail(cashier, deposit, now).await?;
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
    cashier
        .house
        .database
        .write(Scope::player(player), move |transaction| {
            let mut deposit = transaction.lock_deposit(id)?;
            // A payment of it may already have come.
            if deposit.status == DepositStatus::Requested {
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
                let unclear = ClientError::OutcomeUnknown("there are two invoices".to_owned());
                return Err(CasinoError::from(Fault::Provider(unclear)));
            }
            Ok(deposit)
        })
        .await
}

async fn fail(cashier: &Cashier, deposit: Deposit, now: Timestamp) -> Result<(), CasinoError> {
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
            deposit.next_check_at = None;
            Ok::<_, CasinoError>(transaction.save_deposit(&deposit)?)
        })
        .await
}
