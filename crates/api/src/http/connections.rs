//! Limits the number of open connections per client, and lets go of them before the server ends.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

use actix_web::body::{EitherBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::ConnectionType;
use actix_web::middleware::Next;
use actix_web::{Error, ResponseError, web};

use crate::error::ApiError;
use crate::http::network::network_of;
use crate::state::Application;

/// The number of open connections of each client network.
#[derive(Clone)]
pub struct Connections {
    open: Arc<Mutex<HashMap<IpAddr, usize>>>,
    limit: usize,
}

/// An open connection, counted until it is dropped.
pub struct OpenConnection {
    connections: Connections,
    network: IpAddr,
    exceeds_limit: bool,
}

impl Connections {
    /// Starts with no open connections and allows at most `limit` from one network.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        Self {
            open: Arc::default(),
            limit,
        }
    }

    /// Registers a connection that has just been accepted.
    #[must_use]
    pub fn opened(&self, address: IpAddr) -> OpenConnection {
        let network = network_of(address);
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let count = open.entry(network).or_default();
        *count += 1;
        OpenConnection {
            connections: self.clone(),
            network,
            exceeds_limit: *count > self.limit,
        }
    }
}

impl Drop for OpenConnection {
    fn drop(&mut self) {
        let open = &self.connections.open;
        let mut open = open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = open.get_mut(&self.network) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                open.remove(&self.network);
            }
        }
    }
}

/// Middleware: answers 429 on a connection above its network's limit, and closes it. A connection
/// without any request is closed by the time limit for request headers.
///
/// # Errors
/// Errors of the inner service.
pub async fn refuse_excess_connections<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B>>, Error> {
    let exceeds_limit = request
        .request()
        .conn_data::<OpenConnection>()
        .is_some_and(|connection| connection.exceeds_limit);
    if !exceeds_limit {
        return Ok(next.call(request).await?.map_into_left_body());
    }
    metrics::counter!("glasshouse_connections_refused_total").increment(1);
    let response = ApiError::TooManyConnections.error_response();
    Ok(request.into_response(response).map_into_right_body())
}

/// Middleware: once the server has been asked to stop, every response from within is the last one on its connection.
/// Otherwise a proxy could send a request on a kept connection in the moment in which the server closes it, and would
/// not know whether the request was processed.
///
/// # Errors
/// Errors of the inner service.
pub async fn close_connections_when_stopping<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, Error> {
    let mut response = next.call(request).await?;
    let application = response.request().app_data::<web::Data<Application>>();
    if application.is_some_and(|application| application.stopping.has_begun()) {
        let head = response.response_mut().head_mut();
        head.set_connection_type(ConnectionType::Close);
    }
    Ok(response)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_per_network_are_limited() {
        let connections = Connections::new(2);
        let open = |text: &str| connections.opened(text.parse().unwrap());
        let first = open("2001:db8::1");
        let second = open("2001:db8::2");
        assert!(!first.exceeds_limit && !second.exceeds_limit);
        assert!(open("2001:db8::3").exceeds_limit);
        assert!(!open("192.0.2.1").exceeds_limit);
        drop(first);
        assert!(!open("2001:db8::3").exceeds_limit);
        drop(second);
        assert!(connections.open.lock().unwrap().is_empty());
    }
}
