//! Tells a user how good a password is while they choose it.

use std::sync::Arc;

use glasshouse_domain::{Role, TypedPassword};

use crate::accounts::password_rules::{PasswordAssessment, assess_password};
use crate::error::CasinoError;
use crate::house::House;

/// The maximum length of a username, in characters; more of what a visitor has typed is ignored.
const MAXIMUM_USERNAME_CHARACTERS: usize = 32;

/// A password that somebody thinks of choosing.
#[derive(Debug)]
pub struct PasswordIdea {
    /// The password as typed so far.
    pub password: TypedPassword,
    /// The username that it is for; any text, because a visitor may still be typing it.
    pub username: String,
    /// The user's role.
    pub role: Role,
}

/// Assesses a password by the rules by which it would be accepted or refused. Stores nothing.
///
/// # Errors
/// If too many other passwords are waiting.
pub async fn password_strength(
    house: &House,
    idea: PasswordIdea,
) -> Result<PasswordAssessment, CasinoError> {
    let house_names = Arc::clone(&house.names);
    let assess = move || {
        let username: String = idea
            .username
            .chars()
            .take(MAXIMUM_USERNAME_CHARACTERS)
            .collect();
        let PasswordIdea { password, role, .. } = idea;
        Ok(assess_password(&password, &username, &house_names, role))
    };
    house.password_assessments.run(assess).await
}
