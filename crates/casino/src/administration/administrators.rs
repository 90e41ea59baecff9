//! Creates administrators, from the command line or at the first start.

use glasshouse_domain::{AuditAction, NewPassword, Role, Timestamp, UserId, Username};
use glasshouse_persistence::accounts::Credentials;
use glasshouse_persistence::audit::NewAuditRecord;
use glasshouse_persistence::{Scope, Transaction, queries};

use crate::accounts::register::{Registration, add_user};
use crate::error::{CasinoError, Refusal};
use crate::house::House;
use crate::randomness;

/// The administrator created at the first start, with the password that is shown once.
pub struct FirstAdministrator {
    /// Always `admin`.
    pub username: String,
    /// A random password.
    pub password: String,
}

/// Creates the user `admin` with a random password. Returns `None` if there is an administrator
/// already or the username is taken.
///
/// # Errors
/// On a fault.
pub async fn first_administrator(house: &House) -> Result<Option<FirstAdministrator>, CasinoError> {
    let administrators: i64 = house
        .database
        .read::<_, CasinoError, _>(queries::administrators)
        .await?;
    if administrators > 0 {
        return Ok(None);
    }
    let username = "admin".to_owned();
    let password = randomness::random_password()?;
    match create_administrator(house, &username, password.clone()).await {
        Ok(_) => Ok(Some(FirstAdministrator { username, password })),
        // Another instance was faster, or a player has the name; then the operator must decide.
        Err(CasinoError::Refused(Refusal::UsernameTaken)) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Creates a new user who is an administrator.
///
/// # Errors
/// If the username or password is refused, the username is taken, or on a fault.
pub async fn create_administrator(
    house: &House,
    username: &str,
    password: String,
) -> Result<UserId, CasinoError> {
    let request = Registration {
        username: Username::parse(username).map_err(Refusal::from)?,
        password: NewPassword::parse(password).map_err(Refusal::from)?,
    };
    let at = house.now();
    let role = Role::Administrator;
    let view = add_user(house, request, role, move |transaction, id| {
        record(
            transaction,
            AuditAction::AdministratorCreated,
            id,
            (None, role),
            at,
        )
    })
    .await?;
    Ok(view.user.id)
}

/// Makes an existing user an administrator or a player; takes effect with the user's next request.
/// A new administrator must sign in again, because an older session may have been stolen.
///
/// # Errors
/// [`Refusal::NotFound`] if the user does not exist, or a fault.
pub async fn set_role(house: &House, username: &str, role: Role) -> Result<UserId, CasinoError> {
    let key = Username::parse(username).map_err(Refusal::from)?.key();
    let found: Option<Credentials> = house
        .database
        .read::<_, CasinoError, _>(move |connection| queries::credentials(connection, &key))
        .await?;
    let id = found.ok_or(Refusal::NotFound)?.user.id;
    let at = house.now();
    let action = match role {
        Role::Administrator => AuditAction::AdministratorGranted,
        Role::Player => AuditAction::AdministratorRevoked,
    };
    house
        .database
        .write(Scope::nobody(), move |transaction| {
            let user = transaction.lock_user(id)?.ok_or(Refusal::NotFound)?;
            transaction.set_role(id, role)?;
            if role == Role::Administrator && user.role != role {
                transaction.end_sessions_of(id)?;
            }
            record(transaction, action, id, (Some(user.role), role), at)
        })
        .await?;
    Ok(id)
}

fn record(
    transaction: &mut Transaction<'_, '_>,
    action: AuditAction,
    target: UserId,
    (old, new): (Option<Role>, Role),
    at: Timestamp,
) -> Result<(), CasinoError> {
    Ok(transaction.add_audit_record(&NewAuditRecord {
        actor: None,
        action,
        target: Some(target),
        subject: None,
        old_value: old.map(|role| role.as_str().to_owned()),
        new_value: Some(new.as_str().to_owned()),
        address: None,
        idempotency_key: None,
        at,
    })?)
}
