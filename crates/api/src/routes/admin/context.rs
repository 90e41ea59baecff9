//! Who acts as an administrator.

use std::pin::Pin;

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest};
use glasshouse_casino::administration;

use crate::error::ApiError;
use crate::http::client_ip::address_of;
use crate::http::idempotency_key::idempotency_key;
use crate::session::Confirmed;

/// An administrator who has entered the password lately, from where, and by which key the call can be
/// repeated.
pub(in crate::routes) struct AdminContext(pub(in crate::routes) administration::AdminContext);

impl FromRequest for AdminContext {
    type Error = ApiError;
    type Future = Pin<Box<dyn Future<Output = Result<Self, ApiError>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let confirmed = Confirmed::from_request(request, payload);
        let address = address_of(request).to_string();
        let key = idempotency_key(request);
        Box::pin(async move {
            // The form of a request is judged after its sender.
            let Confirmed(administrator) = confirmed.await?;
            Ok(Self(administration::AdminContext {
                administrator: administrator.id,
                address: Some(address),
                key: key?,
            }))
        })
    }
}
