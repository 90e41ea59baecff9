//! The house's clock. Injected, so that tests run a round in no time.

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use glasshouse_domain::Timestamp;

/// Tells the time. It never goes back: what a player has seen of a round must stay in the past.
pub trait Clock: Send + Sync {
    /// The present moment.
    fn now(&self) -> Timestamp;

    /// Returns at `moment` or somewhat earlier.
    fn wait_until(&self, moment: Timestamp) -> Pin<Box<dyn Future<Output = ()> + Send>>;

    /// The moments between which the clock that all servers share is now.
    fn bounds(&self) -> Bounds;

    /// Sets the clock forward by so many microseconds, or back if they are negative, after which it
    /// is off by `error` at most. A clock that is set back stands still until it has caught up.
    fn correct(&self, offset_micros: i64, error: Duration);
}

/// The earliest and the latest moment that the clock which all servers share may show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// It shows this moment or a later one.
    pub earliest: Timestamp,
    /// It shows this moment or an earlier one.
    pub latest: Timestamp,
}

impl Bounds {
    /// A clock that is known to be right.
    #[must_use]
    pub const fn exact(now: Timestamp) -> Self {
        Self {
            earliest: now,
            latest: now,
        }
    }

    /// Around `now`, by `error` on either side.
    #[must_use]
    pub fn around(now: Timestamp, error: Duration) -> Self {
        Self {
            earliest: now.saturating_sub(error),
            latest: now.saturating_add(error),
        }
    }
}

/// How far a server's assessment of time may lag behind the shared clock, where there is more than
/// one server. A point of a market is shown when the slowest server has passed it, so this much
/// later, plus the error of the server that shows it; no player sees such a delay.
pub const CLOCK_TOLERANCE: Duration = Duration::from_millis(20);

/// The moment up to which a server may show what time decides: every server of the house judges by
/// a later one.
pub(crate) fn publication_time(bounds: Bounds, tolerance: Duration) -> Timestamp {
    bounds.earliest.saturating_sub(tolerance)
}

/// The moment by which a server judges a call that arrives now, by its clock `now`: never further
/// behind the shared clock than the tolerance, however little the server knows of it.
pub(crate) fn judgement_time(now: Timestamp, bounds: Bounds, tolerance: Duration) -> Timestamp {
    now.max(bounds.latest.saturating_sub(tolerance))
}

/// What one answer of the shared clock tells of this server's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ClockReading {
    /// By this server's clock, before the shared one was asked.
    pub(crate) asked: Timestamp,
    /// What the shared clock showed, at some moment in between.
    pub(crate) shared: Timestamp,
    /// By this server's clock, once the answer was here.
    pub(crate) answered: Timestamp,
}

impl ClockReading {
    /// What to add to this server's clock, in microseconds: the middle of what is possible.
    pub(crate) fn offset_micros(self) -> i64 {
        let middle = self.asked.as_micros().midpoint(self.answered.as_micros());
        self.shared.as_micros().saturating_sub(middle)
    }

    /// How far that may be wrong: half the time that the answer took, rounded up.
    pub(crate) fn error(self) -> Duration {
        self.duration() / 2 + Duration::from_micros(1)
    }

    pub(crate) fn duration(self) -> Duration {
        self.answered.saturating_since(self.asked)
    }
}

/// The computer's steady clock, which counts from the moment that it was set to. Whoever sets the
/// time of day, it neither stops nor jumps.
#[derive(Debug)]
pub struct SystemClock {
    started: Instant,
    /// The moment of `started`, in microseconds.
    base: AtomicI64,
    /// The latest moment that was told.
    latest: AtomicI64,
    /// How far the clock was off at most when it was last corrected, in microseconds.
    error: AtomicI64,
    /// When that was, in microseconds after `started`; [`NEVER`] where there is no shared clock.
    corrected: AtomicI64,
}

/// Two clocks that are both being corrected by NTP part by at most 500 millionths each.
const DRIFT_PER_MILLION: i64 = 1_000;
/// Of a clock that no other one has corrected.
const NEVER: i64 = i64::MIN;
/// A timer is not trusted for longer than this.
const MAXIMUM_WAIT: Duration = Duration::from_mins(1);
/// While the clock stands still, it is looked at this often.
const SHORTEST_WAIT: Duration = Duration::from_millis(1);

