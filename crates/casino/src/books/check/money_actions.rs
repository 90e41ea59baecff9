//! Checks administrators' changes of money against the audit log.

use std::collections::{BTreeMap, HashMap};

use glasshouse_domain::{AuditAction, AuditSubject, Money, Timestamp, WithdrawalStatus};
use glasshouse_persistence::audit::AuditRecord;
use glasshouse_persistence::books::{
    AdjustmentRow, ConfirmedCreditRow, RecordedActs, ResolvedReviewRow,
};
use glasshouse_persistence::money::Withdrawal;

use crate::books::check::report::Finding;

/// A balance adjustment: player, time in microseconds, old balance, new balance.
type Adjustment = (i64, i64, String, String);
/// A manual credit: administrator, player, time in microseconds, payment.
type Confirmation = (i64, i64, i64, String);

/// The changes of money according to the audit log, built up record by record.
#[derive(Default)]
pub(crate) struct LoggedMoneyActions {
    /// The IDs of the audit records of each adjustment.
    adjustments: HashMap<Adjustment, Vec<i64>>,
    decisions: BTreeMap<i64, Vec<AuditRecord>>,
    restatements: BTreeMap<i64, AuditRecord>,
    confirmations: HashMap<Confirmation, Vec<AuditRecord>>,
    reviews: BTreeMap<i64, Vec<AuditRecord>>,
    /// The IDs of records whose subject cannot be read.
    unclear: Vec<i64>,
}

impl LoggedMoneyActions {
    pub(crate) fn add(&mut self, record: &AuditRecord) {
        let is_clear = match AuditAction::parse(&record.action) {
            Some(AuditAction::BalanceOverride | AuditAction::AccountClosed) => {
                self.take_adjustment(record)
            }
            Some(
                AuditAction::WithdrawalApproved
                | AuditAction::WithdrawalApprovedAutomatically
                | AuditAction::WithdrawalRejected,
            ) => add_to(&mut self.decisions, record, withdrawal_of),
            Some(AuditAction::WithdrawalRestated) => match withdrawal_of(record) {
                Some(id) => {
                    self.restatements.insert(id, record.clone());
                    true
                }
                None => false,
            },
            Some(AuditAction::PaymentConfirmed) => self.take_confirmation(record),
            Some(AuditAction::ReviewResolved) => add_to(&mut self.reviews, record, review_of),
            _ => true,
        };
        if !is_clear {
            self.unclear.push(record.id);
        }
    }

    fn take_adjustment(&mut self, record: &AuditRecord) -> bool {
        let (Some(player), Some(old), Some(new)) = (
            record.target_user_id,
            record.old_value.clone(),
            record.new_value.clone(),
        ) else {
            return false;
        };
        // Setting a balance to its current value makes no ledger entry.
        if old != new {
            let key = (player, record.created_at_micros, old, new);
            self.adjustments.entry(key).or_default().push(record.id);
        }
        true
    }

    fn take_confirmation(&mut self, record: &AuditRecord) -> bool {
        let payment = record
            .old_value
            .as_deref()
            .and_then(|old| old.strip_prefix("payment "))
            .and_then(|rest| rest.split(' ').next());
        let (Some(actor), Some(player), Some(payment)) =
            (record.actor_id, record.target_user_id, payment)
        else {
            return false;
        };
        let key = (actor, player, record.created_at_micros, payment.to_owned());
        self.confirmations
            .entry(key)
            .or_default()
            .push(record.clone());
        true
    }

    /// Reports the differences between the log and the rows.
    pub(crate) fn compare(mut self, found: &RecordedActs) -> Vec<Finding> {
        let mut unclear = Finding::new("every audit record has a readable subject");
        for id in &self.unclear {
            unclear.add(format!("audit record {id}"));
        }
        // Reviews are compared first, because a confirmation also closes reviews and is removed
        // below.
        let reviews = self.compare_reviews(&found.resolved_reviews);
        vec![
            unclear,
            self.compare_adjustments(&found.adjustments),
            self.compare_decisions(&found.decisions),
            self.compare_credits(&found.confirmed_credits),
            reviews,
        ]
    }

    fn compare_adjustments(&mut self, rows: &[AdjustmentRow]) -> Finding {
        let mut finding =
            Finding::new("every adjustment in the ledger has an audit record, and no other exists");
        for row in rows {
            let old = row.balance_after_cents.saturating_sub(row.amount_cents);
            let key = (
                row.player_id,
                row.created_at_micros,
                dollars(old),
                dollars(row.balance_after_cents),
            );
            let records = self.adjustments.get_mut(&key);
            if records.and_then(Vec::pop).is_none() {
                finding.add(format!(
                    "ledger entry {} of player {}: the log has no adjustment from {} to {}",
                    row.sequence, row.player_id, key.2, key.3
                ));
            }
        }
        for ((player, _, old, new), records) in &self.adjustments {
            for id in records {
                finding.add(format!(
                    "audit record {id}: the ledger of player {player} has no adjustment from {old} \
                     to {new}"
                ));
            }
        }
        finding
    }

