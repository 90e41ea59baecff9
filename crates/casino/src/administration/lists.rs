//! Lists over the whole house for administrators, each a page at a time.

use glasshouse_domain::UserId;
use glasshouse_payments::Payment;
use glasshouse_persistence::admin::{ActivePayment, AdminList, Page, UserEntry};
use glasshouse_persistence::{AnyConnection, DatabaseError, queries};

use crate::error::{CasinoError, Refusal};
use crate::house::House;

/// A page of a list.
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

/// One entry of a list, by its number.
pub(crate) async fn read_entry<T: Send + 'static>(
    house: &House,
    read: impl Fn(&mut AnyConnection) -> Result<Option<T>, DatabaseError> + Send + 'static,
) -> Result<T, CasinoError> {
    let found = house.database.read::<_, CasinoError, _>(read).await?;
    found.ok_or_else(|| Refusal::NotFound.into())
}

/// One user with the user's money.
///
/// # Errors
/// [`Refusal::NotFound`], or if the database fails.
pub async fn read_user(house: &House, id: UserId) -> Result<UserEntry, CasinoError> {
    read_entry(house, move |connection| queries::user_entry(connection, id)).await
}

/// The id of the order that a payment is for. An orphan's order is not one of ours, but it may tell
/// an administrator whose it is.
#[must_use]
pub fn order_id_of(payment: &ActivePayment) -> Option<String> {
    payment.order_id.clone().or_else(|| {
        let told = Payment::parse(payment.details.as_ref()?.as_bytes()).ok()?;
        told.order_id
    })
}
