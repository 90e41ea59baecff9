//! Sessions, stored as database rows and referenced by a signed cookie.

use std::collections::HashMap;

use actix_session::config::{CookieContentSecurity, PersistentSession};
use actix_session::storage::{LoadError, SaveError, SessionKey, SessionStore, UpdateError};
use actix_session::{Session, SessionExt, SessionGetError, SessionMiddleware};
use actix_web::body::MessageBody;
use actix_web::cookie::time::Duration;
use actix_web::cookie::{Key, SameSite};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;
use actix_web::{Error, HttpRequest, web};
use glasshouse_casino::accounts::{
    ABSOLUTE_LIMIT, SessionKeyHash, SignInProof, end_session, find_session, open_proved_session,
    open_session, touch_session,
};
use glasshouse_casino::{CasinoError, Fault, House, Refusal, RequestOrigin, User};
use glasshouse_domain::{Role, Timestamp, UserId, UserStatus};
use serde::{Deserialize, Serialize};

use crate::error::{ApiError, Outage};
use crate::state::{Application, Settings};

mod confirmed;
mod permitted;
mod signed_in;
pub(crate) use confirmed::{
    Confirmed, ConfirmedIfProtected, ConfirmedToEnrol, confirmation_of, current_session,
    require_confirmation,
};
pub(crate) use permitted::{
    AcknowledgeAlerts, AdjustBalances, Administrator, BanUsers, BlockWithdrawing, ChangeGames,
    ChangeRoles, ChangeThresholds, CheckPayments, ConfirmPayments, DecideProposals,
    DecideWithdrawals, EndSessions, Export, Needed, PassiveAdministrator, Permitted, ReadFigures,
    ReadPanel, ReadSecurityEvents, ResolveReviews, StopHouse, WriteNotes,
};
pub(crate) use signed_in::{
    SignedIn, SignedInPassively, SignedInToChoose, SignedInToEnrol, key_and_end,
};

/// The session cookie; with this prefix, browsers accept it only from this exact host over HTTPS.
const SECURE_COOKIE: &str = "__Host-glasshouse";
/// The session cookie's name if the server is used without TLS.
const COOKIE: &str = "glasshouse";

/// The state's only key for a valid session: its user.
const USER: &str = "user";
/// The state's only key if the session could not be read from the database.
const FAULT: &str = "fault";
/// The state's only key if the session's user is banned: the ban reason.
const BAN: &str = "ban";

/// The session as seen by a request: filled by the store from the database for each request, never
/// stored with the session itself.
#[derive(Debug, Serialize, Deserialize)]
struct SessionUser {
    id: i64,
    username: String,
    /// The stored name of the role.
    role: String,
    created_at_micros: i64,
    /// Until when the user can sign in with the one-time password, in microseconds since the epoch.
    one_time_password_until_micros: Option<i64>,
    has_second_factor: bool,
    /// The session's key.
    key: Option<String>,
    /// Whether it is time to record the user's activity.
    is_touch_due: bool,
    /// Until when the confirmation is valid, in microseconds since the epoch.
    confirmed_until_micros: i64,
    /// When the session ends unless the user becomes active, in microseconds since the epoch.
    ends_at_micros: i64,
}

impl From<User> for SessionUser {
    fn from(user: User) -> Self {
        Self {
            id: user.id.get(),
            role: user.role.as_str().to_owned(),
            created_at_micros: user.created_at.as_micros(),
            one_time_password_until_micros: user.one_time_password_until.map(Timestamp::as_micros),
            has_second_factor: user.has_second_factor,
            username: user.username,
            key: None,
            is_touch_due: false,
            confirmed_until_micros: 0,
            ends_at_micros: 0,
        }
    }
}

impl From<SessionUser> for User {
    fn from(session: SessionUser) -> Self {
        Self {
            id: UserId::new(session.id),
            username: session.username,
            // Was written from a role when the session was read.
            role: Role::parse(&session.role).unwrap_or(Role::Player),
            // A banned user's session is never loaded.
            status: UserStatus::Active,
            created_at: Timestamp::from_micros(session.created_at_micros),
            one_time_password_until: session
                .one_time_password_until_micros
                .map(Timestamp::from_micros),
            has_second_factor: session.has_second_factor,
            // Closing an account ends its sessions.
            closed_at: None,
        }
    }
}

