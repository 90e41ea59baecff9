//! The reader threads: a small pool of connections for questions that change nothing.

use crossbeam_channel::Receiver;

use crate::connection::{AnyConnection, DatabaseUrl};
use crate::error::{DatabaseError, Recovery};

/// A question that waits for a reader. It is handed the connection, or why there is none, and says
/// how to go on with the connection.
pub(crate) type ReadJob = Box<dyn FnOnce(&mut Reader) + Send>;

pub(crate) struct Reader {
    url: DatabaseUrl,
    connection: Option<AnyConnection>,
}

impl Reader {
    pub(crate) fn new(url: DatabaseUrl, connection: AnyConnection) -> Self {
        Self {
            url,
            connection: Some(connection),
        }
    }

    /// Answers until all senders are gone and the queue is empty.
    pub(crate) fn work(mut self, queue: &Receiver<ReadJob>) {
        while let Ok(question) = queue.recv() {
            question(&mut self);
        }
    }

    /// Asks once, and once more over a new connection if the old one was lost meanwhile.
    pub(crate) fn ask<T, E: From<DatabaseError>>(
        &mut self,
        question: impl Fn(&mut AnyConnection) -> Result<T, DatabaseError>,
    ) -> Result<T, E> {
        match self.ask_once(&question) {
            Err(error) if error.recovery() == Recovery::Reconnect => {
                tracing::warn!(%error, "a question is asked again over a new connection");
                self.ask_once(&question).map_err(E::from)
            }
            outcome => outcome.map_err(E::from),
        }
    }

    fn ask_once<T>(
        &mut self,
        question: &impl Fn(&mut AnyConnection) -> Result<T, DatabaseError>,
    ) -> Result<T, DatabaseError> {
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => self.url.connect()?,
        };
        let outcome = question(&mut connection);
        let is_lost = outcome
            .as_ref()
            .is_err_and(|error| error.recovery() == Recovery::Reconnect);
        if !is_lost {
            self.connection = Some(connection);
        }
        outcome
    }
}
