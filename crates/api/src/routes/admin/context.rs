//! The extractors for administrative actions, and for what shows personal data.

use std::marker::PhantomData;
use std::pin::Pin;

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest};
use glasshouse_casino::administration::record_access;
use glasshouse_casino::{House, User, administration};
use glasshouse_domain::UserId;

use crate::error::ApiError;
use crate::http::client_ip::address_of;
use crate::http::idempotency_key::idempotency_key;
use crate::session::{Confirmed, Needed, Permitted, ReadPanel};

/// An administrator whose role permits what the call does and whose session was confirmed recently, with
/// the client address and the idempotency key of the request.
pub(crate) struct AdminContext<N>(
    pub(crate) administration::AdminContext,
    pub(crate) PhantomData<N>,
);

impl<N: Needed> FromRequest for AdminContext<N> {
    type Error = ApiError;
    type Future = Pin<Box<dyn Future<Output = Result<Self, ApiError>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let confirmed = Confirmed::<N>::from_request(request, payload);
        let address = address_of(request).to_string();
        let key = idempotency_key(request);
        Box::pin(async move {
            // Check permissions first: a malformed key must not be reported before missing
            // permissions.
            let Confirmed(administrator, _) = confirmed.await?;
            let context = administration::AdminContext {
                administrator: administrator.id,
                address: Some(address),
                key: key?,
            };
            Ok(Self(context, PhantomData))
        })
    }
}

/// An administrator whose role permits to be shown personal data, with the client address of the request.
pub(crate) struct Reader<N = ReadPanel> {
    context: administration::AdminContext,
    permitted: Permitted<N>,
}

impl<N: Needed> Reader<N> {
    /// The administrator.
    pub(crate) const fn administrator(&self) -> &User {
        &self.permitted.user
    }

    /// Records that the administrator is about to be shown entries of a list, which are all those of one
    /// person if there is a `person`.
    ///
    /// # Errors
    /// On a fault; then the data must not be handed out.
    pub(crate) async fn record(
        self,
        house: &House,
        list: &'static str,
        person: Option<UserId>,
    ) -> Result<(), ApiError> {
        Ok(record_access(house, self.context, list, person).await?)
    }
}

impl<N: Needed> FromRequest for Reader<N> {
    type Error = ApiError;
    type Future = Pin<Box<dyn Future<Output = Result<Self, ApiError>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let permitted = Permitted::<N>::from_request(request, payload);
        let address = address_of(request).to_string();
        Box::pin(async move {
            let permitted = permitted.await?;
            let context = administration::AdminContext {
                administrator: permitted.user.id,
                address: Some(address),
                key: None,
            };
            Ok(Self { context, permitted })
        })
    }
}
