//! What every use case works with: the database, the clock, the password hashing, and who waits
//! for the rounds in play.

use std::sync::Arc;

use glasshouse_domain::Timestamp;
use glasshouse_persistence::{Database, DatabaseError, queries};

use crate::clock::{Clock, SystemClock, wall_clock};
use crate::error::CasinoError;
use crate::passwords::Passwords;
use crate::round_events::RoundEvents;
use crate::schedule::Schedule;

/// The house. Cheap to clone.
#[derive(Clone)]
pub struct House {
    pub(crate) database: Database,
    pub(crate) passwords: Arc<Passwords>,
    pub(crate) events: Arc<RoundEvents>,
    pub(crate) schedule: Arc<Schedule>,
    pub(crate) clock: Arc<dyn Clock>,
}

impl House {
    /// Opens the house on a database, by the clock of the database's server where it has one, so
    /// that all servers of the house agree, and never before a moment that was already shown.
    ///
    /// # Errors
    /// If the database fails, or a password cannot be hashed.
    pub async fn open(database: Database) -> Result<Self, CasinoError> {
        let (shared, not_before) = database
            .read::<_, DatabaseError, _>(|connection| {
                let shared = queries::database_now(connection)?;
                Ok((shared, queries::not_before(connection)?))
            })
            .await?;
        let now = shared.unwrap_or_else(wall_clock);
        if now < not_before {
            let behind = not_before.saturating_since(now);
            tracing::warn!(?behind, "the clock went back while the house was closed");
        }
        Self::new(database, Arc::new(SystemClock::at(now.max(not_before))))
    }

    /// Opens the house on a database, by a clock of the caller's.
    ///
    /// # Errors
    /// If a password cannot be hashed.
    pub fn new(database: Database, clock: Arc<dyn Clock>) -> Result<Self, CasinoError> {
        Ok(Self {
            database,
            passwords: Arc::new(Passwords::new()?),
            events: Arc::default(),
            schedule: Arc::default(),
            clock,
        })
    }

    /// The present moment by the house's clock.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Returns when the house's clock has reached `moment`.
    pub async fn wait_until(&self, moment: Timestamp) {
        while self.now() < moment {
            self.clock.wait_until(moment).await;
        }
    }

    /// Whether the database answers.
    ///
    /// # Errors
    /// If it does not.
    pub async fn is_ready(&self) -> Result<(), CasinoError> {
        self.database
            .read(queries::administrators)
            .await
            .map(|_: i64| ())
    }
}
