//! Waiting for other programs and for other threads.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};

/// How long something may take, and how often to look.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wait {
    pub(crate) limit: Duration,
    pub(crate) interval: Duration,
}

impl Wait {
    /// Returns the first value of `attempt`, or fails with `late` after the limit.
    pub(crate) fn for_value<T>(
        self,
        mut attempt: impl FnMut() -> Result<Option<T>>,
        late: impl FnOnce() -> String,
    ) -> Result<T> {
        let started = Instant::now();
        loop {
            if let Some(value) = attempt()? {
                return Ok(value);
            }
            if started.elapsed() > self.limit {
                bail!("{} after {:?}", late(), self.limit);
            }
            thread::sleep(self.interval);
        }
    }

    /// Returns once `is_done`, or fails with `late` after the limit.
    pub(crate) fn until(
        self,
        mut is_done: impl FnMut() -> Result<bool>,
        late: impl FnOnce() -> String,
    ) -> Result<()> {
        self.for_value(|| Ok(is_done()?.then_some(())), late)
    }
}

/// Locks a mutex, also if a thread panicked with it.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    const WAIT: Wait = Wait {
        limit: Duration::ZERO,
        interval: Duration::ZERO,
    };

    #[test]
    fn a_value_is_waited_for_until_the_limit() {
        let mut attempts = 0..2;
        let patient = Wait {
            limit: Duration::from_hours(1),
            ..WAIT
        };
        let value = patient.for_value(
            || Ok(attempts.next().is_none().then_some("it")),
            || "nothing".to_owned(),
        );
        assert_eq!(value.unwrap(), "it");
        let late = WAIT.until(|| Ok(false), || "nothing".to_owned());
        assert_eq!(late.unwrap_err().to_string(), "nothing after 0ns");
        let failed = WAIT.until(|| bail!("a fault"), || "nothing".to_owned());
        assert_eq!(failed.unwrap_err().to_string(), "a fault");
    }
}
