//! Stops the server when its operator asks for it.

use std::io;
use std::time::Duration;

use actix_web::dev::ServerHandle;
use actix_web::rt::task::yield_now;
use actix_web::rt::time::sleep;
use glasshouse_api::Application;
use glasshouse_casino::play::timed::close_all_streams;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// The signals with which operators stop a server.
pub(crate) struct StopSignals {
    terminate: Signal,
    interrupt: Signal,
    quit: Signal,
}

impl StopSignals {
    /// From now on these signals no longer end the process by themselves.
    ///
    /// # Errors
    /// If the operating system refuses it.
    pub(crate) fn listen() -> io::Result<Self> {
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
            quit: signal(SignalKind::quit())?,
        })
    }

    /// Stops the server after the first signal. After SIGTERM it takes requests for as long as `drain`, while its
    /// proxy lets go of its connections, and then ends event streams and finishes everything else that it has begun.
    /// Another signal ends the wait, and SIGINT and SIGQUIT stop it at once.
    pub(crate) async fn stop(
        mut self,
        server: ServerHandle,
        application: Application,
        drain: Duration,
    ) {
        let mut is_graceful = self.next().await;
        if is_graceful && !drain.is_zero() {
            application.stopping().begin();
            tracing::info!(seconds = drain.as_secs(), "stopping soon");
            tokio::select! {
                () = sleep(drain) => {}
                asked_gracefully = self.next() => is_graceful = asked_gracefully,
            }
        }
        let stopped = server.stop(is_graceful);
        // The server now stops listening, so that hardly any page connects to it again when its stream ends.
        yield_now().await;
        close_all_streams(application.house());
        stopped.await;
    }

    /// Waits for a signal; whether it was SIGTERM.
    async fn next(&mut self) -> bool {
        tokio::select! {
            _ = self.terminate.recv() => true,
            _ = self.interrupt.recv() => false,
            _ = self.quit.recv() => false,
        }
    }
}
