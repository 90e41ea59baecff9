//! Records that an administrator was shown personal data, once an hour for the same data.

use glasshouse_domain::{AuditAction, AuditSubject, UserId};
use glasshouse_persistence::Scope;

use crate::administration::actor::{AdminContext, AuditEvent};
use crate::administration::recorded_accesses::Access;
use crate::error::CasinoError;
use crate::house::House;

/// Records that an administrator is about to be shown entries of a list: those of one person, or of
/// several. Does nothing if this server has recorded the same within the last hour.
///
/// # Errors
/// On a fault; then the data must not be handed out.
pub async fn record_access(
    house: &House,
    context: AdminContext,
    list: &'static str,
    person: Option<UserId>,
) -> Result<(), CasinoError> {
    let access = Access {
        administrator: context.administrator,
        address: context.address.clone(),
        list,
        person,
    };
    let at = house.now();
    if house.accesses.contains(&access, at) {
        return Ok(());
    }
    let _writing = house.accesses.writing.lock().await;
    if house.accesses.contains(&access, at) {
        return Ok(());
    }
    let context = AdminContext {
        key: None,
        ..context
    };
    house
        .database
        .write::<_, CasinoError, _>(Scope::nobody(), move |transaction| {
            let event = AuditEvent {
                action: AuditAction::PersonalDataViewed,
                target: person,
                subject: Some(AuditSubject::List(list.to_owned())),
                old_value: None,
                new_value: None,
            };
            context.record(transaction, event, at)
        })
        .await?;
    house.accesses.add(access, at);
    Ok(())
}
