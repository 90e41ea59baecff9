//! A small HTTP server for tests that runs on its own thread.

use std::sync::mpsc;
use std::thread::JoinHandle;

use actix_web::dev::ServerHandle;
use actix_web::web::ServiceConfig;
use actix_web::{App, HttpServer};

/// A running server, stopped when this value is dropped.
pub struct TestHttpServer {
    /// The server's base URL, such as `http://127.0.0.1:12345`.
    pub url: String,
    server: ServerHandle,
    thread: Option<JoinHandle<()>>,
}

impl TestHttpServer {
    /// Starts a server with the routes that `configure` adds, on a free port.
    #[must_use]
    pub fn start(configure: impl Fn(&mut ServiceConfig) + Clone + Send + 'static) -> Self {
        let (sender, started) = mpsc::channel();
        let thread = std::thread::spawn(move || {
            actix_web::rt::System::new().block_on(async move {
                let server = HttpServer::new(move || App::new().configure(configure.clone()))
                    .workers(1)
                    .disable_signals()
                    .shutdown_timeout(0)
                    .bind("127.0.0.1:0")
                    .unwrap();
                let address = *server.addrs().first().unwrap();
                let server = server.run();
                sender.send((address, server.handle())).unwrap();
                server.await.unwrap();
            });
        });
        let (address, server) = started.recv().unwrap();
        Self {
            url: format!("http://{address}"),
            server,
            thread: Some(thread),
        }
    }
}

impl Drop for TestHttpServer {
    fn drop(&mut self) {
        drop(self.server.stop(false));
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
