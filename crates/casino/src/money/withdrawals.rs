//! Withdrawals: the amount leaves the balance at once and is held until an administrator decides.

use std::time::Duration;

use glasshouse_domain::{
    Currency, DelayReason, HouseSwitch, LedgerReference, Money, RiskFacts, Timestamp, UserId,
    Wallet, WalletError, WithdrawalDelay, WithdrawalId, WithdrawalRisk, WithdrawalTerms,
};
use glasshouse_payments::address::normal_form;
use glasshouse_persistence::accounts::{Account, RequestOrigin};
use glasshouse_persistence::money::{
    NewWithdrawal, NewWithdrawalAddress, PaidWithdrawal, Withdrawal,
};
use glasshouse_persistence::{DatabaseError, Page, Scope, Transaction, queries};
use glasshouse_transparency::receipt::Payment;

use crate::error::{AccountRefusal, CasinoError, OperatingRefusal, Refusal};
use crate::house::House;
use crate::idempotency::IdempotencyKey;
use crate::mail::message::{Occasion, TransferFacts};
use crate::mail::notices::notify;
use crate::money::withdrawal_addresses::{parse_destination, remember_address};
use crate::operating::require_switch;
use crate::statements::add_payment_receipt;

/// A validated withdrawal request, not yet checked against the balance. Its fields are validated in
/// the same order as in the form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WithdrawalRequest {
    terms: WithdrawalTerms,
    currency: Currency,
    address: String,
}

/// A withdrawal with the player's wallet after it.
#[derive(Debug, Clone)]
pub struct WithdrawalRequested {
    /// The withdrawal.
    pub withdrawal: Withdrawal,
    /// The balance and the wagering requirement.
    pub wallet: Wallet,
}

impl WithdrawalRequest {
    /// Validates a request as the player entered it, in this order: amount, minimum, currency,
    /// address.
    ///
    /// # Errors
    /// The first refusal in that order.
    pub fn parse(amount: &str, currency: &str, address: &str) -> Result<Self, Refusal> {
        let amount = Money::parse(amount).map_err(|_| Refusal::WithdrawalAmount)?;
        let terms = WithdrawalTerms::of(amount)?;
        let (currency, address) = parse_destination(currency, address)?;
        Ok(Self {
            terms,
            currency,
            address,
        })
    }

    /// Also checks the amount against the operator's maximum.
    ///
    /// # Errors
    /// [`Refusal::WithdrawalAboveMaximum`].
    pub fn up_to(self, maximum: Money) -> Result<Self, Refusal> {
        if self.terms.amount > maximum {
            return Err(Refusal::WithdrawalAboveMaximum(maximum));
        }
        Ok(self)
    }
}

/// Holds the amount and stores the request, with its delay, and adds a new address to the player's address
/// book. A repeated request with the same key returns the same
/// withdrawal.
///
/// # Errors
/// [`Refusal::WithdrawalAboveBalance`], [`Refusal::NotWagered`], [`Refusal::IdempotencyConflict`],
/// [`AccountRefusal::Closed`], [`crate::OperatingRefusal`] if withdrawals are
/// stopped or blocked, or a fault.
pub async fn request_withdrawal(
    house: &House,
    player: UserId,
    request: WithdrawalRequest,
    key: Option<IdempotencyKey>,
) -> Result<WithdrawalRequested, CasinoError> {
    let new = NewWithdrawal {
        player,
        terms: request.terms,
        currency: request.currency,
        address: request.address,
        idempotency_key: key.map(IdempotencyKey::into_text),
        at: house.now(),
        // Judged below, under the lock.
        delay: None,
        risk: WithdrawalRisk::default(),
    };
    let delay = house.withdrawal_delay;
    house
        .database
        .write(Scope::player(player), move |transaction| {
            hold(transaction, &new, delay)
        })
        .await
}

