//! The server, on a thread of its own.

use std::sync::{Arc, mpsc};
use std::thread::JoinHandle;

use actix_web::dev::ServerHandle;
use actix_web::middleware::{DefaultHeaders, from_fn};
use actix_web::{App, HttpServer, web};

use crate::error::SandboxError;
use crate::options::SandboxOptions;
use crate::shared::Shared;
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
    let (shared, server) = started
        .recv()
        .map_err(|error| SandboxError::machine("The sandbox cannot start", error))??;
    Ok(Running {
        shared,
        server,
        thread: Some(thread),
    })
}

type Started = Result<(Arc<Shared>, ServerHandle), SandboxError>;

fn serve(options: SandboxOptions, started: &mpsc::Sender<Started>) {
    actix_web::rt::System::new().block_on(async {
        let (shared, server) = match listen(options) {
            Ok(listening) => listening,
            Err(error) => {
                // Whoever started us waits for this, or is gone.
                let _ = started.send(Err(error));
                return;
            }
        };
        // Before anybody can ask whether all is at rest.
        script::resume(&shared);
        let _ = started.send(Ok((shared, server.handle())));
        if let Err(error) = server.await {
            tracing::error!(%error, "the sandbox's server failed");
        }
    });
}

fn listen(options: SandboxOptions) -> Result<(Arc<Shared>, actix_web::dev::Server), SandboxError> {
    // Bound first, so that the address is known before the first call can come.
    let listener = std::net::TcpListener::bind(options.bind).map_err(|error| {
        SandboxError::machine(
            &format!("The sandbox cannot listen on {}", options.bind),
            error,
        )
    })?;
    let address = listener
        .local_addr()
        .map_err(|error| SandboxError::machine("The sandbox has no address", error))?;
    let public_url = match &options.public_url {
        Some(url) => url.trim_end_matches('/').to_owned(),
        None => format!("http://{address}"),
    };
    let shared = Shared::new(options, public_url, tokio::runtime::Handle::current())?;
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
    .map_err(|error| SandboxError::machine("The sandbox cannot listen", error))?
    .run();
    Ok((shared, server))
}
