//! Lists over the whole house for administrators, each a page at a time.

use glasshouse_domain::{AuditId, DepositId, ReviewId, Timestamp, UserId, WithdrawalId};
use glasshouse_payments::Payment;
use glasshouse_persistence::admin::{
    ActivePayment, ActivePaymentQuery, AuditEntry, AuditQuery, DepositEntry, DepositQuery,
    ReviewEntry, ReviewQuery, UserEntry, UserOrder, UserQuery, WithdrawalEntry, WithdrawalQuery,
};
use glasshouse_persistence::{AnyConnection, DatabaseError, queries};

use crate::error::{CasinoError, Refusal};
use crate::house::House;

/// A page of a list, and where it goes on if there may be more.
#[derive(Debug, Clone)]
pub struct Page<T, C> {
    /// The entries, in the order of the list.
    pub entries: Vec<T>,
    /// The place behind the last of them.
    pub next: Option<C>,
}

impl<T, C> Page<T, C> {
    fn new(entries: Vec<T>, limit: usize, place: impl Fn(&T) -> C) -> Self {
        let next = entries.last().map(place);
        Self {
            next: next.filter(|_| entries.len() == limit),
            entries,
        }
    }
}

async fn read_page<T: Send + 'static, C>(
    house: &House,
    limit: usize,
    read: impl Fn(&mut AnyConnection) -> Result<Vec<T>, DatabaseError> + Send + 'static,
    place: impl Fn(&T) -> C,
) -> Result<Page<T, C>, CasinoError> {
    let entries = house.database.read::<_, CasinoError, _>(read).await?;
    Ok(Page::new(entries, limit, place))
}

/// One entry of a list, by its number.
pub(crate) async fn read_entry<T: Send + 'static>(
    house: &House,
    read: impl Fn(&mut AnyConnection) -> Result<Option<T>, DatabaseError> + Send + 'static,
) -> Result<T, CasinoError> {
    let found = house.database.read::<_, CasinoError, _>(read).await?;
    found.ok_or_else(|| Refusal::NotFound.into())
}

/// A page of users.
///
/// # Errors
/// If the database fails.
pub async fn list_users(
    house: &House,
    query: UserQuery,
) -> Result<Page<UserEntry, (String, UserId)>, CasinoError> {
    let (order, limit) = (query.order, query.limit);
    let read = move |connection: &mut _| queries::users_page(connection, &query);
    read_page(house, limit, read, |entry| {
        let mark = match order {
            UserOrder::Newest => String::new(),
            UserOrder::Balance => entry.wallet.balance().cents().to_string(),
            UserOrder::Username => entry.user.username.to_ascii_lowercase(),
        };
        (mark, entry.user.id)
    })
    .await
}

/// One user with the user's money.
///
/// # Errors
/// [`Refusal::NotFound`], or if the database fails.
pub async fn read_user(house: &House, id: UserId) -> Result<UserEntry, CasinoError> {
    read_entry(house, move |connection| queries::user_entry(connection, id)).await
}

/// A page of withdrawals, newest first.
///
/// # Errors
/// If the database fails.
pub async fn list_withdrawals(
    house: &House,
    query: WithdrawalQuery,
) -> Result<Page<WithdrawalEntry, WithdrawalId>, CasinoError> {
    let limit = query.limit;
    let read = move |connection: &mut _| queries::withdrawals_page(connection, &query);
    read_page(house, limit, read, |entry| entry.withdrawal.id).await
}

/// A page of deposits, newest first.
///
/// # Errors
/// If the database fails.
pub async fn list_deposits(
    house: &House,
    query: DepositQuery,
) -> Result<Page<DepositEntry, DepositId>, CasinoError> {
    let limit = query.limit;
    let read = move |connection: &mut _| queries::deposits_page(connection, &query);
    read_page(house, limit, read, |entry| entry.id).await
}

/// A page of the audit log, newest first.
///
/// # Errors
/// If the database fails.
pub async fn list_audit_log(
    house: &House,
    query: AuditQuery,
) -> Result<Page<AuditEntry, AuditId>, CasinoError> {
    let limit = query.limit;
    let read = move |connection: &mut _| queries::audit_page(connection, &query);
    read_page(house, limit, read, |entry| entry.id).await
}

/// A page of what about payments a person must look at, newest first.
///
/// # Errors
/// If the database fails.
pub async fn list_reviews(
    house: &House,
    query: ReviewQuery,
) -> Result<Page<ReviewEntry, ReviewId>, CasinoError> {
    let limit = query.limit;
    let read = move |connection: &mut _| queries::reviews_page(connection, &query);
    read_page(house, limit, read, |entry| entry.id).await
}

/// An orphan's order is not one of ours, but it may tell an administrator whose it is.
fn tell_order(payment: &mut ActivePayment) {
    if payment.order_id.is_none()
        && let Some(details) = &payment.details
        && let Ok(told) = Payment::parse(details.as_bytes())
    {
        payment.order_id = told.order_id;
    }
}

/// A page of the payments that are not at their end or that somebody must look at, and of the
/// invoices that nobody has paid.
///
/// # Errors
/// If the database fails.
pub async fn list_active_payments(
    house: &House,
    query: ActivePaymentQuery,
) -> Result<Page<ActivePayment, (Timestamp, String)>, CasinoError> {
    let limit = query.limit;
    let read = move |connection: &mut _| queries::active_payments_page(connection, &query);
    let place = |entry: &ActivePayment| (entry.updated_at, entry.id.clone());
    let mut page = read_page(house, limit, read, place).await?;
    page.entries.iter_mut().for_each(tell_order);
    Ok(page)
}
