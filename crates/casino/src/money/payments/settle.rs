//! Settles payments: the only place where payments are credited automatically. Callbacks, waiting
//! players, administrators and the reconciliation all call it with a payment fetched from the
//! provider.

use glasshouse_domain::{DepositId, Money, ReviewKind, Timestamp, UserId};
use glasshouse_payments::{Payment, PaymentId, PaymentStatus};
use glasshouse_persistence::money::{DepositKey, MatchStatus, PaymentRecord};
use glasshouse_persistence::{AnyConnection, DatabaseError, Scope, Transaction, queries};

use crate::error::{CasinoError, Fault};
use crate::money::cashier::Cashier;
use crate::money::payments::assess::{Assessment, AssessmentInput, supersedes};
use crate::money::payments::credit::{Credit, credit_payment, save_status};
use crate::money::payments::reviews::open_review;
use crate::money::payments::unmatched::{flag_credited_elsewhere, record_unmatched_payment};

/// The maximum length of a chain of payments sent one after the other.
const MAXIMUM_ANCESTORS: usize = 4;

/// What is known about a payment before anything is locked.
struct PaymentLookup {
    deposit: Option<(DepositId, UserId)>,
    lacks_parent: bool,
    supersedes: bool,
}

/// Settles a payment that was just fetched. Does nothing if the provider reports nothing new.
/// `hinted_parent` is the parent payment according to a signed callback, because the fetched
/// payment may omit it.
///
/// # Errors
/// If the parent payment cannot be fetched, or on a fault.
pub(crate) async fn settle_payment(
    cashier: &Cashier,
    mut fetched: Payment,
    hinted_parent: Option<&PaymentId>,
) -> Result<(), CasinoError> {
    if fetched.parent.is_none() {
        fetched.parent = hinted_parent.cloned();
    }
    let mut chain = vec![fetched];
    // Unknown parents are settled first, because a child payment has its parent's rate.
    while let Some(newest) = chain.last()
        && let Some(parent) = unknown_parent(cashier, newest).await?
    {
        if chain.len() > MAXIMUM_ANCESTORS {
            break;
        }
        match cashier.fetch(&parent).await {
            Ok(payment) => chain.push(payment),
            Err(error) if error.is_not_found() => break,
            Err(error) => return Err(Fault::Provider(error).into()),
        }
    }
    while let Some(payment) = chain.pop() {
        settle_one(cashier, payment).await?;
    }
    Ok(())
}

async fn unknown_parent(
    cashier: &Cashier,
    payment: &Payment,
) -> Result<Option<PaymentId>, CasinoError> {
    let Some(parent) = payment
        .parent
        .clone()
        .filter(|parent| *parent != payment.id)
    else {
        return Ok(None);
    };
    let id = parent.to_string();
    let known = cashier
        .house
        .database
        .read::<_, CasinoError, _>(move |connection| queries::payment(connection, &id))
        .await?;
    Ok(known.is_none().then_some(parent))
}

async fn settle_one(cashier: &Cashier, fetched: Payment) -> Result<(), CasinoError> {
    let payment = fetched.clone();
    let lookup = cashier
        .house
        .database
        .read::<_, CasinoError, _>(move |connection| look_up_payment(connection, &payment))
        .await?;
    if !lookup.supersedes {
        return Ok(());
    }
    match lookup.deposit.filter(|_| !lookup.lacks_parent) {
        Some((deposit, player)) => settle_for_deposit(cashier, deposit, player, fetched).await,
        None => record_unmatched_payment(cashier, fetched).await,
    }
}

/// Finds a payment's deposit: by our record of the payment, else by its order, its invoice or its
/// parent.
fn look_up_payment(
    connection: &mut AnyConnection,
    fetched: &Payment,
) -> Result<PaymentLookup, DatabaseError> {
    let stored = queries::payment(connection, fetched.id.as_str())?;
    let parent = match &fetched.parent {
        Some(parent) => queries::payment(connection, parent.as_str())?,
        None => None,
    };
    let is_unmatched = |record: &PaymentRecord| record.match_status == MatchStatus::Unmatched;
    let lacks_parent = fetched.parent.is_some() && parent.as_ref().is_none_or(is_unmatched);
    let keys = [
        stored
            .as_ref()
            .and_then(|stored| stored.deposit)
            .map(DepositKey::Id),
        fetched.order_id.as_deref().map(DepositKey::Order),
        fetched
            .invoice
            .as_ref()
            .map(|invoice| DepositKey::Invoice(invoice.as_str())),
        parent
            .as_ref()
            .and_then(|parent| parent.deposit)
            .map(DepositKey::Id),
    ];
    let mut deposit = None;
    for key in keys.into_iter().flatten() {
        deposit = queries::deposit(connection, key)?.map(|found| (found.id, found.player));
        if deposit.is_some() {
            break;
        }
    }
    let has_found_its_deposit = deposit.is_some() && !lacks_parent;
    let supersedes = stored.as_ref().is_none_or(|stored| {
        // An update that supersedes nothing may still contradict our record; the assessment
        // decides.
        supersedes(stored, fetched)
            || stored.status != fetched.status.as_str()
            || (is_unmatched(stored) && has_found_its_deposit)
    });
    Ok(PaymentLookup {
        deposit,
        lacks_parent,
        supersedes,
    })
}

