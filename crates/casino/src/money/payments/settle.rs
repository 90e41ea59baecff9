//! The one way by which a payment is credited. Callbacks, a waiting player, administrators and the
//! reconciliation all come here, with a payment that was fetched from the provider itself.

use glasshouse_domain::{DepositId, Money, ReviewKind, Timestamp, UserId};
use glasshouse_payments::{ClientError, Payment, PaymentId, PaymentStatus};
use glasshouse_persistence::money::{DepositKey, MatchStatus, PaymentRecord};
use glasshouse_persistence::{AnyConnection, DatabaseError, Scope, Transaction, queries};

use crate::error::{CasinoError, Fault};
use crate::money::cashier::Cashier;
use crate::money::payments::assess::{Assessment, AssessmentInput, supersedes};
use crate::money::payments::credit::{Credit, credit_payment, save_status};
use crate::money::payments::reviews::open_review;
use crate::money::payments::unmatched::{flag_credited_elsewhere, record_unmatched_payment};

/// How many payments may have been sent one after the other.
const MAXIMUM_ANCESTORS: usize = 4;

/// What is known before anything is locked.
struct Place {
    deposit: Option<(DepositId, UserId)>,
    lacks_parent: bool,
    supersedes: bool,
}

/// Settles a payment as it was just fetched. Does nothing where the provider says nothing new.
/// `hinted_parent` is the payment that it was sent after by a signed callback's word, which the
/// fetched form may leave out.
///
/// # Errors
/// If the payment that it was sent after cannot be fetched, or on a fault.
pub(crate) async fn settle_payment(
    cashier: &Cashier,
    mut fetched: Payment,
    hinted_parent: Option<&PaymentId>,
) -> Result<(), CasinoError> {
    if fetched.parent.is_none() {
        fetched.parent = hinted_parent.cloned();
    }
    let mut waiting = vec![fetched];
    // The parents that we have never heard of come first: a child has its parent's rate.
    while let Some(newest) = waiting.last()
        && let Some(parent) = unknown_parent(cashier, newest).await?
    {
        if waiting.len() > MAXIMUM_ANCESTORS {
            break;
        }
        match cashier.fetch(&parent).await {
            Ok(payment) => waiting.push(payment),
            Err(ClientError::Refused { status: 404, .. }) => break,
            Err(error) => return Err(Fault::Provider(error).into()),
        }
    }
    while let Some(payment) = waiting.pop() {
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
    let asked = fetched.clone();
    let place = cashier
        .house
        .database
        .read::<_, CasinoError, _>(move |connection| find_place(connection, &asked))
        .await?;
    if !place.supersedes {
        return Ok(());
    }
    match place.deposit.filter(|_| !place.lacks_parent) {
        Some((deposit, player)) => settle_for(cashier, deposit, player, fetched).await,
        None => record_unmatched_payment(cashier, fetched).await,
    }
}

/// By what we know of the payment, else by its order, its invoice, its parent.
fn find_place(connection: &mut AnyConnection, fetched: &Payment) -> Result<Place, DatabaseError> {
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
        // What is no news may still contradict what we know: the assessment tells.
        supersedes(stored, fetched)
            || stored.status != fetched.status.as_str()
            || (is_unmatched(stored) && has_found_its_deposit)
    });
    Ok(Place {
        deposit,
        lacks_parent,
        supersedes,
    })
}

async fn settle_for(
    cashier: &Cashier,
    deposit: DepositId,
    player: UserId,
    fetched: Payment,
) -> Result<(), CasinoError> {
    let desk = cashier.clone();
    let now = cashier.house.now();
    let credit = cashier
        .house
        .database
        .write(Scope::player(player), move |transaction| {
            settle_in(transaction, &desk, (deposit, player), fetched.clone(), now)
        })
        .await?;
    if credit.is_positive() {
        metrics::counter!("glasshouse_payment_credits_total").increment(1);
        tracing::info!(%deposit, %player, %credit, "a payment was credited");
    }
    Ok(())
}

/// Credits under the locks of the account and of the deposit. What was credited.
fn settle_in(
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
        // It was found to be another's since we looked; the next look finds that one.
        tracing::error!(payment = %fetched.id, "a payment changed its deposit");
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
        resolve_doubts(transaction, &record, now)?;
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

/// Another payment that stands credited though its money is not there.
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

/// What could not be told before is told now.
fn resolve_doubts(
    transaction: &mut Transaction<'_, '_>,
    record: &PaymentRecord,
    now: Timestamp,
) -> Result<(), CasinoError> {
    for kind in [ReviewKind::Unclear, ReviewKind::LatePayment] {
        transaction.resolve_review(&record.id, kind, "it was credited since", now)?;
    }
    Ok(())
}

/// The payment that one was sent after though the provider does not say so now: it said so before,
/// or both went to the same address, which the provider hands out once.
fn parent_of(
    fetched: &Payment,
    stored: Option<&PaymentRecord>,
    siblings: &[PaymentRecord],
) -> Option<PaymentId> {
    if let Some(known) = stored.and_then(|stored| stored.parent.as_deref()) {
        return PaymentId::parse(known);
    }
    if stored.is_some_and(|stored| stored.match_status != MatchStatus::Unmatched) {
        // It came first, and is the parent of the others.
        return None;
    }
    let address = fetched.pay_address.as_deref()?;
    let is_same_address = |sibling: &&PaymentRecord| {
        Payment::parse(sibling.details.as_bytes())
            .is_ok_and(|known| known.pay_address.as_deref() == Some(address))
    };
    let is_other = |sibling: &&PaymentRecord| sibling.id != fetched.id.as_str();
    siblings
        .iter()
        .filter(is_other)
        .filter(|sibling| sibling.parent.is_none())
        .find(is_same_address)
        .and_then(|parent| PaymentId::parse(&parent.id))
}