/// The store behind the session middleware.
#[derive(Clone)]
pub struct SessionRows {
    house: House,
}

type State = HashMap<String, String>;

impl SessionStore for SessionRows {
    async fn load(&self, key: &SessionKey) -> Result<Option<State>, LoadError> {
        let hash = SessionKeyHash::of(key.as_ref());
        if !self.house.is_ready() {
            // Fail at once rather than wait for a connection that is known to be unavailable.
            return fault_state(Some(Outage::DatabaseDown));
        }
        let session = match find_session(&self.house, hash).await {
            Ok(Some(session)) => session,
            Ok(None) => return Ok(None),
            Err(CasinoError::Refused(Refusal::Banned { reason })) => {
                return Ok(Some(HashMap::from([(
                    BAN.to_owned(),
                    to_state_value(&reason)?,
                )])));
            }
            // The extractor of the user reports this fault with a proper error body. An error
            // returned here would be a response without a body, even for requests that need no
            // user.
            Err(error) => {
                tracing::error!(%error, "failed to read a session");
                return fault_state(outage_of(&error));
            }
        };
        let mut user = SessionUser::from(session.user);
        user.key = Some(key.as_ref().to_owned());
        user.is_touch_due = session.is_touch_due;
        user.confirmed_until_micros = session.confirmed_until.as_micros();
        user.ends_at_micros = session.ends_at.as_micros();
        Ok(Some(HashMap::from([(
            USER.to_owned(),
            to_state_value(&user)?,
        )])))
    }

    /// Only returns the key: the handler that began the session has already stored it, because it
    /// can report errors properly.
    async fn save(&self, state: State, _: &Duration) -> Result<SessionKey, SaveError> {
        let text = state.get(USER).map_or("", String::as_str);
        let user: SessionUser =
            serde_json::from_str(text).map_err(|error| SaveError::Serialization(error.into()))?;
        let key = user.key.unwrap_or_default();
        SessionKey::try_from(key).map_err(|error| SaveError::Other(error.into()))
    }

    /// Only extends the session: its row has no state that could change.
    async fn update(
        &self,
        key: SessionKey,
        _: State,
        ttl: &Duration,
    ) -> Result<SessionKey, UpdateError> {
        match self.touch(&key).await {
            Ok(true) => Ok(key),
            Ok(false) => {
                let ended = std::io::Error::other("the session has ended");
                Err(UpdateError::Other(ended.into()))
            }
            Err(error) => {
                tracing::error!(%error, ?ttl, "failed to update a session");
                Err(UpdateError::Other(error.into()))
            }
        }
    }

    async fn update_ttl(&self, key: &SessionKey, _: &Duration) -> Result<(), anyhow::Error> {
        self.touch(key).await?;
        Ok(())
    }

    /// Does nothing: the handler that ended the session has already deleted it.
    async fn delete(&self, _: &SessionKey) -> Result<(), anyhow::Error> {
        Ok(())
    }
}

impl SessionRows {
    async fn touch(&self, key: &SessionKey) -> Result<bool, CasinoError> {
        touch_session(&self.house, SessionKeyHash::of(key.as_ref())).await
    }
}

fn cookie_name(settings: &Settings) -> &'static str {
    if settings.is_secure() {
        SECURE_COOKIE
    } else {
        COOKIE
    }
}

/// Middleware inside the session middleware: counts session cookies without a session, expired or
/// forged. They are counted rather than logged, because anybody could flood the log with them.
///
/// # Errors
/// Errors of the inner service.
pub async fn count_refused_cookies<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, Error> {
    let name = request
        .app_data::<web::Data<Application>>()
        .map_or("", |application| cookie_name(&application.settings));
    if request.cookie(name).is_some() && request.get_session().entries().is_empty() {
        metrics::counter!("glasshouse_session_cookies_refused_total").increment(1);
    }
    next.call(request).await
}

