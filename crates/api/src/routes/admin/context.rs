//! The extractor for administrative actions.

use std::marker::PhantomData;
use std::pin::Pin;

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest};
use glasshouse_casino::administration;

use crate::error::ApiError;
use crate::http::client_ip::address_of;
use crate::http::idempotency_key::idempotency_key;
use crate::session::{Confirmed, Needed};

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