impl SystemClock {
    /// A clock that is set to `now`.
    #[must_use]
    pub fn at(now: Timestamp) -> Self {
        Self {
            started: Instant::now(),
            base: AtomicI64::new(now.as_micros()),
            latest: AtomicI64::new(now.as_micros()),
            error: AtomicI64::new(0),
            corrected: AtomicI64::new(NEVER),
        }
    }

    fn elapsed_micros(&self) -> i64 {
        i64::try_from(self.started.elapsed().as_micros()).unwrap_or(i64::MAX)
    }

    /// What the clock counts, which a correction can take back.
    fn counted(&self) -> Timestamp {
        let base = self.base.load(Ordering::SeqCst);
        Timestamp::from_micros(base.saturating_add(self.elapsed_micros()))
    }

    fn error(&self) -> Duration {
        let corrected = self.corrected.load(Ordering::SeqCst);
        if corrected == NEVER {
            // The only server's clock is the house's time.
            return Duration::ZERO;
        }
        let since = self.elapsed_micros().saturating_sub(corrected);
        let drift = since.saturating_mul(DRIFT_PER_MILLION) / 1_000_000;
        let error = self.error.load(Ordering::SeqCst).saturating_add(drift);
        Duration::from_micros(error.unsigned_abs())
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        let counted = self.counted().as_micros();
        let latest = self.latest.fetch_max(counted, Ordering::SeqCst);
        Timestamp::from_micros(latest.max(counted))
    }

    fn wait_until(&self, moment: Timestamp) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        let wait = moment.saturating_since(self.now());
        Box::pin(tokio::time::sleep(wait.clamp(SHORTEST_WAIT, MAXIMUM_WAIT)))
    }

    fn bounds(&self) -> Bounds {
        Bounds::around(self.counted(), self.error())
    }

    fn correct(&self, offset_micros: i64, error: Duration) {
        let error = i64::try_from(error.as_micros()).unwrap_or(i64::MAX);
        // In between, the larger error holds.
        self.error.fetch_max(error, Ordering::SeqCst);
        self.base.fetch_add(offset_micros, Ordering::SeqCst);
        self.corrected
            .store(self.elapsed_micros(), Ordering::SeqCst);
        self.error.store(error, Ordering::SeqCst);
    }
}

