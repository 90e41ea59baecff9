//! The client's IP address.

use std::convert::Infallible;
use std::future::{Ready, ready};
use std::net::{IpAddr, Ipv4Addr};
use std::sync::atomic::Ordering;

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest, web};

use crate::state::Application;

const FORWARDED_FOR: &str = "x-forwarded-for";

/// The client's IP address.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ClientAddress(pub(crate) IpAddr);

impl FromRequest for ClientAddress {
    type Error = Infallible;
    type Future = Ready<Result<Self, Infallible>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(Self(address_of(request))))
    }
}

/// The client's IP address. Behind our own proxy it is the last entry of `X-Forwarded-For`, which
/// the proxy appended; clients can forge all entries before that.
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

/// Warns once if a proxy seems to be in front although the settings say that there is none: then
/// all players count as one client and share one rate limit.
fn warn_of_proxy(request: &HttpRequest) {
    if !request.headers().contains_key(FORWARDED_FOR) {
        return;
    }
    let Some(application) = request.app_data::<web::Data<Application>>() else {
        return;
    };
    if !application
        .has_warned_of_proxy
        .swap(true, Ordering::Relaxed)
    {
        tracing::warn!(
            "requests carry X-Forwarded-For, which is ignored: behind your own proxy set \
             GLASSHOUSE_BEHIND_PROXY=on, or all players share one rate limit"
        );
    }
}
