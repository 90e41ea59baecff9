//! What tasks that run in the background have in common: rounds of work that are repeated for good, and delays that
//! grow with each failure.

use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::sleep;

use crate::error::CasinoError;

/// The pause after a round of work that has failed, mostly because the database has.
const FAULT_PERIOD: Duration = Duration::from_secs(10);

/// What the log says of a round of work that fails.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RoundTexts {
    /// It has met a fault.
    pub(crate) failed: &'static str,
    /// It was cancelled or has panicked.
    pub(crate) interrupted: &'static str,
}

/// Repeats a round of work for as long as the program runs. A panic ends one round only. `pause_after` is told how much
/// the round has done.
pub(crate) async fn repeat<F>(
    texts: RoundTexts,
    pause_after: fn(usize) -> Duration,
    round: impl Fn() -> F,
) where
    F: Future<Output = Result<usize, CasinoError>> + Send + 'static,
{
    loop {
        let pause = match tokio::spawn(round()).await {
            Ok(Ok(done)) => pause_after(done),
            Ok(Err(error)) => {
                tracing::warn!(%error, "{}", texts.failed);
                FAULT_PERIOD
            }
            Err(error) => {
                tracing::error!(%error, "{}", texts.interrupted);
                FAULT_PERIOD
            }
        };
        sleep(pause).await;
    }
}

/// Waits for all tasks, and returns a fault that one of them has met. `interrupted` is what the log says of a task that has
/// panicked.
///
/// # Errors
/// If a task has met a fault.
pub(crate) async fn finish_all(
    mut tasks: JoinSet<Result<(), CasinoError>>,
    interrupted: &'static str,
) -> Result<(), CasinoError> {
    let mut outcome = Ok(());
    while let Some(finished) = tasks.join_next().await {
        match finished {
            Ok(Ok(())) => {}
            Ok(Err(error)) => outcome = Err(error),
            Err(error) => tracing::error!(%error, "{interrupted}"),
        }
    }
    outcome
}

/// `first`, doubled so many times, but at most `maximum`.
pub(crate) fn doubled(first: Duration, maximum: Duration, times: i64) -> Duration {
    // Sixteen times is more than any maximum here.
    let doublings = u32::try_from(times.clamp(0, 16)).unwrap_or(16);
    first.saturating_mul(1 << doublings).min(maximum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_double_up_to_the_maximum() {
        let (first, maximum) = (Duration::from_secs(10), Duration::from_hours(1));
        let after = |times| doubled(first, maximum, times).as_secs();
        assert_eq!([-1, 0, 1, 8, 9].map(after), [10, 10, 20, 2_560, 3_600]);
        assert_eq!([16, 17, i64::MAX].map(after), [3_600; 3]);
    }
}
