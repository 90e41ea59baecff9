//! Acknowledges an alert: others see who takes care of it.

use glasshouse_domain::{AlertId, AuditAction, AuditSubject};
use glasshouse_persistence::admin::AlertEntry;
use glasshouse_persistence::{Scope, queries};

use crate::administration::actor::{AdminContext, AuditEvent};
use crate::administration::lists::read_entry;
use crate::error::{CasinoError, Refusal};
use crate::house::House;

/// Acknowledges an alert. It changes nothing of what the alert is about, nor of what its receivers are told.
///
/// # Errors
/// [`Refusal::AlreadyAcknowledged`], [`Refusal::IdempotencyConflict`], [`Refusal::NotFound`], or a fault.
pub async fn acknowledge_alert(
    house: &House,
    context: AdminContext,
    id: AlertId,
) -> Result<AlertEntry, CasinoError> {
    let alert = find_alert(house, id).await?.alert;
    let at = house.now();
    house
        .database
        .write(Scope::nobody(), move |transaction| {
            // The record locks it as well: always before the alert, so that no two wait for each other.
            transaction.lock_audit_log()?;
            let event = AuditEvent {
                action: AuditAction::AlertAcknowledged,
                target: alert.user.as_ref().map(|(user, _)| *user),
                subject: Some(AuditSubject::Alert {
                    id,
                    kind: alert.kind.as_str().to_owned(),
                }),
                old_value: None,
                new_value: None,
            };
            if context.find_replay(transaction, &event)?.is_some() {
                return Ok(());
            }
            if !transaction.acknowledge_alert(id, context.administrator, at)? {
                return Err(Refusal::AlreadyAcknowledged.into());
            }
            context.record(transaction, event, at)
        })
        .await?;
    find_alert(house, id).await
}

async fn find_alert(house: &House, id: AlertId) -> Result<AlertEntry, CasinoError> {
    read_entry(house, move |connection| {
        queries::alert_entry(connection, id)
    })
    .await
}
