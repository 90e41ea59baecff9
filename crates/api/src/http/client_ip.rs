//! Where a request comes from.

use std::convert::Infallible;
use std::future::{Ready, ready};
use std::net::{IpAddr, Ipv4Addr};
use std::sync::atomic::Ordering;

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest, web};

use crate::state::Application;

const FORWARDED_FOR: &str = "x-forwarded-for";

/// The client's network address.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ClientAddress(pub(crate) IpAddr);

impl FromRequest for ClientAddress {
    type Error = Infallible;
    type Future = Ready<Result<Self, Infallible>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(Self(address_of(request))))
    }
}

/// Behind a proxy of ours its last entry is the address that it saw; everything before that a
/// client can invent.
pub(crate) fn address_of(request: &HttpRequest) -> IpAddr {
    let peer = request
        .peer_addr()
        .map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.ip());
    let is_behind_proxy = request
        .app_data::<web::Data<Application>>()
        .is_some_and(|application| application.settings.is_behind_proxy);
    if !is_behind_proxy {
        warn_of_proxy(request);
        return peer;
    }
    request
        .headers()
        .get_all(FORWARDED_FOR)
        .last()
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.rsplit(',').next())
        .and_then(|last| last.trim().parse().ok())
        .unwrap_or(peer)
}

/// Says once that a proxy seems to be in front although the settings say that there is none: then all
/// players are one client, and their limits are one limit.
fn warn_of_proxy(request: &HttpRequest) {
    if !request.headers().contains_key(FORWARDED_FOR) {
        return;
    }
    let Some(application) = request.app_data::<web::Data<Application>>() else {
        return;
    };
    if !application.is_proxy_told.swap(true, Ordering::Relaxed) {
        tracing::warn!(
            "X-Forwarded-For arrives, and is not believed: behind a proxy of your own set \
             GLASSHOUSE_BEHIND_PROXY=on, or all players share one limit"
        );
    }
}
