//! The house's clock. It is injected, so that tests can run a round without waiting.

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use glasshouse_domain::Timestamp;

/// A clock that never goes back: what a player has seen of a round must stay in the past.
pub trait Clock: Send + Sync {
    /// The current time.
    fn now(&self) -> Timestamp;

    /// Returns at `moment` or slightly earlier.
    fn wait_until(&self, moment: Timestamp) -> Pin<Box<dyn Future<Output = ()> + Send>>;

    /// The range in which the clock that all servers share is now.
    fn bounds(&self) -> Bounds;

    /// Moves the clock forward by `offset_micros`, or back if it is negative. Afterwards the clock
    /// is off by at most `error`. A clock that is set back stands still until it has caught up.
    fn correct(&self, offset_micros: i64, error: Duration);
}

/// The earliest and the latest time that the clock shared by all servers may show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// The shared clock is at this moment or later.
    pub earliest: Timestamp,
    /// The shared clock is at this moment or earlier.
    pub latest: Timestamp,
}

impl Bounds {
    /// The bounds of a clock without error.
    #[must_use]
    pub const fn exact(now: Timestamp) -> Self {
        Self {
            earliest: now,
            latest: now,
        }
    }

    /// The bounds from `now - error` to `now + error`.
    #[must_use]
    pub fn around(now: Timestamp, error: Duration) -> Self {
        Self {
            earliest: now.saturating_sub(error),
            latest: now.saturating_add(error),
        }
    }
}

/// How far a server's judgement time may lag behind the shared clock if there are several servers.
/// A point of a market is published once the slowest server has passed it, so it appears later by
/// this tolerance and by the error of the publishing server; players do not notice this delay.
pub const CLOCK_TOLERANCE: Duration = Duration::from_millis(20);

/// The moment up to which a server may publish time-dependent facts. All servers judge requests by
/// a later moment.
pub(crate) fn publication_time(bounds: Bounds, tolerance: Duration) -> Timestamp {
    bounds.earliest.saturating_sub(tolerance)
}

/// The moment by which a server whose clock shows `now` judges a request that arrives now. It never
/// lags behind the shared clock by more than the tolerance, however uncertain the server's clock
/// is.
pub(crate) fn judgement_time(now: Timestamp, bounds: Bounds, tolerance: Duration) -> Timestamp {
    now.max(bounds.latest.saturating_sub(tolerance))
}

/// The UTC date of a moment. One that is too far away for a date has that of 1970, so that a search from it on
/// finds everything.
pub(crate) fn date_of(at: Timestamp) -> jiff::civil::Date {
    jiff::Timestamp::from_microsecond(at.as_micros())
        .unwrap_or(jiff::Timestamp::UNIX_EPOCH)
        .to_zoned(jiff::tz::TimeZone::UTC)
        .date()
}

/// One reading of the shared clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ClockReading {
    /// This server's time before the request.
    pub(crate) requested_at: Timestamp,
    /// The shared clock's time, taken at some moment in between.
    pub(crate) shared: Timestamp,
    /// This server's time after the answer.
    pub(crate) answered_at: Timestamp,
}

impl ClockReading {
    /// The offset to add to this server's clock, in microseconds, assuming that the shared clock
    /// was read halfway between request and answer.
    pub(crate) fn offset_micros(self) -> i64 {
        let middle = self
            .requested_at
            .as_micros()
            .midpoint(self.answered_at.as_micros());
        self.shared.as_micros().saturating_sub(middle)
    }

    /// The maximum error of the offset: half the duration of the reading, rounded up.
    pub(crate) fn error(self) -> Duration {
        self.duration() / 2 + Duration::from_micros(1)
    }

    pub(crate) fn duration(self) -> Duration {
        self.answered_at.saturating_since(self.requested_at)
    }
}

/// A clock based on the computer's monotonic clock, counting from the moment that it was set to. It
/// neither stops nor jumps when the computer's time of day is changed.
#[derive(Debug)]
pub struct SystemClock {
    started: Instant,
    /// The time at `started`, in microseconds since the epoch.
    base: AtomicI64,
    /// The latest time that was returned, in microseconds since the epoch.
    latest: AtomicI64,
    /// The maximum error after the last correction, in microseconds.
    error: AtomicI64,
    /// The time of the last correction, in microseconds after `started`; [`NEVER`] if there is no
    /// shared clock.
    corrected: AtomicI64,
}

/// Two clocks that are both disciplined by NTP drift apart by at most 500 ppm each.
const DRIFT_PER_MILLION: i64 = 1_000;
/// The value of `corrected` for a clock that was never corrected.
const NEVER: i64 = i64::MIN;
/// The longest single sleep; timers are not trusted for longer.
const MAXIMUM_WAIT: Duration = Duration::from_mins(1);
/// The shortest single sleep, used while the clock stands still.
const SHORTEST_WAIT: Duration = Duration::from_millis(1);

impl SystemClock {
    /// A clock that starts at `now`.
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

    /// The uncorrected count, which can go back after a correction.
    fn counted(&self) -> Timestamp {
        let base = self.base.load(Ordering::SeqCst);
        Timestamp::from_micros(base.saturating_add(self.elapsed_micros()))
    }

