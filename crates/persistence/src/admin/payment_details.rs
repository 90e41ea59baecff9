//! Everything that is stored about one payment.

use std::collections::HashMap;

use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::{Bool, Text};
use glasshouse_domain::{
    AuditAction, AuditSubject, EntryKind, LedgerReference, Money, PaymentReference, ProposalId,
    ProposedAct, Timestamp,
};

use crate::accounts::account::unsigned;
use crate::accounts::ledger::{LedgerEntry, entries_by_reference};
use crate::admin::deposits::{DepositEntry, deposit_entry};
use crate::admin::listing::{UserRef, users_by_id};
use crate::admin::reviews::{ReviewEntry, reviews_of_payment};
use crate::approval::proposal_list::{ProposalEntry, proposals_beginning_with};
use crate::connection::AnyConnection;
use crate::error::DatabaseError;
use crate::in_one_snapshot::in_one_snapshot;
use crate::money::payments::{PaymentRecord, payment};
use crate::schema::{audit_log, money_acts, payment_credits, payments, pending_callbacks};

/// Everything that is stored about one payment. Before the provider has returned it, there may be no more than a
/// notification and a review.
#[derive(Debug, Clone)]
pub struct PaymentDetails {
    /// Our record of the payment.
    pub record: Option<PaymentRecord>,
    /// When the provider was last asked about it for an administrator.
    pub checked_at: Option<Timestamp>,
    /// When the first notification came that was not applied yet, and when that is tried next.
    pub pending_callback: Option<(Timestamp, Timestamp)>,
    /// The deposit that it pays; `None` if it is unmatched.
    pub deposit: Option<DepositEntry>,
    /// What was credited, in the order of the credits.
    pub credits: Vec<PaymentCredit>,
    /// The open and resolved reviews, oldest first.
    pub reviews: Vec<ReviewEntry>,
    /// What was proposed for it, oldest first.
    pub proposals: Vec<ProposalEntry>,
}

impl PaymentDetails {
    /// Whether nothing at all is stored.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.record.is_none() && self.pending_callback.is_none() && self.reviews.is_empty()
    }
}

/// A credit of a payment.
#[derive(Debug, Clone)]
pub struct PaymentCredit {
    /// Its number among those of the payment, starting at 1.
    pub number: u64,
    /// The player who was credited.
    pub player: UserRef,
    /// The amount.
    pub amount: Money,
    /// When.
    pub at: Timestamp,
    /// The ledger entry that added it to the balance.
    pub ledger_entry: Option<LedgerEntry>,
    /// Who credited it; `None` if it was credited as the provider reported it.
    pub by_hand: Option<HandCredit>,
}

/// How a payment was credited by hand.
#[derive(Debug, Clone)]
pub struct HandCredit {
    /// The administrator, who approved it if it was proposed.
    pub by: UserRef,
    /// What the audit log has as the new value.
    pub recorded: Option<String>,
    /// The proposal that was approved.
    pub proposal: Option<ProposalId>,
}

/// Reads everything that is stored about a payment, as of one moment.
///
/// # Errors
/// If the database fails.
pub fn payment_details(
    connection: &mut AnyConnection,
    id: &str,
) -> Result<PaymentDetails, DatabaseError> {
    in_one_snapshot(connection, |connection| {
        let record = payment(connection, id)?;
        let deposit = match record.as_ref().and_then(|record| record.deposit) {
            Some(deposit) => deposit_entry(connection, deposit)?,
            None => None,
        };
        let invoice = deposit
            .as_ref()
            .and_then(|entry| entry.deposit.invoice_id.as_deref());
        Ok(PaymentDetails {
            checked_at: checked_at(connection, id)?,
            pending_callback: pending_callback(connection, id)?,
            credits: credits_of(connection, id, invoice)?,
            reviews: reviews_of_payment(connection, id)?,
            proposals: proposals_for(connection, id, invoice)?,
            record,
            deposit,
        })
    })
}

/// It is not part of the record, which is written as a whole.
fn checked_at(
    connection: &mut AnyConnection,
    id: &str,
) -> Result<Option<Timestamp>, DatabaseError> {
    let found: Option<Option<i64>> = payments::table
        .find(id)
        .select(payments::checked_at_micros)
        .first(connection)
        .optional()?;
    Ok(found.flatten().map(Timestamp::from_micros))
}

fn pending_callback(
    connection: &mut AnyConnection,
    id: &str,
) -> Result<Option<(Timestamp, Timestamp)>, DatabaseError> {
    let found: Option<(i64, i64)> = pending_callbacks::table
        .find(id)
        .select((
            pending_callbacks::received_at_micros,
            pending_callbacks::next_attempt_at_micros,
        ))
        .first(connection)
        .optional()?;
    let time = Timestamp::from_micros;
    Ok(found.map(|(received_at, next_attempt_at)| (time(received_at), time(next_attempt_at))))
}