/// The computer's time of day.
pub(crate) fn wall_clock() -> Timestamp {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    Timestamp::from_micros(i64::try_from(since.as_micros()).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use glasshouse_games::fairness::{ClientSeed, ServerSeed, Stream};
    use glasshouse_games::stonks::path;

    use super::*;

    const HOUR: Duration = Duration::from_hours(1);

    #[test]
    fn a_clock_that_is_ahead_stands_still_and_one_behind_goes_on_from_there() {
        let start = Timestamp::from_micros(1_800_000_000_000_000);
        let clock = SystemClock::at(start);
        let told = clock.now();
        let hour = i64::try_from(HOUR.as_micros()).unwrap();
        clock.correct(-hour, Duration::ZERO);
        assert!(clock.now() >= told, "it never goes back");
        assert!(clock.now() < start.saturating_add(HOUR));
        let still = clock.now();
        std::thread::sleep(Duration::from_millis(5));
        assert_eq!(clock.now(), still, "it waits for the moment to come");
        assert!(
            clock.bounds().latest < start,
            "what it counts has gone back"
        );
        clock.correct(2 * hour, Duration::ZERO);
        assert!(clock.now() >= start.saturating_add(HOUR));
    }

    #[test]
    fn the_shared_clock_is_within_the_bounds_of_a_reading() {
        let at = Timestamp::from_micros;
        for (asked, stamped, answered, offset) in [
            (1_000, 1_000, 1_001, 0),
            (1_000, 1_000, 3_000, 500),
            (1_000, 3_000, 3_000, -70),
            (1_000, 1_700, 2_501, 12_345),
        ] {
            // The shared clock is ahead by `offset` and was read when ours showed `stamped`.
            let reading = ClockReading {
                asked: at(asked),
                shared: at(stamped + offset),
                answered: at(answered),
            };
            let wrong = (reading.offset_micros() - offset).unsigned_abs();
            assert!(
                Duration::from_micros(wrong) <= reading.error(),
                "{reading:?}"
            );
        }
    }

    #[test]
    fn the_clock_of_the_only_server_is_never_wrong() {
        let start = Timestamp::from_micros(1_800_000_000_000_000);
        let clock = SystemClock {
            // As if it had run for a minute.
            started: Instant::now().checked_sub(MAXIMUM_WAIT).unwrap(),
            ..SystemClock::at(start)
        };
        let Bounds { earliest, latest } = clock.bounds();
        assert_eq!(earliest, latest);
        assert!(earliest >= start.saturating_add(MAXIMUM_WAIT));
    }

    #[test]
    fn the_error_grows_until_the_next_correction() {
        let clock = SystemClock::at(Timestamp::from_micros(1_800_000_000_000_000));
        clock.correct(0, Duration::from_micros(300));
        let width = |bounds: Bounds| bounds.latest.saturating_since(bounds.earliest);
        assert!(width(clock.bounds()) >= Duration::from_micros(600));
        // As if it had been corrected a minute ago.
        clock
            .corrected
            .store(clock.elapsed_micros() - 60_000_000, Ordering::SeqCst);
        assert!(width(clock.bounds()) >= Duration::from_micros(2 * 60_300));
    }

    #[test]
    fn whatever_a_server_shows_every_other_judges_by_a_later_moment() {
        let millis = |count: i64| 1_000 * count;
        let shared = 1_800_000_000_000_000;
        // How far each is off, and how far it may be for all that it knows.
        let servers = [
            (0, 0),
            (3, 3),
            (-3, 4),
            (20, 20),
            (-20, 20),
            (90, 95),
            (-95, 95),
        ];
        for (ahead, may_be) in servers {
            for (behind, may_be_too) in servers {
                let bounds = |offset, error| {
                    let now = Timestamp::from_micros(shared + millis(offset));
                    let error = Duration::from_micros(millis(error).unsigned_abs());
                    (now, Bounds::around(now, error))
                };
                let (_, showing) = bounds(ahead, may_be);
                let (now, judging) = bounds(behind, may_be_too);
                assert!(
                    publication_time(showing, CLOCK_TOLERANCE)
                        <= judgement_time(now, judging, CLOCK_TOLERANCE)
                );
            }
        }
    }

    /// What a player gets back, in thousandths of the stake, who watches a market on one server and
    /// sells on another as soon as a lower point is shown. `shown` and `judged` are the two servers'
    /// moments, in microseconds after the round's start, by those of the shared clock.
    fn sale(points: &[u32], shown: impl Fn(i64) -> i64, judged: impl Fn(i64) -> i64) -> u64 {
        const TICK: i64 = 500_000;
        let tick_at = |micros: i64| usize::try_from(micros.div_euclid(TICK).max(0)).unwrap();
        let end = points.len() - 1;
        for shared in (0..).step_by(5_000) {
            let seen = tick_at(shown(shared)).min(end);
            let sold = tick_at(judged(shared));
            if sold >= end && (seen == end || points[end] == 0) {
                // The round has ended by itself.
                return u64::from(points[end]);
            }
            if seen > 0 && sold > 0 && points[seen] < points[seen - 1] {
                return u64::from(points[sold.min(end)]);
            }
        }
        unreachable!()
    }

    #[test]
    fn servers_that_differ_by_the_tolerance_return_what_one_server_does() {
        let seed = ServerSeed::from_text("0123456789abcdef".repeat(4)).unwrap();
        let client = ClientSeed::parse("two-servers").unwrap();
        let off = i64::try_from(CLOCK_TOLERANCE.as_micros()).unwrap();
        let at = |micros| {
            let now = Timestamp::from_micros(micros);
            (now, Bounds::around(now, CLOCK_TOLERANCE))
        };
        let rounds = 40_000;
        let (mut ours, mut naive) = (0, 0);
        for nonce in 0..rounds {
            let points = path(&mut Stream::new(&seed, &client, nonce));
            // The server that is watched is ahead, the other behind.
            let shown = |shared| publication_time(at(shared + off).1, CLOCK_TOLERANCE).as_micros();
            let judged = |shared| {
                let (now, bounds) = at(shared - off);
                judgement_time(now, bounds, CLOCK_TOLERANCE).as_micros()
            };
            ours += sale(&points, shown, judged);
            // Each by its own clock: the next point is known before this one is history.
            naive += sale(&points, |shared| shared + off, |shared| shared - off);
        }
        // 0.99 and 1.03 of the stakes; both numbers follow from the seeds.
        let per_mille = |total: u64| total / rounds;
        assert!((985..=995).contains(&per_mille(ours)), "{ours}");
        assert!(per_mille(naive) > 1_020, "{naive}");
    }
}
