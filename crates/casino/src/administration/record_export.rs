//! An administrator takes a whole list away as a file: that is on record.

use glasshouse_domain::AuditAction;
use glasshouse_persistence::Scope;

use crate::administration::actor::{AdminContext, AuditEvent};
use crate::error::CasinoError;
use crate::house::House;

/// How much of the filters is kept.
const MAXIMUM_FILTERS: usize = 500;

/// Records that a list was exported, with the filters as they were sent. Each export is one, so there
/// is no key.
///
/// # Errors
/// On a fault; then nothing must be handed out.
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
    let filters: String = filters.chars().take(MAXIMUM_FILTERS).collect();
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
