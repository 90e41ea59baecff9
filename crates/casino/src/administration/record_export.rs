//! Records that an administrator exported a list.

use glasshouse_domain::AuditAction;
use glasshouse_persistence::Scope;

use crate::administration::actor::{AdminContext, AuditEvent};
use crate::error::CasinoError;
use crate::house::House;

/// The maximum length of the stored filters in characters.
const MAXIMUM_FILTER_CHARACTERS: usize = 500;

/// Records that a list was exported, with the filters of the request. Each export is recorded, so
/// there is no idempotency key.
///
/// # Errors
/// On a fault; then the list must not be handed out.
pub async fn record_export(
    house: &House,
    context: AdminContext,
    list: &str,
    filters: &str,
) -> Result<(), CasinoError> {
    let context = AdminContext {
        key: None,
        ..context
    };
    let filters: String = filters.chars().take(MAXIMUM_FILTER_CHARACTERS).collect();
    let subject = format!("list {list}");
    let at = house.now();
    house
        .database
        .write(Scope::nobody(), move |transaction| {
            let event = AuditEvent {
                action: AuditAction::ListExported,
                target: None,
                subject: Some(subject.clone()),
                old_value: None,
                new_value: Some(filters.clone()).filter(|filters| !filters.is_empty()),
            };
            context.record(transaction, event, at)
        })
        .await
}
