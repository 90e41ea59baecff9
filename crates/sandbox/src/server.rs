//! The server, on its own thread.

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
use crate::{api, pages, payout_script, script};

/// The maximum body size in bytes; no legitimate request or form is larger.
const MAXIMUM_BODY_BYTES: usize = 64 * 1024;
/// No scripts, no external resources, forms only to this server.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; style-src 'self'; form-action 'self'; \
                                       base-uri 'none'; frame-ancestors 'none'";

/// The server's thread, and the handle to stop it.
pub(crate) struct Running {
    pub(crate) shared: Arc<Shared>,
    server: ServerHandle,
    thread: Option<JoinHandle<()>>,
    /// Released after the thread has ended and can no longer write.
    _claim: Option<Claim>,
}

impl Drop for Running {
    fn drop(&mut self) {
        // The call already sends the stop request; joining the thread waits for the end.
        drop(self.server.stop(false));
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("the sandbox's thread panicked");
        }
    }
}

/// Starts the thread, and returns once the server is listening.
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
                // If the receiver is gone, nobody is interested in the error.
                let _ = started.send(Err(error));
                return;
            }
        };
        // Must run before a caller can wait for all scripts to finish.
        script::resume(&shared);
        payout_script::resume(&shared);
        let _ = started.send(Ok((shared, server.handle(), claim)));
        if let Err(error) = server.await {
            tracing::error!(%error, "the sandbox's server failed");
        }
    });
}

type Listening = (Arc<Shared>, Server, Option<Claim>);

fn listen(options: SandboxOptions) -> Result<Listening, SandboxError> {
    // Bind first, so that the address is known before the first request.
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
    let worker_shared = Arc::clone(&shared);
    let server = HttpServer::new(move || {
        App::new()
            .app_data(web::Data::from(Arc::clone(&worker_shared)))
            .app_data(web::PayloadConfig::new(MAXIMUM_BODY_BYTES))
            .wrap(from_fn(pages::refuse_cross_site_forms))
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

/// The URL with which programs on this machine reach a listener: the unspecified address is
/// replaced by the loopback address.
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
    fn unspecified_addresses_become_loopback() {
        let check = |listening: &str, expected: &str| {
            assert_eq!(local_url(listening.parse().unwrap()), expected);
        };
        check("127.0.0.1:8090", "http://127.0.0.1:8090");
        check("192.168.1.2:80", "http://192.168.1.2:80");
        check("0.0.0.0:8090", "http://127.0.0.1:8090");
        check("[::]:8090", "http://[::1]:8090");
    }
}