/// The session middleware: a signed, HTTP-only, same-site cookie that contains the session key.
#[must_use]
pub fn session_middleware(
    house: House,
    settings: &Settings,
    secret: &[u8; 64],
) -> SessionMiddleware<SessionRows> {
    let is_secure = settings.is_secure();
    let limit = Duration::try_from(ABSOLUTE_LIMIT).unwrap_or(Duration::HOUR);
    SessionMiddleware::builder(SessionRows { house }, Key::from(secret))
        .cookie_name(cookie_name(settings).to_owned())
        .cookie_secure(is_secure)
        .cookie_http_only(true)
        .cookie_same_site(SameSite::Strict)
        .cookie_path("/".to_owned())
        .cookie_content_security(CookieContentSecurity::Signed)
        .session_lifecycle(PersistentSession::default().session_ttl(limit))
        .build()
}

/// Whether a request has a session cookie, valid or not.
pub(crate) fn has_cookie(request: &HttpRequest) -> bool {
    request.cookie(SECURE_COOKIE).is_some() || request.cookie(COOKIE).is_some()
}

/// The state of a session that could not be read.
fn fault_state(outage: Option<Outage>) -> Result<Option<State>, LoadError> {
    Ok(Some(HashMap::from([(
        FAULT.to_owned(),
        to_state_value(&outage)?,
    )])))
}

/// Serializes a value for the session state.
fn to_state_value(value: &impl Serialize) -> Result<String, LoadError> {
    serde_json::to_string(value).map_err(|error| LoadError::Deserialization(error.into()))
}

fn outage_of(error: &CasinoError) -> Option<Outage> {
    match error {
        CasinoError::Fault(Fault::Database(error)) => Outage::of(error),
        CasinoError::Fault(_) | CasinoError::Refused(_) => None,
    }
}

/// The session's user, if anybody is signed in; an error if the user is banned or the session could
/// not be read.
fn session_user(session: &Session) -> Result<Option<SessionUser>, ApiError> {
    let malformed = |error: SessionGetError| ApiError::Session(error.to_string());
    if let Some(reason) = session.get::<String>(BAN).map_err(malformed)? {
        return Err(CasinoError::from(Refusal::Banned { reason }).into());
    }
    match session.get::<Option<Outage>>(FAULT).map_err(malformed)? {
        Some(Some(outage)) => Err(ApiError::Outage(outage)),
        Some(None) => Err(ApiError::Session(
            "the session could not be read".to_owned(),
        )),
        None => session.get::<SessionUser>(USER).map_err(malformed),
    }
}

/// Signs a user in: starts a new session with a new key and ends the request's previous session, if
/// any. Only a user who has just registered has no proof.
pub(crate) async fn begin(
    house: &House,
    session: &Session,
    user: User,
    proof: Option<SignInProof>,
    origin: RequestOrigin,
) -> Result<(), ApiError> {
    let old = key_to_end(session)?;
    let key = match proof {
        Some(proof) => open_proved_session(house, proof, origin).await?,
        None => open_session(house, user.id, origin).await?,
    };
    if let Some((key, user)) = old {
        end_session(house, user.id, SessionKeyHash::of(&key), None).await?;
    }
    continue_with(session, user, key)
}

/// Makes a stored session the one that the browser continues with, under a new cookie.
pub(crate) fn continue_with(session: &Session, user: User, key: String) -> Result<(), ApiError> {
    let mut user = SessionUser::from(user);
    user.key = Some(key);
    session.renew();
    session
        .insert(USER, user)
        .map_err(|error| ApiError::Session(error.to_string()))
}

/// The key of the request's session, and its user. A banned user's session is not ended: it stays
/// refused until it expires.
fn key_to_end(session: &Session) -> Result<Option<(String, User)>, ApiError> {
    match session_user(session) {
        Ok(user) => Ok(user.and_then(|mut user| Some((user.key.take()?, user.into())))),
        Err(ApiError::Casino(CasinoError::Refused(Refusal::Banned { .. }))) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Removes the cookie of a session that has ended.
pub(crate) fn forget(session: &Session) {
    session.purge();
}

/// Signs a user out.
pub(crate) async fn end(
    house: &House,
    session: &Session,
    origin: impl FnOnce(&str) -> RequestOrigin,
) -> Result<(), ApiError> {
    if let Some((key, user)) = key_to_end(session)? {
        let origin = origin(&user.username);
        end_session(house, user.id, SessionKeyHash::of(&key), Some(origin)).await?;
    }
    session.purge();
    Ok(())
}
