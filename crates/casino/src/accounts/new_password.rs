//! Checks and hashes a password that a user has chosen.

use std::sync::Arc;

use glasshouse_domain::{NewPassword, Role};

use crate::accounts::password_rules::check_password;
use crate::error::CasinoError;
use crate::house::House;

/// Hashes a new password for a user with this name and role, if the rules allow it.
///
/// # Errors
/// An [`AccountRefusal`](crate::error::AccountRefusal) of the password, or a fault.
pub(crate) async fn hash_new_password(
    house: &House,
    password: NewPassword,
    username: &str,
    role: Role,
) -> Result<String, CasinoError> {
    let username = username.to_owned();
    let house_names = Arc::clone(&house.names);
    let check =
        move |password: &NewPassword| check_password(password, &username, &house_names, role);
    house.passwords.hash(password, check).await
}
