//! Who sends a request, as handlers ask for it.

use std::future::{Ready, ready};
use std::pin::Pin;

use actix_session::{Session, SessionExt};
use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest, web};
use glasshouse_casino::User;
use glasshouse_casino::accounts::{SessionKeyHash, touch_session};
use glasshouse_domain::{Role, Timestamp};

use crate::error::ApiError;
use crate::session::session_user;
use crate::state::Application;

/// A signed-in user: without one a handler that asks for it answers 401. Asking counts as activity
/// of the user's own.
pub(crate) struct SignedIn(pub(crate) User);

impl FromRequest for SignedIn {
    type Error = ApiError;
    type Future = Pin<Box<dyn Future<Output = Result<Self, ApiError>>>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let found = session_user(&request.get_session());
        let application = request.app_data::<web::Data<Application>>().cloned();
        Box::pin(async move {
            let mut user = found?.ok_or(ApiError::NotSignedIn)?;
            let key = user.key.take().filter(|_| user.is_touch_due);
            if let (Some(key), Some(application)) = (key, application) {
                let hash = SessionKeyHash::of(&key);
                if !touch_session(&application.house, hash).await? {
                    return Err(ApiError::NotSignedIn);
                }
            }
            Ok(Self(user.into()))
        })
    }
}

/// A signed-in user whose asking is no activity of the user's own, such as a stream of events that
/// a browser renews by itself.
pub(crate) struct SignedInPassively(pub(crate) User);

impl FromRequest for SignedInPassively {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let found = session_user(&request.get_session());
        ready(found.and_then(|user| {
            user.map(|user| Self(user.into()))
                .ok_or(ApiError::NotSignedIn)
        }))
    }
}

/// A signed-in administrator: anyone else is answered 401 or 403.
pub(crate) struct Administrator(pub(crate) User);

impl FromRequest for Administrator {
    type Error = ApiError;
    type Future = Pin<Box<dyn Future<Output = Result<Self, ApiError>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        // Before anything is waited for: meanwhile the rest of the request is read, and its form
        // would be judged before its sender.
        let session = session_user(&request.get_session());
        if let Ok(Some(user)) = session
            && !user.is_administrator
        {
            return Box::pin(ready(Err(ApiError::Forbidden)));
        }
        let signed_in = SignedIn::from_request(request, payload);
        Box::pin(async move {
            let SignedIn(user) = signed_in.await?;
            if user.role == Role::Administrator {
                Ok(Self(user))
            } else {
                Err(ApiError::Forbidden)
            }
        })
    }
}

/// The key of a session, and when it ends unless its user does something; none where nobody is
/// signed in.
pub(crate) fn key_and_end(session: &Session) -> Option<(SessionKeyHash, Timestamp)> {
    let user = session_user(session).ok()??;
    let ends_at = Timestamp::from_micros(user.ends_at_micros);
    Some((SessionKeyHash::of(&user.key?), ends_at))
}

/// What a session knows of its user's password.
pub(crate) struct Confirmation {
    /// The hash of the session's key.
    pub(crate) key: SessionKeyHash,
    /// Until when the entered password holds.
    pub(crate) until: Timestamp,
}

/// When the session's user last entered the password; none where nobody is signed in.
pub(crate) fn confirmation_of(session: &Session) -> Option<Confirmation> {
    let user = session_user(session).ok()??;
    Some(Confirmation {
        key: SessionKeyHash::of(&user.key?),
        until: Timestamp::from_micros(user.confirmed_until_micros),
    })
}

/// An administrator who has entered the password within the last minutes: what decides over money
/// asks for one, so that a browser left alone decides nothing.
pub(crate) struct Confirmed(pub(crate) User);

impl FromRequest for Confirmed {
    type Error = ApiError;
    type Future = Pin<Box<dyn Future<Output = Result<Self, ApiError>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let confirmation = confirmation_of(&request.get_session());
        let now = request
            .app_data::<web::Data<Application>>()
            .map(|application| application.house.now());
        let administrator = Administrator::from_request(request, payload);
        Box::pin(async move {
            let Administrator(user) = administrator.await?;
            match (confirmation, now) {
                (Some(confirmation), Some(now)) if now < confirmation.until => Ok(Self(user)),
                _ => Err(ApiError::StepUpRequired),
            }
        })
    }
}
