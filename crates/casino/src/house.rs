//! What every use case works with: the database, the clock, the password hashing, and who waits
//! for the rounds in play.

use std::sync::Arc;
use std::time::Duration;

use glasshouse_domain::Timestamp;
use glasshouse_persistence::{Database, DatabaseError, queries};

use crate::clock::{Clock, SystemClock, wall_clock};
use crate::error::CasinoError;
use crate::passwords::Passwords;
use crate::round_events::RoundEvents;
use crate::schedule::Schedule;

/// How far ahead the house promises that its clock does not go back.
pub(crate) const CLOCK_PROMISE: Duration = Duration::from_secs(2);
/// What servers' clocks may differ by before one is set.
const CLOCK_TOLERANCE: Duration = Duration::from_millis(50);

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
        let not_before = database
            .read::<_, DatabaseError, _>(queries::not_before)
            .await?;
        let mut now = shared_now(&database).await?.unwrap_or_else(wall_clock);
        let behind = not_before.saturating_since(now);
        if behind > CLOCK_PROMISE {
            tracing::warn!(?behind, "the clock went back while the house was closed");
            now = not_before;
        } else if !behind.is_zero() {
            // Another server, or this one just before it stopped, has promised a little ahead.
            tokio::time::sleep(behind).await;
            now = shared_now(&database).await?.unwrap_or_else(wall_clock);
        }
        Self::new(database, Arc::new(SystemClock::at(now.max(not_before))))
    }

    /// Sets the clock by the database's server, if it has one: computers pause and drift.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn follow_shared_clock(&self) -> Result<(), CasinoError> {
        let asked = self.now();
        let Some(shared) = shared_now(&self.database).await? else {
            return Ok(());
        };
        // The answer is from some moment between asking and now.
        let answered = self.now();
        let ahead = asked.saturating_since(shared);
        let behind = shared.saturating_since(answered);
        if ahead > CLOCK_TOLERANCE || behind > CLOCK_TOLERANCE {
            tracing::warn!(?ahead, ?behind, "the clock is set by the database's");
            self.clock.set(shared);
        }
        Ok(())
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

/// The clock that all servers of the house share, if they share one.
async fn shared_now(database: &Database) -> Result<Option<Timestamp>, DatabaseError> {
    database.read(queries::database_now).await
}