    fn error(&self) -> Duration {
        let corrected = self.corrected.load(Ordering::SeqCst);
        if corrected == NEVER {
            // With a single server, its clock is the reference.
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
        // Until the new error is stored, the larger of the two applies.
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
    fn clock_set_back_stands_still_and_clock_set_forward_jumps() {
        let start = Timestamp::from_micros(1_800_000_000_000_000);
        let clock = SystemClock::at(start);
        let before = clock.now();
        let hour = i64::try_from(HOUR.as_micros()).unwrap();
        clock.correct(-hour, Duration::ZERO);
        assert!(clock.now() >= before, "the clock went back");
        assert!(clock.now() < start.saturating_add(HOUR));
        let frozen = clock.now();
        std::thread::sleep(Duration::from_millis(5));
        assert_eq!(clock.now(), frozen, "the clock must stand still");
        assert!(
            clock.bounds().latest < start,
            "the count behind the clock must have gone back"
        );
        clock.correct(2 * hour, Duration::ZERO);
        assert!(clock.now() >= start.saturating_add(HOUR));
    }

    #[test]
    fn reading_error_covers_the_true_offset() {
        let at = Timestamp::from_micros;
        for (requested_at, read_at, answered_at, offset) in [
            // In microseconds of this server's clock; `offset` is how far the shared clock is ahead.
            (1_000, 1_000, 1_001, 0),
            (1_000, 1_000, 3_000, 500),
            (1_000, 3_000, 3_000, -70),
            (1_000, 1_700, 2_501, 12_345),
        ] {
            // The shared clock was read when this server's clock showed `read_at`.
            let reading = ClockReading {
                requested_at: at(requested_at),
                shared: at(read_at + offset),
                answered_at: at(answered_at),
            };
            let deviation = (reading.offset_micros() - offset).unsigned_abs();
            assert!(
                Duration::from_micros(deviation) <= reading.error(),
                "{reading:?}"
            );
        }
    }

    #[test]
    fn uncorrected_clock_has_no_error() {
        let start = Timestamp::from_micros(1_800_000_000_000_000);
        let clock = SystemClock {
            // As if the clock had been running for a minute.
            started: Instant::now().checked_sub(MAXIMUM_WAIT).unwrap(),
            ..SystemClock::at(start)
        };
        let Bounds { earliest, latest } = clock.bounds();
        assert_eq!(earliest, latest);
        assert!(earliest >= start.saturating_add(MAXIMUM_WAIT));
    }

    #[test]
    fn error_grows_until_the_next_correction() {
        let clock = SystemClock::at(Timestamp::from_micros(1_800_000_000_000_000));
        clock.correct(0, Duration::from_micros(300));
        let width = |bounds: Bounds| bounds.latest.saturating_since(bounds.earliest);
        assert!(width(clock.bounds()) >= Duration::from_micros(600));
        // As if the last correction had been a minute ago.
        clock
            .corrected
            .store(clock.elapsed_micros() - 60_000_000, Ordering::SeqCst);
        assert!(width(clock.bounds()) >= Duration::from_micros(2 * 60_300));
    }

    #[test]
    fn judgement_time_is_never_before_another_servers_publication_time() {
        let millis = |count: i64| 1_000 * count;
        let shared = 1_800_000_000_000_000;
        // The actual offset and the known maximum error of each server, in milliseconds.
        let servers = [
            (0, 0),
            (3, 3),
            (-3, 4),
            (20, 20),
            (-20, 20),
            (90, 95),
            (-95, 95),
        ];
        for (publisher_offset, publisher_error) in servers {
            for (judge_offset, judge_error) in servers {
                let bounds = |offset, error| {
                    let now = Timestamp::from_micros(shared + millis(offset));
                    let error = Duration::from_micros(millis(error).unsigned_abs());
                    (now, Bounds::around(now, error))
                };
                let (_, publishing) = bounds(publisher_offset, publisher_error);
                let (now, judging) = bounds(judge_offset, judge_error);
                assert!(
                    publication_time(publishing, CLOCK_TOLERANCE)
                        <= judgement_time(now, judging, CLOCK_TOLERANCE)
                );
            }
        }
    }

    /// The payout, in thousandths of the stake, of a player who watches a market on one server and
    /// sells on another as soon as a lower point appears. `published` and `judged` map the shared
    /// clock's time to the two servers' times, in microseconds after the start of the round.
    fn sale(points: &[u32], published: impl Fn(i64) -> i64, judged: impl Fn(i64) -> i64) -> u64 {
        const TICK: i64 = 500_000;
        let tick_at = |micros: i64| usize::try_from(micros.div_euclid(TICK).max(0)).unwrap();
        let end = points.len() - 1;
        for shared in (0..).step_by(5_000) {
            let seen = tick_at(published(shared)).min(end);
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
    fn clock_differences_within_the_tolerance_do_not_change_the_rtp() {
        let seed = ServerSeed::from_text("0123456789abcdef".repeat(4)).unwrap();
        let client = ClientSeed::parse("two-servers").unwrap();
        let offset = i64::try_from(CLOCK_TOLERANCE.as_micros()).unwrap();
        let at = |micros| {
            let now = Timestamp::from_micros(micros);
            (now, Bounds::around(now, CLOCK_TOLERANCE))
        };
        let rounds = 40_000;
        let (mut tolerant, mut naive) = (0, 0);
        for nonce in 0..rounds {
            let points = path(&mut Stream::new(&seed, &client, nonce));
            // The server that the player watches is ahead; the one that sells is behind.
            let published =
                |shared| publication_time(at(shared + offset).1, CLOCK_TOLERANCE).as_micros();
            let judged = |shared| {
                let (now, bounds) = at(shared - offset);
                judgement_time(now, bounds, CLOCK_TOLERANCE).as_micros()
            };
            tolerant += sale(&points, published, judged);
            // Each server by its own clock: the next point is known while the last one can still be
            // sold.
            naive += sale(&points, |shared| shared + offset, |shared| shared - offset);
        }
        // About 0.99 and 1.03 of the stakes; both numbers follow from the seeds.
        let per_mille = |total: u64| total / rounds;
        assert!((985..=995).contains(&per_mille(tolerant)), "{tolerant}");
        assert!(per_mille(naive) > 1_020, "{naive}");
    }
}
