//! Extractors for the signed-in user.

use std::future::{Ready, ready};
use std::pin::Pin;

use actix_session::{Session, SessionExt};
use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest, web};
use glasshouse_casino::User;
use glasshouse_casino::accounts::{SessionKeyHash, record_activity};
use glasshouse_domain::{Timestamp, UserId};

use crate::error::ApiError;
use crate::session::session_user;
use crate::state::Application;

/// A signed-in user, even if they must choose a password before they can do anything else; otherwise
/// the response is 401. Extracting it counts as user activity.
pub(crate) struct SignedInToChoose(pub(crate) User);

impl FromRequest for SignedInToChoose {
    type Error = ApiError;
    type Future = Pin<Box<dyn Future<Output = Result<Self, ApiError>>>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let user = session_user(&request.get_session());
        let application = request.app_data::<web::Data<Application>>().cloned();
        Box::pin(async move {
            let mut user = user?.ok_or(ApiError::NotSignedIn)?;
            let key = user.key.take().filter(|_| user.is_touch_due);
            if let (Some(key), Some(application)) = (key, application) {
                let hash = SessionKeyHash::of(&key);
                let id = UserId::new(user.id);
                if !record_activity(&application.house, id, hash).await? {
                    return Err(ApiError::NotSignedIn);
                }
            }
            Ok(Self(user.into()))
        })
    }
}

/// A signed-in user with a password of their own choice, even if a second factor is still to be set up;
/// otherwise the response is 401 or 403. Extracting it counts as user activity.
pub(crate) struct SignedInToEnrol(pub(crate) User);

impl FromRequest for SignedInToEnrol {
    type Error = ApiError;
    type Future = Pin<Box<dyn Future<Output = Result<Self, ApiError>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let user = signed_in_if(request, payload, has_chosen_password);
        Box::pin(async move { user.await.map(Self) })
    }
}

/// A signed-in user with a password of their own choice and, if they must have one, a second factor;
/// otherwise the response is 401 or 403. Extracting it counts as user activity.
pub(crate) struct SignedIn(pub(crate) User);

impl FromRequest for SignedIn {
    type Error = ApiError;
    type Future = Pin<Box<dyn Future<Output = Result<Self, ApiError>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let user = signed_in_if(request, payload, may_act);
        Box::pin(async move { user.await.map(Self) })
    }
}

/// The signed-in user, if `check` lets them pass.
fn signed_in_if(
    request: &HttpRequest,
    payload: &mut Payload,
    check: fn(User) -> Result<User, ApiError>,
) -> Pin<Box<dyn Future<Output = Result<User, ApiError>>>> {
    // Check before awaiting anything: the body extractor runs concurrently, and a malformed body
    // would otherwise be reported first. A refused request is no activity, either.
    if let Ok(Some(user)) = session_user(&request.get_session())
        && let Err(refusal) = check(user.into())
    {
        return Box::pin(ready(Err(refusal)));
    }
    let signed_in = SignedInToChoose::from_request(request, payload);
    Box::pin(async move {
        let SignedInToChoose(user) = signed_in.await?;
        Ok(user)
    })
}

/// Refuses a user with a one-time password.
fn has_chosen_password(user: User) -> Result<User, ApiError> {
    if user.one_time_password_until.is_some() {
        return Err(ApiError::PasswordChangeRequired);
    }
    Ok(user)
}

/// Refuses a user with a one-time password, and an administrator without a second factor.
fn may_act(user: User) -> Result<User, ApiError> {
    let user = has_chosen_password(user)?;
    if user.must_enrol() {
        return Err(ApiError::SecondFactorEnrolmentRequired);
    }
    Ok(user)
}

/// A signed-in user, without counting the request as user activity: for requests that a browser
/// sends by itself, such as event streams.
pub(crate) struct SignedInPassively(pub(crate) User);

impl FromRequest for SignedInPassively {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let user = session_user(&request.get_session());
        let user = user.and_then(|user| user.ok_or(ApiError::NotSignedIn));
        ready(user.and_then(|user| may_act(user.into()).map(Self)))
    }
}

/// The hash of the session's key, and when the session ends unless its user becomes active; `None`
/// if nobody is signed in.
pub(crate) fn key_and_end(session: &Session) -> Option<(SessionKeyHash, Timestamp)> {
    let user = session_user(session).ok()??;
    let ends_at = Timestamp::from_micros(user.ends_at_micros);
    Some((SessionKeyHash::of(&user.key?), ends_at))
}
