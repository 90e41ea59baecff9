//! How many connections one client may hold open.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

use actix_web::body::{EitherBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;
use actix_web::{Error, ResponseError};

use crate::error::ApiError;
use crate::http::network::network_of;

/// The open connections by the network that they come from.
#[derive(Clone)]
pub struct Connections {
    open: Arc<Mutex<HashMap<IpAddr, usize>>>,
    limit: usize,
}

/// One open connection: counted until it is dropped.
pub struct OpenConnection {
    connections: Connections,
    network: IpAddr,
    is_one_too_many: bool,
}

impl Connections {
    /// Nothing is open yet, and at most `limit` from one network may be.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        Self {
            open: Arc::default(),
            limit,
        }
    }

    /// Counts a connection that has just been made.
    #[must_use]
    pub fn opened(&self, address: IpAddr) -> OpenConnection {
        let network = network_of(address);
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let count = open.entry(network).or_default();
        *count += 1;
        OpenConnection {
            connections: self.clone(),
            network,
            is_one_too_many: *count > self.limit,
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

/// Middleware: answers 429 on a connection that is one too many of its network, and closes it. A
/// connection on which nothing is asked is closed by the time limit of request headers.
///
/// # Errors
/// What the inner service fails with.
pub async fn refuse_crowds<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B>>, Error> {
    let is_one_too_many = request
        .request()
        .conn_data::<OpenConnection>()
        .is_some_and(|connection| connection.is_one_too_many);
    if !is_one_too_many {
        return Ok(next.call(request).await?.map_into_left_body());
    }
    metrics::counter!("glasshouse_connections_refused_total").increment(1);
    let response = ApiError::TooManyConnections.error_response();
    Ok(request.into_response(response).map_into_right_body())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_has_a_bounded_number_of_connections() {
        let connections = Connections::new(2);
        let open = |text: &str| connections.opened(text.parse().unwrap());
        let first = open("2001:db8::1");
        let second = open("2001:db8::2");
        assert!(!first.is_one_too_many && !second.is_one_too_many);
        assert!(open("2001:db8::3").is_one_too_many);
        assert!(!open("192.0.2.1").is_one_too_many);
        drop(first);
        assert!(!open("2001:db8::3").is_one_too_many);
        drop(second);
        assert!(connections.open.lock().unwrap().is_empty());
    }
}