    fn compare_decisions(&mut self, rows: &[(Withdrawal, Option<i64>)]) -> Finding {
        let mut finding = Finding::new(
            "every decision on a withdrawal matches its audit record, and no other exists",
        );
        for (withdrawal, decided_by) in rows {
            let id = withdrawal.id.get();
            let named = format!(
                "withdrawal {id} of player {} ({})",
                withdrawal.player,
                withdrawal.status.as_str()
            );
            let records = self.decisions.remove(&id).unwrap_or_default();
            let [record] = records.as_slice() else {
                finding.add(format!("{named}: the log has {} decisions", records.len()));
                continue;
            };
            let restated = self.restatements.remove(&id);
            if !matches_decision(withdrawal, *decided_by, record, restated.as_ref()) {
                finding.add(format!("{named}: audit record {} differs", record.id));
            }
        }
        for (id, records) in &self.decisions {
            for record in records {
                finding.add(format!(
                    "withdrawal {id} is not decided, but audit record {} says so",
                    record.id
                ));
            }
        }
        for (id, record) in &self.restatements {
            finding.add(format!(
                "withdrawal {id}: audit record {} restates a decision that does not exist",
                record.id
            ));
        }
        finding
    }

    fn compare_credits(&mut self, rows: &[ConfirmedCreditRow]) -> Finding {
        let mut finding =
            Finding::new("every manual credit has an audit record, and no other exists");
        for row in rows {
            let key = (
                row.confirmed_by,
                row.player_id,
                row.created_at_micros,
                row.payment_id.clone(),
            );
            let amount = format!("{} credited, paid in ", dollars(row.amount_cents));
            let record = self.confirmations.get_mut(&key).and_then(Vec::pop);
            let is_recorded = record
                .as_ref()
                .and_then(|record| record.new_value.as_deref())
                .is_some_and(|new| new.starts_with(&amount));
            if !is_recorded {
                finding.add(format!(
                    "credit {} of payment {} to player {}: the log has no credit of {}",
                    row.number,
                    row.payment_id,
                    row.player_id,
                    dollars(row.amount_cents)
                ));
            }
        }
        for ((.., payment), records) in &self.confirmations {
            for record in records {
                finding.add(format!(
                    "audit record {}: payment {payment} has no such credit",
                    record.id
                ));
            }
        }
        finding
    }

    fn compare_reviews(&mut self, rows: &[ResolvedReviewRow]) -> Finding {
        let mut finding =
            Finding::new("every closed review has an audit record, and no other exists");
        for row in rows {
            let records = self.reviews.remove(&row.id).unwrap_or_default();
            let is_recorded = match records.as_slice() {
                [] => self.is_confirmed(row),
                [record] => matches_resolution(row, record),
                _ => false,
            };
            if !is_recorded {
                finding.add(format!(
                    "review {} of payment {}: the audit log differs",
                    row.id, row.payment_id
                ));
            }
        }
        for (id, records) in &self.reviews {
            for record in records {
                finding.add(format!(
                    "review {id} is not closed, but audit record {} says so",
                    record.id
                ));
            }
        }
        finding
    }

    /// Whether a manual credit closed the review.
    fn is_confirmed(&self, row: &ResolvedReviewRow) -> bool {
        self.confirmations.keys().any(|(actor, _, at, payment)| {
            (*actor, *at, payment) == (row.resolved_by, row.resolved_at_micros, &row.payment_id)
        })
    }
}

fn dollars(cents: i64) -> String {
    Money::from_cents(cents).to_string()
}

/// The withdrawal that a record is about.
fn withdrawal_of(record: &AuditRecord) -> Option<i64> {
    match record.subject()? {
        AuditSubject::Withdrawal { id, .. } => Some(id.get()),
        _ => None,
    }
}

/// The review that a record is about.
fn review_of(record: &AuditRecord) -> Option<i64> {
    match record.subject()? {
        AuditSubject::Review { id, .. } => Some(id.get()),
        _ => None,
    }
}

fn add_to(
    map: &mut BTreeMap<i64, Vec<AuditRecord>>,
    record: &AuditRecord,
    id_of: fn(&AuditRecord) -> Option<i64>,
) -> bool {
    let Some(id) = id_of(record) else {
        return false;
    };
    map.entry(id).or_default().push(record.clone());
    true
}

/// Whether a record matches the decision on a withdrawal. Records older than the audit log's key do
/// not contain the destination; for those, a second record restates the decision.
fn matches_decision(
    withdrawal: &Withdrawal,
    decided_by: Option<i64>,
    record: &AuditRecord,
    restated: Option<&AuditRecord>,
) -> bool {
    let (status, reason) = (withdrawal.status, withdrawal.reason.as_deref());
    let text = withdrawal.decision_text(status, reason);
    let earlier_text = match reason {
        Some(reason) => format!("{}: {reason}", status.as_str()),
        None => status.as_str().to_owned(),
    };
    let action = match status {
        WithdrawalStatus::Rejected => AuditAction::WithdrawalRejected,
        _ if decided_by.is_none() => AuditAction::WithdrawalApprovedAutomatically,
        _ => AuditAction::WithdrawalApproved,
    };
    let is_text = record.new_value.as_ref() == Some(&text)
        || (record.new_value.as_ref() == Some(&earlier_text)
            && restated.is_some_and(|restated| restated.new_value.as_ref() == Some(&text)));
    is_text
        && record.action == action.as_str()
        && record.actor_id == decided_by
        && record.target_user_id == Some(withdrawal.player.get())
        && record.subject() == Some(withdrawal.subject())
        && withdrawal.decided_at.map(Timestamp::as_micros) == Some(record.created_at_micros)
}

/// The review's kind is not compared, because a later version may have renamed kinds of reviews.
fn matches_resolution(row: &ResolvedReviewRow, record: &AuditRecord) -> bool {
    record.actor_id == Some(row.resolved_by)
        && record.created_at_micros == row.resolved_at_micros
        && record.new_value.as_ref() == Some(&row.resolution)
        && matches!(
            record.subject(),
            Some(AuditSubject::Review { id, payment, .. })
                if id.get() == row.id && payment == row.payment_id
        )
}
