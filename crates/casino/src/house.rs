//! The shared state of all use cases: database, clock, password hasher and event listeners.

use std::ops::Deref;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::time::Duration;

use glasshouse_domain::{PayoutMethod, Timestamp};
use glasshouse_persistence::{Database, DatabaseError, queries};
use glasshouse_transparency::keys::VerifierKeys;
use webauthn_rs::Webauthn;

use crate::accounts::passkeys::relying_party::relying_party;
use crate::accounts::password_hashing::{Cost, PasswordHasher};
use crate::accounts::waiting_room::WaitingRoom;
use crate::accounts::work_queue::WorkQueue;
use crate::administration::recorded_accesses::RecordedAccesses;
use crate::clock::{
    Bounds, CLOCK_TOLERANCE, Clock, ClockReading, SystemClock, judgement_time, publication_time,
    wall_clock,
};
use crate::error::CasinoError;
use crate::operating::settings_cache::SettingsCache;
use crate::play::bet_feed::BetFeed;
use crate::play::timed::events::RoundEvents;
use crate::play::timed::schedule::Schedule;
use crate::public_log::availability::LogKeeper;
use crate::public_log::last_overview::LastOverview;
use crate::public_log::witness::Witness;

/// How far ahead the stored lower bound of the clock is set. The clock never goes back behind it.
pub(crate) const CLOCK_LEASE: Duration = Duration::from_secs(2);
/// How many readings of the shared clock are taken; the fastest one is used.
const CLOCK_READINGS: usize = 5;
/// A reading that takes no longer than this is good enough to stop early.
const QUICK_READING: Duration = Duration::from_millis(1);

/// How long withdrawals are delayed unless the operator decides otherwise: an owner who looks once a day
/// notices in time.
const WITHDRAWAL_DELAY: Duration = Duration::from_hours(24);
/// How long closed accounts are kept unless the operator decides otherwise: five years, for which laws
/// against money laundering usually require it. At most two of these years have a day more.
const CLOSED_ACCOUNT_RETENTION: Duration = Duration::from_hours(24 * 1_827);
/// Where a house is reached that was not told its address.
const DEFAULT_PUBLIC_URL: &str = "http://127.0.0.1:8080";

/// How many passwords are assessed at once: a crafted one takes 0.15 s, and a flood of them must leave
/// the other cores to the players.
const CONCURRENT_ASSESSMENTS: usize = 1;
/// How many assessments of passwords run or wait. Usual ones take less than a millisecond each.
const QUEUED_ASSESSMENTS: usize = 100;

/// The casino's shared state. Cheap to clone.
#[derive(Clone)]
pub struct House {
    parts: Arc<Parts>,
}

impl Deref for House {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.parts
    }
}

/// What a house consists of. Clones of a house share one: bets in progress and event streams each have
/// several.
#[derive(Clone)]
pub struct Parts {
    pub(crate) database: Database,
    pub(crate) passwords: Arc<PasswordHasher>,
    pub(crate) failures: Arc<WaitingRoom>,
    /// Requests for new passwords whose links are being sent.
    pub(crate) recoveries: Arc<WaitingRoom>,
    pub(crate) password_assessments: Arc<WorkQueue>,
    /// The personal data that administrators were shown lately.
    pub(crate) accesses: Arc<RecordedAccesses>,
    pub(crate) events: Arc<RoundEvents>,
    pub(crate) bets: Arc<BetFeed>,
    pub(crate) schedule: Arc<Schedule>,
    /// The games' statuses and the house's switches.
    pub(crate) settings: Arc<SettingsCache>,
    /// The newest version of the Terms of Service that this server knows; 0 if there is none.
    pub(crate) terms_version: Arc<AtomicI64>,
    pub(crate) clock: Arc<dyn Clock>,
    /// How far this server's judgement time may lag behind the shared clock; zero if it is the only
    /// server.
    clock_tolerance: Duration,
    /// The latest published moment, in microseconds since the epoch. It never goes back.
    published: Arc<AtomicI64>,
    /// Words of the house's address in lower case, which passwords must not be made of.
    pub(crate) names: Arc<[String]>,
    /// The base URL of the links in mails, without a slash at its end.
    pub(crate) public_url: Arc<str>,
    /// Checks passkeys; `None` if the house's address can have none.
    pub(crate) relying_party: Option<Arc<Webauthn>>,
    pub(crate) is_ready: Arc<AtomicBool>,
    pub(crate) public_log: Arc<LogKeeper>,
    pub(crate) overview: Arc<LastOverview>,
    pub(crate) witnesses: Arc<[Witness]>,
    /// How long a new address, or a change of what protects the account, delays withdrawals.
    pub(crate) withdrawal_delay: Duration,
    /// Who pays approved withdrawals.
    pub(crate) payout_method: PayoutMethod,
    /// How long after its closure everything personal is removed from an account.
    pub(crate) closed_account_retention: Duration,
}

