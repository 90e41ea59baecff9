//! The server, on a thread of its own.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::{Arc, mpsc};
use std::thread::JoinHandle;

use actix_web::dev::{Server, ServerHandle};
use actix_web::middleware::{DefaultHeaders, from_fn};
use actix_web::{App, HttpServer, web};

use crate::error::SandboxError;
use crate::options::SandboxOptions;
use crate::shared::Shared;
use crate::storage::{self, Claim};
use crate::{api, pages, script};

/// Nothing that a call or a form of ours has is larger.
const MAXIMUM_BODY_BYTES: usize = 64 * 1024;
/// No script, nothing from elsewhere, forms to us only.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; style-src 'self'; form-action 'self'; \
                                       base-uri 'none'; frame-ancestors 'none'";

/// The thread that serves, and how to end it.
pub(crate) struct Running {
    pub(crate) shared: Arc<Shared>,
    server: ServerHandle,
    thread: Option<JoinHandle<()>>,
    /// Given up once the thread has ended, and nobody writes any more.
    _claim: Option<Claim>,
}

impl Drop for Running {
    fn drop(&mut self) {
        // The order to stop goes out when the call is made; the thread's end is what is waited for.
        drop(self.server.stop(false));
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("the sandbox's thread panicked");
        }
    }
}

/// Starts the thread, and returns when the server listens.
pub(crate) fn start(options: SandboxOptions) -> Result<Running, SandboxError> {
    let (sender, started) = mpsc::channel();
    let thread = std::thread::Builder::new()
        .name("sandbox".to_owned())
        .spawn(move || serve(options, &sender))
        .map_err(|error| SandboxError::machine("The sandbox cannot start", error))?;
    let (shared, server, claim) = started
        .recv()
        .map_err(|error| SandboxError::machine("The sandbox cannot start", error))??;
    Ok(Running {
        shared,
        server,
        thread: Some(thread),
        _claim: claim,
    })
}

type Started = Result<(Arc<Shared>, ServerHandle, Option<Claim>), SandboxError>;

fn serve(options: SandboxOptions, started: &mpsc::Sender<Started>) {
    actix_web::rt::System::new().block_on(async {
        let (shared, server, claim) = match listen(options) {
            Ok(listening) => listening,
            Err(error) => {
                // Whoever started us waits for this, or is gone.
                let _ = started.send(Err(error));
                return;
            }
        };
        // Before anybody can ask whether all is at rest.
        script::resume(&shared);
        let _ = started.send(Ok((shared, server.handle(), claim)));
        if let Err(error) = server.await {
            tracing::error!(%error, "the sandbox's server failed");
        }
    });
}

type Listening = (Arc<Shared>, Server, Option<Claim>);

fn listen(options: SandboxOptions) -> Result<Listening, SandboxError> {
    // Bound first, so that the address is known before the first call can come.
    let bind = options.bind;
    let cannot_listen = |error: std::io::Error| SandboxError::Listening {
        address: bind,
        reason: error.to_string(),
    };
    let listener = std::net::TcpListener::bind(bind).map_err(cannot_listen)?;
    let local_url = local_url(listener.local_addr().map_err(cannot_listen)?);
    let claim = options.data.as_deref().map(storage::claim).transpose()?;
    let runtime = tokio::runtime::Handle::current();
    let shared = Shared::new(options, local_url, runtime)?;
    let for_workers = Arc::clone(&shared);
    let server = HttpServer::new(move || {
        App::new()
            .app_data(web::Data::from(Arc::clone(&for_workers)))
            .app_data(web::PayloadConfig::new(MAXIMUM_BODY_BYTES))
            .wrap(from_fn(pages::refuse_other_sites))
            .wrap(
                DefaultHeaders::new()
                    .add(("content-security-policy", CONTENT_SECURITY_POLICY))
                    .add(("x-content-type-options", "nosniff"))
                    .add(("referrer-policy", "no-referrer"))
                    .add(("cache-control", "no-store")),
            )
            .configure(api::configure)
            .configure(pages::configure)
    })
    .workers(1)
    .disable_signals()
    .shutdown_timeout(0)
    .listen(listener)
    .map_err(cannot_listen)?
    .run();
    Ok((shared, server, claim))
}

/// Where programs of this machine reach a listener: one that listens on all addresses is reached on
/// none of that name.
fn local_url(mut listening: SocketAddr) -> String {
    match listening.ip() {
        IpAddr::V4(address) if address.is_unspecified() => {
            listening.set_ip(Ipv4Addr::LOCALHOST.into());
        }
        IpAddr::V6(address) if address.is_unspecified() => {
            listening.set_ip(Ipv6Addr::LOCALHOST.into());
        }
        _ => {}
    }
    format!("http://{listening}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listeners_are_reached_where_they_can_be() {
        let check = |listening: &str, expected: &str| {
            assert_eq!(local_url(listening.parse().unwrap()), expected);
        };
        check("127.0.0.1:8090", "http://127.0.0.1:8090");
        check("192.168.1.2:80", "http://192.168.1.2:80");
        check("0.0.0.0:8090", "http://127.0.0.1:8090");
        check("[::]:8090", "http://[::1]:8090");
    }
}
