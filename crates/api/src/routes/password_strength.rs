//! How good a password is, for the form where it is chosen.

use actix_web::{post, web};
use glasshouse_casino::accounts::{PasswordAssessment, PasswordIdea, password_strength};
use glasshouse_casino::{AccountRefusal, CasinoError, Refusal};
use glasshouse_domain::{Role, TypedPassword};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::error::{ApiError, ErrorCode};
use crate::http::client_ip::ClientAddress;
use crate::http::json_body::Json;
use crate::http::network::network_of;
use crate::http::rate_limit::Limit;
use crate::http::responses::{Malformed, RateLimited};
use crate::session::SignedInToChoose;
use crate::state::Application;

/// A password that a user thinks of choosing.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PasswordQuestion {
    /// The password as typed so far; any text.
    #[schema(format = "password")]
    password: String,
    /// The username as typed so far; any text. Ignored if the user is signed in.
    #[serde(default)]
    #[schema(nullable = false)]
    username: Option<String>,
}

/// How good a password is.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PasswordStrength {
    /// Whether the house would accept the password.
    is_accepted: bool,
    /// Why the house would refuse it; null if it would accept it.
    refusal: Option<PasswordRefusal>,
    /// How hard it is to guess: from 0 (guessed at once) to 4 (hardly ever). At most 1 if it would
    /// be refused.
    #[schema(maximum = 4)]
    score: u8,
    /// The power of ten of the estimated number of guesses, rounded down.
    #[schema(maximum = 19)]
    guesses_power_of_ten: u32,
    /// What makes it easy to guess; null if nothing in particular does.
    warning: Option<String>,
    /// How to choose a better one.
    suggestions: Vec<String>,
}

/// Why the house would refuse a password.
#[derive(Serialize, ToSchema)]
pub(crate) struct PasswordRefusal {
    /// The message to show to the user.
    message: String,
    code: ErrorCode,
}

impl From<AccountRefusal> for PasswordRefusal {
    fn from(refusal: AccountRefusal) -> Self {
        let refusal = Refusal::from(refusal);
        Self {
            message: refusal.to_string(),
            code: ErrorCode::Refused(refusal.code()),
        }
    }
}

impl From<PasswordAssessment> for PasswordStrength {
    fn from(assessment: PasswordAssessment) -> Self {
        Self {
            is_accepted: assessment.refusal.is_none(),
            refusal: assessment.refusal.map(PasswordRefusal::from),
            score: assessment.score,
            guesses_power_of_ten: assessment.guesses_power_of_ten,
            warning: assessment.warning,
            suggestions: assessment.suggestions,
        }
    }
}

/// Says how good a password would be, by the same rules as when it is chosen.
///
/// A signed-in user's own name and role count; for a visitor, the username typed so far and the
/// rules for players. Nothing is stored or logged.
#[utoipa::path(
    tag = "users",
    responses((status = 200, body = PasswordStrength), Malformed, RateLimited)
)]
#[post("/api/password-strength")]
pub(crate) async fn assess_password(
    application: web::Data<Application>,
    address: ClientAddress,
    user: Result<SignedInToChoose, ApiError>,
    Json(question): Json<PasswordQuestion>,
) -> Result<web::Json<PasswordStrength>, ApiError> {
    let password = TypedPassword::new(question.password);
    let network = network_of(address.0);
    application.limits.check(Limit::PasswordStrength(network))?;
    let (username, role) = match user {
        Ok(SignedInToChoose(user)) => (user.username, user.role),
        // Somebody else may register in the browser of a banned user.
        Err(
            ApiError::NotSignedIn | ApiError::Casino(CasinoError::Refused(Refusal::Banned { .. })),
        ) => (question.username.unwrap_or_default(), Role::Player),
        // It may be an administrator's session that could not be read, and theirs are other rules.
        Err(error) => return Err(error),
    };
    let idea = PasswordIdea {
        password,
        username,
        role,
    };
    let assessment = password_strength(&application.house, idea).await?;
    Ok(web::Json(assessment.into()))
}