impl House {
    /// Opens the house on a database. The clock is set by the database server, if there is one, so
    /// that all servers agree, and it never starts before a moment that was already published.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn open(database: Database) -> Result<Self, CasinoError> {
        let clock_floor = database
            .read::<_, DatabaseError, _>(queries::clock_floor)
            .await?;
        let mut now = shared_now(&database).await?.unwrap_or_else(wall_clock);
        let behind = clock_floor.saturating_since(now);
        if behind > CLOCK_LEASE {
            tracing::warn!(?behind, "the clock went back while the server was stopped");
            now = clock_floor;
        } else if !behind.is_zero() {
            // Another server, or this one before it stopped, has set the floor slightly ahead.
            tokio::time::sleep(behind).await;
            now = shared_now(&database).await?.unwrap_or_else(wall_clock);
        }
        let house = Self::new(database, Arc::new(SystemClock::at(now.max(clock_floor))));
        house.follow_shared_clock().await?;
        Ok(house)
    }

    /// Corrects the clock by the database server's clock, if there is one, because computers pause
    /// and drift. Call it every few seconds.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn follow_shared_clock(&self) -> Result<(), CasinoError> {
        let mut best: Option<ClockReading> = None;
        for _ in 0..CLOCK_READINGS {
            let before = self.clock.bounds();
            let Some(shared) = shared_now(&self.database).await? else {
                return Ok(());
            };
            let reading = ClockReading {
                requested_at: middle(before),
                shared,
                answered_at: middle(self.clock.bounds()),
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
                tracing::warn!(
                    ?offset,
                    "the clock was off and has been corrected by the database's clock"
                );
            }
            self.clock.correct(reading.offset_micros(), reading.error());
        }
        Ok(())
    }

    /// Creates the house on a database with the given clock.
    #[must_use]
    pub fn new(database: Database, clock: Arc<dyn Clock>) -> Self {
        let clock_tolerance = if database.is_shared() {
            CLOCK_TOLERANCE
        } else {
            Duration::ZERO
        };
        let parts = Parts {
            database,
            passwords: Arc::new(PasswordHasher::new(Cost::Full)),
            failures: Arc::default(),
            recoveries: Arc::default(),
            password_assessments: Arc::new(WorkQueue::new(
                CONCURRENT_ASSESSMENTS,
                QUEUED_ASSESSMENTS,
            )),
            accesses: Arc::default(),
            events: Arc::default(),
            bets: Arc::default(),
            schedule: Arc::default(),
            settings: Arc::default(),
            terms_version: Arc::default(),
            clock,
            clock_tolerance,
            published: Arc::new(AtomicI64::new(i64::MIN)),
            names: Arc::default(),
            public_url: Arc::from(DEFAULT_PUBLIC_URL),
            relying_party: relying_party(DEFAULT_PUBLIC_URL).map(Arc::new),
            is_ready: Arc::new(AtomicBool::new(true)),
            public_log: Arc::new(LogKeeper::new(None)),
            overview: Arc::default(),
            witnesses: Arc::default(),
            withdrawal_delay: WITHDRAWAL_DELAY,
            payout_method: PayoutMethod::Manual,
            closed_account_retention: CLOSED_ACCOUNT_RETENTION,
        };
        Self {
            parts: Arc::new(parts),
        }
    }

    /// The parts, for setting up a house. Clones that were made before keep theirs.
    fn parts_mut(&mut self) -> &mut Parts {
        Arc::make_mut(&mut self.parts)
    }

    /// Hashes passwords with next to no work. For tests only: whoever had the database would know them.
    #[doc(hidden)]
    #[must_use]
    pub fn with_unprotected_passwords(mut self) -> Self {
        self.parts_mut().passwords = Arc::new(PasswordHasher::new(Cost::Test));
        self
    }

    /// Sets the names by which the house is known, such as the words of its address. Passwords must
    /// not be made of them.
    #[must_use]
    pub fn known_as(mut self, names: impl IntoIterator<Item = String>) -> Self {
        self.parts_mut().names = names.into_iter().map(|name| name.to_lowercase()).collect();
        self
    }

    /// Sets the base URL that browsers use, with which links in mails begin and at which passkeys work.
    #[must_use]
    pub fn reached_at(mut self, public_url: &str) -> Self {
        self.parts_mut().public_url = Arc::from(public_url.trim_end_matches('/'));
        self.parts_mut().relying_party = relying_party(public_url).map(Arc::new);
        self
    }

    /// Keeps the last checkpoint of the public log in this file, outside of the database, so that the
    /// restoration of an old backup is noticed.
    #[must_use]
    pub fn keeping_checkpoints_in(mut self, file: PathBuf) -> Self {
        self.parts_mut().public_log = Arc::new(LogKeeper::new(Some(file)));
        self
    }

    /// Has the checkpoints of the public log cosigned by these witnesses.
    #[must_use]
    pub fn witnessed_by(mut self, witnesses: Vec<Witness>) -> Self {
        self.parts_mut().witnesses = witnesses.into();
        self
    }

    /// Sets how long a new address, or a change of what protects the account, delays withdrawals; zero
    /// delays none.
    #[must_use]
    pub fn delaying_withdrawals_by(mut self, delay: Duration) -> Self {
        self.parts_mut().withdrawal_delay = delay;
        self
    }

    /// Sets who pays withdrawals that are approved from now on; by hand if it is not set.
    #[must_use]
    pub fn paying_by(mut self, method: PayoutMethod) -> Self {
        self.parts_mut().payout_method = method;
        self
    }

    /// Who pays withdrawals that are approved now.
    #[must_use]
    pub fn payout_method(&self) -> PayoutMethod {
        self.payout_method
    }

    /// Sets how long after its closure everything personal is removed from an account.
    #[must_use]
    pub fn keeping_closed_accounts_for(mut self, retention: Duration) -> Self {
        self.parts_mut().closed_account_retention = retention;
        self
    }

    /// How long a new address, or a change of what protects the account, delays withdrawals.
    #[must_use]
    pub fn withdrawal_delay(&self) -> Duration {
        self.withdrawal_delay
    }

    /// The keys that verify receipts and checkpoints.
    #[must_use]
    pub fn log_keys(&self) -> VerifierKeys {
        self.database.keys().log.keys().verifier_keys().clone()
    }

    /// The current time of the house's clock.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// The moment up to which this server publishes time-dependent facts, such as the points of a
    /// market. All servers judge requests by a later moment, so a player cannot see a point on one
    /// server and sell at an older one on another. With a single server, this is the current time.
    #[must_use]
    pub fn published_until(&self) -> Timestamp {
        let until = publication_time(self.clock.bounds(), self.clock_tolerance).as_micros();
        let latest = self.published.fetch_max(until, Ordering::SeqCst);
        Timestamp::from_micros(latest.max(until))
    }

    /// The moment by which a request that arrives now is judged.
    pub(crate) fn judged_now(&self) -> Timestamp {
        judgement_time(self.now(), self.clock.bounds(), self.clock_tolerance)
    }

    /// Returns once `moment` may be published.
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

    /// Whether the last probe of [`crate::watch_database`] reached the database.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        self.is_ready.load(Ordering::Relaxed)
    }
}

/// The middle of a clock's bounds: its uncorrected count, which runs on even while the clock that
/// callers see stands still.
fn middle(bounds: Bounds) -> Timestamp {
    let micros = bounds
        .earliest
        .as_micros()
        .midpoint(bounds.latest.as_micros());
    Timestamp::from_micros(micros)
}

/// The current time of the clock that all servers share, if there is one.
async fn shared_now(database: &Database) -> Result<Option<Timestamp>, DatabaseError> {
    database.read(queries::database_now).await
}
