//! Sets the switches of the house at run time.

use glasshouse_domain::{
    AuditAction, AuditSubject, HouseSwitch, Permission, SwitchState, Timestamp, UserId,
    switch_state_name,
};
use glasshouse_persistence::audit::NewAuditRecord;
use glasshouse_persistence::operating::SwitchEntry;
use glasshouse_persistence::{DatabaseError, Scope, Transaction, queries};

use crate::administration::actor::{AdminContext, AuditEvent, note};
use crate::administration::operator::operator_record;
use crate::error::{CasinoError, OperatingRefusal, Refusal};
use crate::house::House;

/// How a switch is to be set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SwitchChange {
    /// The switch.
    pub switch: HouseSwitch,
    /// Whether it is to be on.
    pub is_on: bool,
    /// The reason. Players are shown it while the switch stops something.
    pub reason: String,
}

impl SwitchChange {
    /// The permission to set the switch so: more roles may stop something than may allow it again.
    const fn permission(&self) -> Permission {
        if self.is_on == self.switch.is_normally_on() {
            Permission::ResumeHouse
        } else {
            Permission::StopHouse
        }
    }

    fn validated(self) -> Result<Self, Refusal> {
        let reason = note(&self.reason)?.ok_or(Refusal::StatusReasonRequired)?;
        Ok(Self { reason, ..self })
    }

    fn event(&self, was_on: bool) -> AuditEvent {
        AuditEvent {
            action: AuditAction::HouseSwitch,
            target: None,
            subject: Some(AuditSubject::Switch {
                switch: self.switch,
                reason: self.reason.clone(),
            }),
            old_value: Some(switch_state_name(was_on).to_owned()),
            new_value: Some(switch_state_name(self.is_on).to_owned()),
        }
    }
}

/// Sets a switch on all servers. If it is set so already, for the same reason, nothing changes and nothing
/// is recorded; with another reason, players are shown that.
///
/// # Errors
/// [`Refusal::StatusReasonRequired`], [`Refusal::NoteTooLong`], [`OperatingRefusal::NotPermitted`],
/// [`Refusal::IdempotencyConflict`], or a fault.
pub async fn set_switch(
    house: &House,
    context: AdminContext,
    change: SwitchChange,
) -> Result<(), CasinoError> {
    set(house, Some(context), change).await
}

/// Sets a switch on behalf of the operator.
///
/// # Errors
/// [`Refusal::StatusReasonRequired`], [`Refusal::NoteTooLong`], or a fault.
pub async fn set_switch_as_operator(
    house: &House,
    change: SwitchChange,
) -> Result<(), CasinoError> {
    set(house, None, change).await
}

async fn set(
    house: &House,
    context: Option<AdminContext>,
    change: SwitchChange,
) -> Result<(), CasinoError> {
    let change = change.validated()?;
    let at = house.now();
    house
        .database
        .write(Scope::nobody(), move |transaction| {
            set_in_transaction(transaction, context.as_ref(), &change, at)
        })
        .await?;
    house.settings.invalidate();
    Ok(())
}

fn set_in_transaction(
    transaction: &mut Transaction<'_, '_>,
    context: Option<&AdminContext>,
    change: &SwitchChange,
    at: Timestamp,
) -> Result<(), CasinoError> {
    // One change at a time, so that the record contains the correct old state.
    transaction.lock_audit_log()?;
    let switches = transaction.house_switches()?;
    let event = change.event(switches.is_on(change.switch));
    if let Some(context) = context {
        if context.find_replay(transaction, &event)?.is_some() {
            return Ok(());
        }
        require_permission(transaction, context.administrator, change.permission())?;
    }
    let state = SwitchState {
        is_on: change.is_on,
        reason: Some(change.reason.clone()),
    };
    if switches.state(change.switch) == Some(&state) {
        return Ok(());
    }
    let by = context.map(|context| context.administrator);
    transaction.set_switch(change.switch, &state, by, at)?;
    record(transaction, context, event, at)
}

/// Adds the audit record of what an administrator or the operator did.
fn record(
    transaction: &mut Transaction<'_, '_>,
    context: Option<&AdminContext>,
    event: AuditEvent,
    at: Timestamp,
) -> Result<(), CasinoError> {
    match context {
        Some(context) => context.record(transaction, event, at),
        None => Ok(transaction.add_audit_record(&NewAuditRecord {
            subject: event.subject,
            old_value: event.old_value,
            new_value: event.new_value,
            ..operator_record(event.action, event.target, at)
        })?),
    }
}

/// Refuses what the administrator's role does not permit, where that depends on the request. Whoever changes
/// a role waits for the lock of the audit log, which the transaction holds.
pub(crate) fn require_permission(
    transaction: &mut Transaction<'_, '_>,
    administrator: UserId,
    permission: Permission,
) -> Result<(), CasinoError> {
    let administrators = transaction.administrators()?;
    let found = administrators.iter().find(|(id, _)| *id == administrator);
    if found.is_some_and(|(_, role)| role.may(permission)) {
        Ok(())
    } else {
        Err(OperatingRefusal::NotPermitted.into())
    }
}

/// The switches with their last changes.
///
/// # Errors
/// On a fault.
pub async fn switches(house: &House) -> Result<Vec<SwitchEntry>, CasinoError> {
    let entries = house
        .database
        .read::<_, DatabaseError, _>(queries::switch_entries)
        .await?;
    Ok(entries)
}