fn hold(
    transaction: &mut Transaction<'_, '_>,
    new: &NewWithdrawal,
    delay: Duration,
) -> Result<WithdrawalRequested, CasinoError> {
    let mut account = transaction.account(new.player)?;
    if let Some(key) = &new.idempotency_key
        && let Some(withdrawal) = transaction.withdrawal_by_key(new.player, key)?
    {
        let is_same = withdrawal.amount == new.terms.amount
            && withdrawal.currency == new.currency
            && withdrawal.address == new.address;
        return if is_same {
            Ok(WithdrawalRequested {
                withdrawal,
                wallet: account.wallet,
            })
        } else {
            Err(Refusal::IdempotencyConflict.into())
        };
    }
    require_switch(transaction, HouseSwitch::Withdrawals)?;
    let rules = account.play_rules.as_deref();
    if rules.is_some_and(|rules| rules.is_closed) {
        return Err(AccountRefusal::Closed.into());
    }
    if rules.is_some_and(|rules| rules.is_withdrawing_blocked) {
        return Err(OperatingRefusal::WithdrawingBlocked.into());
    }
    let posting = account
        .wallet
        .withdraw(new.terms.amount)
        .map_err(|refusal| match refusal {
            WalletError::InsufficientBalance => Refusal::WithdrawalAboveBalance,
            WalletError::NotWagered => Refusal::NotWagered,
            WalletError::NotPositive | WalletError::Overflow | WalletError::NegativeBalance => {
                Refusal::WithdrawalAmount
            }
        })?;
    let normal_form = normal_form(new.currency, &new.address);
    let risks = transaction.withdrawal_risks(new.player, new.currency, &normal_form)?;
    let delay_of_request = risks.delay(delay, new.at);
    let risk = risk_of(transaction, new, &normal_form, delay_of_request.as_ref())?;
    let withdrawal = transaction.add_withdrawal(&NewWithdrawal {
        delay: delay_of_request,
        risk,
        ..new.clone()
    })?;
    if risks.address_usable_from.is_none() {
        let address = NewWithdrawalAddress {
            player: new.player,
            currency: new.currency,
            address: new.address.clone(),
            normal_form,
            label: None,
            at: new.at,
            usable_from: new.at.saturating_add(delay),
        };
        remember_address(transaction, &address)?;
    }
    let reference = LedgerReference::Withdrawal(withdrawal.id);
    transaction.add_entry(&mut account, posting, reference, new.at);
    let payment = Payment::WithdrawalHeld(withdrawal.id.get());
    add_payment_receipt(transaction, &account, (payment, withdrawal.amount), new.at)?;
    let wallet = account.wallet;
    transaction.save_account(account);
    let occasion = Occasion::WithdrawalRequested(facts_of(&withdrawal));
    let origin = RequestOrigin::default();
    notify(transaction, new.player, occasion, &origin, new.at)?;
    Ok(WithdrawalRequested { withdrawal, wallet })
}

/// Returns the whole amount of a withdrawal that will not be paid to its player, whose account this is. The
/// caller has recorded why. Returns the wallet afterwards.
pub(crate) fn return_amount(
    transaction: &mut Transaction<'_, '_>,
    mut account: Account,
    withdrawal: &Withdrawal,
    at: Timestamp,
) -> Result<Wallet, CasinoError> {
    let posting = account.wallet.return_withdrawal(withdrawal.amount)?;
    let reference = LedgerReference::Withdrawal(withdrawal.id);
    transaction.add_entry(&mut account, posting, reference, at);
    let payment = Payment::WithdrawalReturned(withdrawal.id.get());
    add_payment_receipt(transaction, &account, (payment, withdrawal.amount), at)?;
    let wallet = account.wallet;
    transaction.save_account(account);
    Ok(wallet)
}

/// Why a request deserves a closer look.
fn risk_of(
    transaction: &mut Transaction<'_, '_>,
    new: &NewWithdrawal,
    normal_form: &str,
    delay: Option<&WithdrawalDelay>,
) -> Result<WithdrawalRisk, CasinoError> {
    let totals = transaction.player_totals(new.player)?;
    let address = (new.address.as_str(), normal_form);
    let address_use = transaction.address_use(new.player, new.currency, address)?;
    let is_security_change = |reason: &DelayReason| *reason != DelayReason::NewAddress;
    Ok(WithdrawalRisk::of(&RiskFacts {
        deposited: totals.deposited,
        wagered: totals.wagered,
        profit: totals.profit(),
        is_first_use: !address_use.was_used,
        is_shared: address_use.is_shared,
        has_security_change: delay
            .is_some_and(|delay| delay.reasons.as_slice().iter().any(is_security_change)),
        has_open_review: totals.open_reviews > 0,
    }))
}

/// What a mail says of a withdrawal.
pub(crate) fn facts_of(withdrawal: &Withdrawal) -> TransferFacts {
    TransferFacts {
        amount: withdrawal.amount.to_string(),
        currency: withdrawal.currency.label().to_owned(),
        destination: withdrawal.address.clone(),
    }
}

/// Reads a page of a player's withdrawals, with their payments.
///
/// # Errors
/// If the database fails.
pub async fn read_withdrawals(
    house: &House,
    player: UserId,
    before: Option<WithdrawalId>,
    limit: usize,
) -> Result<Page<PaidWithdrawal, WithdrawalId>, CasinoError> {
    house
        .database
        .read(move |connection| {
            let withdrawals = queries::withdrawals_of(connection, player, before, limit)?;
            Ok(Page::new(withdrawals, limit, |paid| paid.withdrawal.id))
        })
        .await
        .map_err(|error: DatabaseError| error.into())
}
