//! The reader threads: a small pool of connections for read-only queries.

use std::time::Instant;

use crossbeam_channel::Receiver;
use diesel::connection::SimpleConnection;

use crate::connection::{AnyConnection, DatabaseUrl};
use crate::engine::SLOW;
use crate::error::{DatabaseError, Recovery};

/// A query that waits for a reader, including the way to return its result.
pub(crate) type ReadJob = Box<dyn FnOnce(&mut Reader) + Send>;

/// Whether PostgreSQL makes a plan each time that it runs a query
/// ([ADR 10](../../../../docs/adr/0010-plans-do-not-depend-on-when-they-were-made.md)).
#[derive(Debug, Clone, Copy)]
pub(crate) enum Plans {
    /// For the current size of the tables.
    Made,
    /// Once. The queries have only one possible plan.
    Kept,
}

pub(crate) struct Reader {
    url: DatabaseUrl,
    plans: Plans,
    connection: Option<AnyConnection>,
}

impl Reader {
    /// A reader with an open connection, which makes its plans each time.
    pub(crate) const fn new(url: DatabaseUrl, connection: AnyConnection) -> Self {
        Self {
            url,
            plans: Plans::Made,
            connection: Some(connection),
        }
    }

    /// Connects to the database.
    ///
    /// # Errors
    /// If there is no connection.
    pub(crate) fn open(url: DatabaseUrl, plans: Plans) -> Result<Self, DatabaseError> {
        let connection = Some(connect(&url, plans)?);
        Ok(Self {
            url,
            plans,
            connection,
        })
    }

    /// Runs queries until all senders are gone and the queue is empty.
    pub(crate) fn work(mut self, queue: &Receiver<ReadJob>) {
        while let Ok(query) = queue.recv() {
            query(&mut self);
        }
    }

    /// Runs a query, and once more over a new connection if the old one was lost.
    pub(crate) fn run<T, E: From<DatabaseError>>(
        &mut self,
        query: impl Fn(&mut AnyConnection) -> Result<T, DatabaseError>,
    ) -> Result<T, E> {
        let started = Instant::now();
        let outcome = match self.run_once(&query) {
            Err(error) if error.recovery() == Recovery::Reconnect => {
                tracing::warn!(%error, "retrying a query over a new connection");
                self.run_once(&query)
            }
            outcome => outcome,
        };
        let elapsed = started.elapsed();
        if elapsed > SLOW {
            tracing::warn!(?elapsed, "a query took long");
        }
        outcome.map_err(E::from)
    }

    fn run_once<T>(
        &mut self,
        query: &impl Fn(&mut AnyConnection) -> Result<T, DatabaseError>,
    ) -> Result<T, DatabaseError> {
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => connect(&self.url, self.plans)?,
        };
        let outcome = query(&mut connection);
        let is_lost = outcome
            .as_ref()
            .is_err_and(|error| error.recovery() == Recovery::Reconnect);
        if !is_lost {
            self.connection = Some(connection);
        }
        outcome
    }
}

fn connect(url: &DatabaseUrl, plans: Plans) -> Result<AnyConnection, DatabaseError> {
    let mut connection = url.connect()?;
    if let (Plans::Kept, AnyConnection::Postgres(postgres)) = (plans, &mut connection) {
        postgres.batch_execute("SET plan_cache_mode = force_generic_plan")?;
    }
    Ok(connection)
}
