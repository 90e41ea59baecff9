//! Lists of the whole house for administrators, read page by page.

use glasshouse_domain::UserId;
use glasshouse_payments::Payment;
use glasshouse_persistence::Page;
use glasshouse_persistence::admin::{ActivePayment, AdminList, PendingWork, UserEntry};
use glasshouse_persistence::{AnyConnection, DatabaseError, queries};

use crate::error::{CasinoError, Refusal};
use crate::house::House;

/// Reads a page of a list.
///
/// # Errors
/// If the database fails.
pub async fn list<L: AdminList>(
    house: &House,
    query: L,
) -> Result<Page<L::Entry, L::Place>, CasinoError> {
    house
        .database
        .read::<_, CasinoError, _>(move |connection| query.read(connection))
        .await
}

/// Reads what waits for an administrator.
///
/// # Errors
/// If the database fails.
pub async fn read_pending_work(house: &House) -> Result<PendingWork, CasinoError> {
    let at = house.now();
    house
        .database
        .read::<_, CasinoError, _>(move |connection| queries::pending_work(connection, at))
        .await
}

/// Reads one entry of a list by its ID.
pub(crate) async fn read_entry<T: Send + 'static>(
    house: &House,
    read: impl Fn(&mut AnyConnection) -> Result<Option<T>, DatabaseError> + Send + 'static,
) -> Result<T, CasinoError> {
    let found = house.database.read::<_, CasinoError, _>(read).await?;
    found.ok_or_else(|| Refusal::NotFound.into())
}

/// Reads one user with their balance.
///
/// # Errors
/// [`Refusal::NotFound`], or if the database fails.
pub async fn read_user(house: &House, id: UserId) -> Result<UserEntry, CasinoError> {
    read_entry(house, move |connection| queries::user_entry(connection, id)).await
}

/// The order ID of a payment. The order of an unmatched payment is not one of ours, but it may help
/// an administrator to find the payer.
#[must_use]
pub fn order_id_of(payment: &ActivePayment) -> Option<String> {
    payment.order_id.clone().or_else(|| {
        let reported = Payment::parse(payment.details.as_ref()?.as_bytes()).ok()?;
        reported.order_id
    })
}
