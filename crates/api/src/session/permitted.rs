//! Extractors for administrators, who may do what their roles permit.

use std::future::{Ready, ready};
use std::marker::PhantomData;
use std::pin::Pin;

use actix_session::SessionExt;
use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest};
use glasshouse_casino::User;
use glasshouse_domain::{Permission, Role};

use crate::error::ApiError;
use crate::session::session_user;
use crate::session::signed_in::{SignedIn, SignedInPassively};

/// A permission as a type, so that a call says what it needs by the type of its extractor.
pub(crate) trait Needed: 'static {
    const PERMISSION: Permission;
}

macro_rules! needed {
    ($($permission:ident),+) => {$(
        /// See the permission of this name.
        pub(crate) enum $permission {}

        impl Needed for $permission {
            const PERMISSION: Permission = Permission::$permission;
        }
    )+};
}

needed!(
    ReadPanel,
    ReadSecurityEvents,
    ReadFigures,
    Export,
    WriteNotes,
    EndSessions,
    BanUsers,
    AdjustBalances,
    CheckPayments,
    ConfirmPayments,
    ResolveReviews,
    AcknowledgeAlerts,
    DecideWithdrawals,
    ChangeGames,
    StopHouse,
    BlockWithdrawing,
    DecideProposals,
    ChangeRoles,
    ChangeThresholds
);

/// A signed-in administrator whose role permits what the call does; otherwise the response is 401 or 403.
pub(crate) struct Permitted<N> {
    pub(crate) user: User,
    needed: PhantomData<N>,
}

/// A signed-in administrator with any role.
pub(crate) type Administrator = Permitted<ReadPanel>;

/// An administrator with any role, without counting the request as user activity: for what the panel asks for by
/// itself.
pub(crate) struct PassiveAdministrator;

impl FromRequest for PassiveAdministrator {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        if let Ok(Some(session)) = session_user(&request.get_session())
            && let Err(refusal) = require(User::from(session).role, Permission::ReadPanel)
        {
            return ready(Err(refusal));
        }
        let signed_in = SignedInPassively::from_request(request, payload).into_inner();
        ready(signed_in.map(|_| Self))
    }
}

impl<N: Needed> FromRequest for Permitted<N> {
    type Error = ApiError;
    type Future = Pin<Box<dyn Future<Output = Result<Self, ApiError>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        // Before awaiting anything, as for every signed-in user.
        if let Ok(Some(session)) = session_user(&request.get_session())
            && let Err(refusal) = require(User::from(session).role, N::PERMISSION)
        {
            return Box::pin(ready(Err(refusal)));
        }
        let signed_in = SignedIn::from_request(request, payload);
        Box::pin(async move {
            let SignedIn(user) = signed_in.await?;
            require(user.role, N::PERMISSION)?;
            Ok(Self {
                user,
                needed: PhantomData,
            })
        })
    }
}

fn require(role: Role, permission: Permission) -> Result<(), ApiError> {
    if !role.is_administrator() {
        Err(ApiError::Forbidden)
    } else if !role.may(permission) {
        Err(ApiError::RoleForbidden)
    } else {
        Ok(())
    }
}
