//! Extractors for what needs a confirmation: the second factor or, for users without one, the password
//! within the last five minutes.

use std::marker::PhantomData;
use std::pin::Pin;

use actix_session::{Session, SessionExt};
use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest, web};
use glasshouse_casino::User;
use glasshouse_casino::accounts::SessionKeyHash;
use glasshouse_domain::Timestamp;

use crate::error::ApiError;
use crate::session::permitted::{Needed, Permitted};
use crate::session::session_user;
use crate::session::signed_in::{SignedIn, SignedInToEnrol};
use crate::state::Application;

/// The confirmation of a session.
pub(crate) struct Confirmation {
    /// The hash of the session's key.
    pub(crate) key: SessionKeyHash,
    /// Until when the confirmation is valid.
    pub(crate) until: Timestamp,
}

/// The session's confirmation; `None` if nobody is signed in.
pub(crate) fn confirmation_of(session: &Session) -> Option<Confirmation> {
    let user = session_user(session).ok()??;
    Some(Confirmation {
        key: SessionKeyHash::of(&user.key?),
        until: Timestamp::from_micros(user.confirmed_until_micros),
    })
}

/// The hash of the session's key.
///
/// # Errors
/// If nobody is signed in.
pub(crate) fn current_session(session: &Session) -> Result<SessionKeyHash, ApiError> {
    Ok(confirmation_of(session).ok_or(ApiError::NotSignedIn)?.key)
}

/// Refuses a session that was not confirmed recently, so that an unattended browser can do nothing that
/// requires it.
pub(crate) fn require_confirmation(
    application: &Application,
    session: &Session,
) -> Result<(), ApiError> {
    let now = application.house.now();
    match confirmation_of(session) {
        Some(confirmation) if now < confirmation.until => Ok(()),
        _ => Err(ApiError::StepUpRequired),
    }
}

fn is_confirmed(request: &HttpRequest) -> Result<(), ApiError> {
    match request.app_data::<web::Data<Application>>() {
        Some(application) => require_confirmation(application, &request.get_session()),
        None => Err(ApiError::StepUpRequired),
    }
}

/// An administrator whose role permits what the call does, and whose session was confirmed recently: for
/// decisions about money.
pub(crate) struct Confirmed<N>(pub(crate) User, pub(crate) PhantomData<N>);

impl<N: Needed> FromRequest for Confirmed<N> {
    type Error = ApiError;
    type Future = Pin<Box<dyn Future<Output = Result<Self, ApiError>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let confirmed = is_confirmed(request);
        let permitted = Permitted::<N>::from_request(request, payload);
        Box::pin(async move {
            let Permitted { user, .. } = permitted.await?;
            confirmed.map(|()| Self(user, PhantomData))
        })
    }
}

/// A signed-in user whose session was confirmed recently, even if a second factor is still to be set up:
/// for changes of the second factor.
pub(crate) struct ConfirmedToEnrol(pub(crate) User);

impl FromRequest for ConfirmedToEnrol {
    type Error = ApiError;
    type Future = Pin<Box<dyn Future<Output = Result<Self, ApiError>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let confirmed = is_confirmed(request);
        let signed_in = SignedInToEnrol::from_request(request, payload);
        Box::pin(async move {
            let SignedInToEnrol(user) = signed_in.await?;
            confirmed.map(|()| Self(user))
        })
    }
}

/// A signed-in user who has confirmed the session recently, if they have a second factor: for what
/// moves money out of the account.
pub(crate) struct ConfirmedIfProtected(pub(crate) User);

impl FromRequest for ConfirmedIfProtected {
    type Error = ApiError;
    type Future = Pin<Box<dyn Future<Output = Result<Self, ApiError>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let confirmed = is_confirmed(request);
        let signed_in = SignedIn::from_request(request, payload);
        Box::pin(async move {
            let SignedIn(user) = signed_in.await?;
            if user.has_second_factor {
                confirmed?;
            }
            Ok(Self(user))
        })
    }
}