async fn settle_for_deposit(
    cashier: &Cashier,
    deposit: DepositId,
    player: UserId,
    fetched: Payment,
) -> Result<(), CasinoError> {
    let owned_cashier = cashier.clone();
    let now = cashier.house.now();
    let credit = cashier
        .house
        .database
        .write(Scope::player(player), move |transaction| {
            settle_in_transaction(
                transaction,
                &owned_cashier,
                (deposit, player),
                fetched.clone(),
                now,
            )
        })
        .await?;
    if credit.is_positive() {
        metrics::counter!("glasshouse_payment_credits_total").increment(1);
        tracing::info!(%deposit, %player, %credit, "a payment was credited");
    }
    Ok(())
}

/// Credits a payment while the account and the deposit are locked. Returns the credited amount.
fn settle_in_transaction(
    transaction: &mut Transaction<'_, '_>,
    cashier: &Cashier,
    (id, player): (DepositId, UserId),
    mut fetched: Payment,
    now: Timestamp,
) -> Result<Money, CasinoError> {
    let account = transaction.account(player)?;
    let mut deposit = transaction.lock_deposit(id)?;
    let stored = transaction.lock_payment(fetched.id.as_str())?;
    let known_deposit = stored.as_ref().and_then(|stored| stored.deposit);
    if known_deposit.is_some_and(|known| known != id) {
        // The payment was matched to another deposit since the lookup; the next attempt finds that
        // one.
        tracing::error!(payment = %fetched.id, "a payment was matched to another deposit meanwhile");
        return Ok(Money::ZERO);
    }
    let siblings = transaction.payments_of(id)?;
    if fetched.parent.is_none() {
        fetched.parent = parent_of(&fetched, stored.as_ref(), &siblings);
    }
    let parent = match &fetched.parent {
        Some(parent) => transaction.payment(parent.as_str())?,
        None => None,
    };
    let is_unmatched = |record: &&PaymentRecord| record.match_status == MatchStatus::Unmatched;
    if let Some(unmatched) = stored.as_ref().filter(is_unmatched)
        && let Some(owner) = transaction.credited_player(&unmatched.id)?
        && owner != player
    {
        flag_credited_elsewhere(transaction, unmatched, &fetched, (id, player, owner), now)?;
        return Ok(Money::ZERO);
    }
    let input = AssessmentInput {
        deposit: &deposit,
        stored: stored.as_ref(),
        parent: parent.as_ref(),
        fetched: &fetched,
        cap: cashier.overpayment_cap(deposit.price),
        credited_ahead: credited_ahead(&siblings, &fetched),
        rates: cashier.rates(),
        now,
    };
    let Some(assessment) = input.assess() else {
        return Ok(Money::ZERO);
    };
    let Assessment {
        mut record,
        credit,
        reviews,
    } = assessment;
    if deposit.invoice_id.is_none() && record.match_status == MatchStatus::Matched {
        deposit.invoice_id = fetched.invoice.as_ref().map(ToString::to_string);
    }
    let is_new = stored.is_none();
    if credit.is_positive() {
        let credit = Credit {
            amount: credit,
            confirmed_by: None,
            at: now,
        };
        credit_payment(transaction, account, &mut record, credit, is_new)?;
        close_open_questions(transaction, &record, now)?;
    } else {
        transaction.save_payment(&record, is_new)?;
    }
    if stored.is_some_and(|stored| stored.match_status == MatchStatus::Unmatched) {
        let resolution = "its deposit was found";
        transaction.resolve_review(&record.id, ReviewKind::Orphan, resolution, now)?;
    }
    for review in &reviews {
        open_review(transaction, review)?;
    }
    save_status(transaction, &mut deposit, now)?;
    Ok(credit)
}

/// Another payment of the deposit that is credited although its money has not arrived.
fn credited_ahead<'s>(
    siblings: &'s [PaymentRecord],
    fetched: &Payment,
) -> Option<&'s PaymentRecord> {
    siblings.iter().find(|sibling| {
        sibling.id != fetched.id.as_str()
            && sibling.credited.is_positive()
            && !PaymentStatus::parse(&sibling.status).has_arrived()
    })
}

/// Closes reviews that became obsolete because the payment could now be credited.
fn close_open_questions(
    transaction: &mut Transaction<'_, '_>,
    record: &PaymentRecord,
    now: Timestamp,
) -> Result<(), CasinoError> {
    for kind in [ReviewKind::Unclear, ReviewKind::LatePayment] {
        transaction.resolve_review(&record.id, kind, "it was credited since", now)?;
    }
    Ok(())
}

/// The parent of a payment, if the provider no longer reports it: the parent in our record, or a
/// payment to the same address, which the provider assigns only once.
fn parent_of(
    fetched: &Payment,
    stored: Option<&PaymentRecord>,
    siblings: &[PaymentRecord],
) -> Option<PaymentId> {
    if let Some(parent) = stored.and_then(|stored| stored.parent.as_deref()) {
        return PaymentId::parse(parent);
    }
    if stored.is_some_and(|stored| stored.match_status != MatchStatus::Unmatched) {
        // It was the first payment to the address, so it is the parent of the others.
        return None;
    }
    let address = fetched.pay_address.as_deref()?;
    let is_same_address = |sibling: &&PaymentRecord| {
        Payment::parse(sibling.details.as_bytes())
            .is_ok_and(|other| other.pay_address.as_deref() == Some(address))
    };
    let is_other = |sibling: &&PaymentRecord| sibling.id != fetched.id.as_str();
    siblings
        .iter()
        .filter(is_other)
        .filter(|sibling| sibling.parent.is_none())
        .find(is_same_address)
        .and_then(|parent| PaymentId::parse(&parent.id))
}
