//! Records that a user has downloaded everything that is stored about them.

use glasshouse_domain::{SecurityEventKind, UserId};
use glasshouse_persistence::Scope;
use glasshouse_persistence::accounts::RequestOrigin;

use crate::accounts::security_events::{add_event, count_event};
use crate::error::CasinoError;
use crate::house::House;

/// Records a data export as a security event, before it begins. The caller has checked the password.
///
/// # Errors
/// On a fault.
pub async fn record_data_export(
    house: &House,
    user: UserId,
    origin: RequestOrigin,
) -> Result<(), CasinoError> {
    let kind = SecurityEventKind::DataExported;
    let at = house.now();
    house
        .database
        .write::<_, CasinoError, _>(Scope::nobody(), move |transaction| {
            add_event(transaction, user, kind, &origin, at)
        })
        .await?;
    count_event(kind);
    Ok(())
}