/// A payment can be confirmed by its own ID, or by that of its invoice.
fn proposals_for(
    connection: &mut AnyConnection,
    payment: &str,
    invoice: Option<&str>,
) -> Result<Vec<ProposalEntry>, DatabaseError> {
    let by_payment = Some(PaymentReference::Payment(payment.to_owned()));
    let by_invoice = invoice.map(|id| PaymentReference::Invoice(id.to_owned()));
    let mut found = Vec::new();
    for reference in by_payment.into_iter().chain(by_invoice) {
        let beginning = ProposedAct::confirmation_of(&reference);
        found.extend(proposals_beginning_with(connection, &beginning)?);
    }
    found.sort_by_key(|entry| entry.proposal.id);
    Ok(found)
}

/// Number, player, amount, time, and who confirmed it.
type CreditRow = (i64, i64, i64, i64, Option<i64>);

fn credits_of(
    connection: &mut AnyConnection,
    payment: &str,
    invoice: Option<&str>,
) -> Result<Vec<PaymentCredit>, DatabaseError> {
    let rows: Vec<CreditRow> = payment_credits::table
        .filter(payment_credits::payment_id.eq(payment))
        .order((payment_credits::payment_id, payment_credits::number))
        .select((
            payment_credits::number,
            payment_credits::player_id,
            payment_credits::amount_cents,
            payment_credits::created_at_micros,
            payment_credits::confirmed_by,
        ))
        .load(connection)?;
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let persons = rows.iter().flat_map(|row| [Some(row.1), row.4]).flatten();
    let users = users_by_id(connection, persons)?;
    let references = rows.iter().map(|row| reference(payment, row.0));
    let references = references.collect::<Result<Vec<_>, _>>()?;
    let entries = entries_by_reference(connection, &[EntryKind::Deposit], &references)?;
    let mut records = confirmations(connection, &rows, (payment, invoice))?;
    let user = |id: i64| {
        let found = users.get(&id).cloned();
        found.ok_or_else(|| DatabaseError::corrupt(format!("payment {payment}: user {id}")))
    };
    let mut credits = Vec::with_capacity(rows.len());
    for (row, reference) in rows.into_iter().zip(references) {
        let (number, player, amount, at, confirmed_by) = row;
        let by_hand = match confirmed_by {
            Some(by) => {
                let record = records.remove(&(player, by, at));
                let (recorded, proposal) = record.unwrap_or_default();
                Some(HandCredit {
                    by: user(by)?,
                    recorded,
                    proposal: proposal.map(ProposalId::new),
                })
            }
            None => None,
        };
        credits.push(PaymentCredit {
            number: unsigned(number, "number of a credit")?,
            player: user(player)?,
            amount: Money::from_cents(amount),
            at: Timestamp::from_micros(at),
            ledger_entry: entries
                .iter()
                .find(|entry| entry.reference == reference)
                .cloned(),
            by_hand,
        });
    }
    Ok(credits)
}

fn reference(payment: &str, number: i64) -> Result<String, DatabaseError> {
    let reference = LedgerReference::PaymentCredit {
        payment: payment.to_owned(),
        number: unsigned(number, "number of a credit")?,
    };
    Ok(reference.to_string())
}

/// The new value of an audit record, and the proposal that was carried out.
type Confirmation = (Option<String>, Option<i64>);

/// The audit records of the credits by hand, by player, administrator and time: both are written in one transaction,
/// with the same time. A payment can be confirmed by its own ID, or by that of its invoice.
fn confirmations(
    connection: &mut AnyConnection,
    credits: &[CreditRow],
    (payment, invoice): (&str, Option<&str>),
) -> Result<HashMap<(i64, i64, i64), Confirmation>, DatabaseError> {
    type Row = (Option<i64>, Option<i64>, i64, Option<String>, Option<i64>);
    let by_hand = credits.iter().filter(|row| row.4.is_some());
    let (mut players, times): (Vec<i64>, Vec<i64>) = by_hand.map(|row| (row.1, row.3)).unzip();
    if players.is_empty() {
        return Ok(HashMap::new());
    }
    players.sort_unstable();
    players.dedup();
    let by_payment = Some(AuditSubject::Payment(payment.to_owned()));
    let by_invoice = invoice.map(|id| AuditSubject::Invoice(id.to_owned()));
    let subjects = by_payment.into_iter().chain(by_invoice);
    let acts = money_acts::table.on(money_acts::audit_record_id.eq(audit_log::id));
    let rows: Vec<Row> = audit_log::table
        .left_join(acts)
        .filter(audit_log::target_user_id.eq_any(players))
        .filter(audit_log::created_at_micros.eq_any(times))
        .filter(audit_log::subject.eq_any(subjects.map(|subject| subject.to_string())))
        // The condition is literally that of the index.
        .filter(sql::<Bool>(
            "target_user_id IS NOT NULL AND action <> 'personal_data_viewed'",
        ))
        // The action is part of an expression, so that only this index fits: SQLite would read all confirmations.
        .filter(sql::<Text>("action || ''").eq(AuditAction::PaymentConfirmed.as_str()))
        .select((
            audit_log::target_user_id,
            audit_log::actor_id,
            audit_log::created_at_micros,
            audit_log::new_value,
            money_acts::proposal_id.nullable(),
        ))
        .load(connection)?;
    let keyed = rows
        .into_iter()
        .filter_map(|(player, by, at, value, proposal)| {
            Some(((player?, by?, at), (value, proposal)))
        });
    Ok(keyed.collect())
}
