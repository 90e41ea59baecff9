//! Asks for the password again within a session, before what cannot be undone.

use actix_session::SessionExt as _;
use actix_web::HttpRequest;
use glasshouse_casino::User;
use glasshouse_casino::accounts::{SignIn, check_session_password};
use glasshouse_domain::TypedPassword;

use crate::error::ApiError;
use crate::http::client_ip::ClientAddress;
use crate::http::login_attempts::Attempt;
use crate::http::request_origin::origin_of;
use crate::session::current_session;
use crate::state::Application;

/// Checks the password of the session's user, which confirms the session unless the user has a second
/// factor. Wrong passwords count as failed sign-ins, and ten in a row end the session.
///
/// # Errors
/// If the password is wrong, if the client must retry later, or on a fault.
pub(crate) async fn require_password(
    application: &Application,
    request: &HttpRequest,
    address: ClientAddress,
    user: &User,
    password: String,
) -> Result<(), ApiError> {
    let key = current_session(&request.get_session())?;
    let name = &user.username;
    let attempt = Attempt::in_session(application, key.as_str(), address, name).await?;
    let own = SignIn {
        username: name.clone(),
        password: TypedPassword::new(password),
        origin: origin_of(application, request, name),
    };
    let outcome = check_session_password(&application.house, key.clone(), own).await;
    attempt.record_outcome(outcome).await
}
