//! The HTTP server: its address, its connections, and what every request passes through.

use std::any::Any;
use std::num::NonZeroUsize;
use std::thread::available_parallelism;
use std::time::Duration;

use actix_web::dev::{Extensions, Server};
use actix_web::middleware::from_fn;
use actix_web::{App, HttpServer, rt};
use glasshouse_api::{
    Application, Connections, RequestSpan, close_connections_when_stopping, configure,
    count_refused_cookies, limit_bets_in_progress, observe, refuse_excess_connections,
    refuse_foreign_hosts, refuse_foreign_origins, refuse_without_database, security_headers,
    session_middleware,
};
use tracing_actix_web::TracingLogger;

use crate::Failure;
use crate::configuration::Configuration;

/// How long requests in progress may take after a shutdown signal.
const SHUTDOWN_SECONDS: u64 = 10;
/// Longer than the usual 60 s of a proxy, so that the proxy closes idle connections first.
const KEEP_ALIVE: Duration = Duration::from_secs(75);

/// Binds the server to its address. The returned function starts it.
///
/// # Errors
/// If the address is not available.
pub(crate) fn bind(
    configuration: &Configuration,
    application: &Application,
    secret: [u8; 64],
) -> Result<impl FnOnce() -> Server + use<>, Failure> {
    let application = application.clone();
    let limit = connection_limit(configuration);
    let workers = available_parallelism().map_or(1, NonZeroUsize::get);
    let connections = configuration.connections.max_connections;
    let server = HttpServer::new(move || {
        let session =
            session_middleware(application.house().clone(), application.settings(), &secret);
        let shared = application.clone();
        // The middleware wrapped last sees a request first.
        App::new()
            .configure(|config| configure(config, shared))
            .wrap(from_fn(count_refused_cookies))
            .wrap(session)
            .wrap(from_fn(refuse_without_database))
            .wrap(from_fn(refuse_foreign_origins))
            .wrap(from_fn(refuse_foreign_hosts))
            .wrap(from_fn(limit_bets_in_progress))
            .wrap(from_fn(security_headers))
            .wrap(from_fn(refuse_excess_connections))
            .wrap(from_fn(observe))
            .wrap(from_fn(close_connections_when_stopping))
            .wrap(TracingLogger::<RequestSpan>::new())
    })
    .on_connect(move |stream, data| {
        if let Some(limit) = &limit {
            count_connection(limit, stream, data);
        }
    })
    .workers(workers)
    .max_connections(connections.div_ceil(workers).max(1))
    .keep_alive(KEEP_ALIVE)
    .shutdown_timeout(SHUTDOWN_SECONDS)
    .disable_signals()
    .bind(configuration.bind)
    .map_err(|error| listen_failure(&configuration.bind, &error))?;
    Ok(|| server.run())
}

/// The limit on connections per network. Behind a proxy there is none, because all connections come
/// from the proxy.
fn connection_limit(configuration: &Configuration) -> Option<Connections> {
    let is_limited = configuration.rate_limit.is_on() && !configuration.behind_proxy.is_on();
    is_limited.then(|| Connections::new(configuration.connections.max_connections_per_address))
}

/// Counts a new connection among those of its network for as long as it is open.
fn count_connection(connections: &Connections, stream: &dyn Any, data: &mut Extensions) {
    let stream = stream.downcast_ref::<rt::net::TcpStream>();
    if let Some(peer) = stream.and_then(|stream| stream.peer_addr().ok()) {
        data.insert(connections.opened(peer.ip()));
    }
}

pub(crate) fn listen_failure(address: &impl std::fmt::Display, error: &std::io::Error) -> Failure {
    Failure::Running(format!("Cannot listen on {address}: {error}"))
}
