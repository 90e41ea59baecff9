//! What every use case works with: the database, the clock, the password hashing, and who waits
//! for the rounds in play.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::time::Duration;

use glasshouse_domain::Timestamp;
use glasshouse_persistence::{Database, DatabaseError, queries};

use crate::accounts::password_hashing::PasswordHasher;
use crate::clock::{
    Bounds, CLOCK_TOLERANCE, Clock, ClockReading, SystemClock, judgement_time, publication_time,
    wall_clock,
};
use crate::error::CasinoError;
use crate::play::status_cache::GameStatuses;
use crate::play::timed::events::RoundEvents;
use crate::play::timed::schedule::Schedule;

/// How far ahead the house promises that its clock does not go back.
pub(crate) const CLOCK_LEASE: Duration = Duration::from_secs(2);
/// How often the shared clock is asked, of which the quickest answer counts.
const CLOCK_READINGS: usize = 5;
/// An answer of the shared clock that is quick enough not to be asked for again.
const QUICK_READING: Duration = Duration::from_millis(1);

/// The house. Cheap to clone.
#[derive(Clone)]
pub struct House {
    pub(crate) database: Database,
    pub(crate) passwords: Arc<PasswordHasher>,
    pub(crate) events: Arc<RoundEvents>,
    pub(crate) schedule: Arc<Schedule>,
    pub(crate) statuses: Arc<GameStatuses>,
    pub(crate) clock: Arc<dyn Clock>,
    /// How far this server's assessment of time may lag: nothing where it is the only one.
    clock_tolerance: Duration,
    /// The latest moment that was published, in microseconds: it never goes back.
    published: Arc<AtomicI64>,
    /// Words of the house's address, in lower case: no password is made of them.
    pub(crate) names: Arc<[String]>,
    pub(crate) is_ready: Arc<AtomicBool>,
}

impl House {
    /// Opens the house on a database, by the clock of the database's server where it has one, so
    /// that all servers of the house agree, and never before a moment that was already shown.
    ///
    /// # Errors
    /// If the database fails, or a password cannot be hashed.
    pub async fn open(database: Database) -> Result<Self, CasinoError> {
        let clock_floor = database
            .read::<_, DatabaseError, _>(queries::clock_floor)
            .await?;
        let mut now = shared_now(&database).await?.unwrap_or_else(wall_clock);
        let behind = clock_floor.saturating_since(now);
        if behind > CLOCK_LEASE {
            tracing::warn!(?behind, "the clock went back while the house was closed");
            now = clock_floor;
        } else if !behind.is_zero() {
            // Another server, or this one just before it stopped, has promised a little ahead.
            tokio::time::sleep(behind).await;
            now = shared_now(&database).await?.unwrap_or_else(wall_clock);
        }
        let house = Self::new(database, Arc::new(SystemClock::at(now.max(clock_floor))))?;
        house.follow_shared_clock().await?;
        Ok(house)
    }

    /// Corrects the clock by the database's server, if the house has one: computers pause and drift.
    /// To be called every few seconds.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn follow_shared_clock(&self) -> Result<(), CasinoError> {
        let mut best: Option<ClockReading> = None;
        for _ in 0..CLOCK_READINGS {
            let asked = self.clock.bounds();
            let Some(shared) = shared_now(&self.database).await? else {
                return Ok(());
            };
            let reading = ClockReading {
                asked: middle(asked),
                shared,
                answered: middle(self.clock.bounds()),
            };
            if best.is_none_or(|best| reading.duration() < best.duration()) {
                best = Some(reading);
            }
            if reading.duration() <= QUICK_READING {
                break;
            }
        }
        if let Some(reading) = best {
            let offset = Duration::from_micros(reading.offset_micros().unsigned_abs());
            if offset > self.clock_tolerance.saturating_add(reading.error()) {
                tracing::warn!(?offset, "the clock was off and is set by the database's");
            }
            self.clock.correct(reading.offset_micros(), reading.error());
        }
        Ok(())
    }

    /// Opens the house on a database, by a clock of the caller's.
    ///
    /// # Errors
    /// If a password cannot be hashed.
    pub fn new(database: Database, clock: Arc<dyn Clock>) -> Result<Self, CasinoError> {
        let clock_tolerance = if database.is_shared() {
            CLOCK_TOLERANCE
        } else {
            Duration::ZERO
        };
        Ok(Self {
            database,
            passwords: Arc::new(PasswordHasher::new()?),
            events: Arc::default(),
            schedule: Arc::default(),
            statuses: Arc::default(),
            clock,
            clock_tolerance,
            published: Arc::new(AtomicI64::new(i64::MIN)),
            names: Arc::default(),
            is_ready: Arc::new(AtomicBool::new(true)),
        })
    }

    /// The house that is known by these names, such as the words of its address: no password is made
    /// of them.
    #[must_use]
    pub fn known_as(mut self, names: impl IntoIterator<Item = String>) -> Self {
        self.names = names.into_iter().map(|name| name.to_lowercase()).collect();
        self
    }

    /// The present moment by the house's clock.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// The moment up to which this server shows what time decides, such as the points of a market.
    /// Every server of the house judges by a later one, so that nobody can see a point here and
    /// sell at an older one there. With one server it is the present.
    #[must_use]
    pub fn published_until(&self) -> Timestamp {
        let until = publication_time(self.clock.bounds(), self.clock_tolerance).as_micros();
        let latest = self.published.fetch_max(until, Ordering::SeqCst);
        Timestamp::from_micros(latest.max(until))
    }

    /// The moment by which a call that arrives now is judged.
    pub(crate) fn judged_now(&self) -> Timestamp {
        judgement_time(self.now(), self.clock.bounds(), self.clock_tolerance)
    }

    /// Returns when `moment` may be shown.
    pub async fn wait_until_published(&self, moment: Timestamp) {
        loop {
            let left = moment.saturating_since(self.published_until());
            if left.is_zero() {
                return;
            }
            self.clock.wait_until(self.now().saturating_add(left)).await;
        }
    }

    /// Returns when the house's clock has reached `moment`.
    pub async fn wait_until(&self, moment: Timestamp) {
        while self.now() < moment {
            self.clock.wait_until(moment).await;
        }
    }

    /// Whether the database answered when [`crate::watch_database`] last asked it something.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        self.is_ready.load(Ordering::Relaxed)
    }
}

/// What a clock counts, even while what it tells stands still: the middle of its bounds.
fn middle(bounds: Bounds) -> Timestamp {
    let micros = bounds
        .earliest
        .as_micros()
        .midpoint(bounds.latest.as_micros());
    Timestamp::from_micros(micros)
}

/// The clock that all servers of the house share, if they share one.
async fn shared_now(database: &Database) -> Result<Option<Timestamp>, DatabaseError> {
    database.read(queries::database_now).await
}
