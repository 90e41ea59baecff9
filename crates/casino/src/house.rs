//! What every use case works with: the database, the clock and the password hashing.

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use glasshouse_domain::Timestamp;
use glasshouse_persistence::Database;

use crate::error::CasinoError;
use crate::passwords::Passwords;

/// Tells the time. Injected, so that tests need not wait.
pub trait Clock: Send + Sync {
    /// The present moment.
    fn now(&self) -> Timestamp;
}

/// The computer's clock.
#[derive(Debug, Clone, Copy)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        let since = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        Timestamp::from_micros(i64::try_from(since.as_micros()).unwrap_or(i64::MAX))
    }
}

/// The house. Cheap to clone.
#[derive(Clone)]
pub struct House {
    pub(crate) database: Database,
    pub(crate) passwords: Arc<Passwords>,
    clock: Arc<dyn Clock>,
}

impl House {
    /// Opens the house on a database.
    ///
    /// # Errors
    /// If a password cannot be hashed.
    pub fn new(database: Database, clock: Arc<dyn Clock>) -> Result<Self, CasinoError> {
        Ok(Self {
            database,
            passwords: Arc::new(Passwords::new()?),
            clock,
        })
    }

    /// The present moment by the house's clock.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Whether the database answers.
    ///
    /// # Errors
    /// If it does not.
    pub async fn is_ready(&self) -> Result<(), CasinoError> {
        self.database
            .read(glasshouse_persistence::queries::administrators)
            .await
            .map(|_: i64| ())
    }
}
