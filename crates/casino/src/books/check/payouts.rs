//! Checks what administrators recorded of the payment of withdrawals against the audit log.

use std::collections::BTreeSet;

use glasshouse_domain::{AuditAction, AuditSubject, Timestamp, UserId};
use glasshouse_persistence::audit::AuditRecord;
use glasshouse_persistence::money::Payout;

use crate::books::check::report::Finding;

/// A recorded step: withdrawal, name of the action, administrator, time in microseconds, and its text unless
/// that is the same for all.
type Step = (i64, &'static str, Option<i64>, i64, String);

/// The steps according to the audit log, built up record by record.
#[derive(Default)]
pub(crate) struct LoggedPayouts {
    steps: BTreeSet<Step>,
    unclear: Vec<i64>,
}

impl LoggedPayouts {
    pub(crate) fn add(&mut self, action: AuditAction, record: &AuditRecord) {
        let Some(AuditSubject::Withdrawal { id, .. }) = record.subject() else {
            return self.unclear.push(record.id);
        };
        let text = record.new_value.clone().unwrap_or_default();
        let at = record.created_at_micros;
        self.steps
            .insert((id.get(), action.as_str(), record.actor_id, at, text));
    }

    /// Reports the differences between the log and the rows.
    pub(crate) fn compare(mut self, payouts: &[Payout]) -> Finding {
        let mut finding = Finding::new(
            "what administrators recorded of the payment of a withdrawal is in the audit log",
        );
        for id in &self.unclear {
            finding.add(format!("audit record {id} names no withdrawal"));
        }
        for payout in payouts {
            for step in steps_of(payout) {
                if !self.steps.remove(&step) {
                    let (id, action, ..) = step;
                    finding.add(format!("withdrawal {id}: the log has no such {action}"));
                }
            }
        }
        for (id, action, ..) in &self.steps {
            finding.add(format!("withdrawal {id}: there was no such {action}"));
        }
        finding
    }
}

fn steps_of(payout: &Payout) -> Vec<Step> {
    let id = payout.withdrawal.get();
    let step = |action: AuditAction, by: Option<UserId>, at: Option<Timestamp>, text: String| {
        let (by, at) = (by?, at?);
        Some((id, action.as_str(), Some(by.get()), at.as_micros(), text))
    };
    let stopped = payout.stop.as_ref().and_then(|wish| {
        let text = format!("stopped: {}", wish.reason);
        step(
            AuditAction::PayoutStopped,
            Some(wish.by),
            Some(wish.at),
            text,
        )
    });
    let problem = payout.problem.as_deref().unwrap_or_default();
    [
        step(
            AuditAction::PayoutSent,
            payout.sent_by,
            payout.sent_at,
            payout.sent_text(),
        ),
        step(
            AuditAction::PayoutConfirmed,
            payout.confirmed_by,
            payout.confirmed_at,
            "confirmed".to_owned(),
        ),
        step(
            AuditAction::PayoutFailed,
            payout.failed_by,
            payout.failed_at,
            format!("failed: {problem}"),
        ),
        step(
            AuditAction::PayoutReturned,
            payout.returned_by,
            payout.returned_at,
            "returned".to_owned(),
        ),
        stopped,
    ]
    .into_iter()
    .flatten()
    .collect()
}
