//! How long a writer waits for its next batch to fill.
//!
//! Those who were answered together come back together, but not at once. A writer that began with the
//! first of them would commit it alone, while all others wait for that commit.

use std::time::{Duration, Instant};

use crossbeam_channel::Receiver;

/// The maximum number of jobs per commit.
const BATCH_SIZE: usize = 64;
/// A batch waits for jobs for at most this part of the time that the last one took.
const SHARE_OF_LAST: u32 = 4;
/// And at most for this long, in case the last one had to wait for a lock.
const LONGEST_WAIT: Duration = Duration::from_millis(5);

/// All that waits in a queue, at most `most`, once there is anything. `None` if all senders are gone and the
/// queue is empty.
pub(crate) fn take_waiting<J>(queue: &Receiver<J>, most: usize) -> Option<Vec<J>> {
    let mut taken = Vec::with_capacity(most);
    taken.push(queue.recv().ok()?);
    taken.extend(queue.try_iter().take(most - 1));
    Some(taken)
}

/// What is known from earlier batches.
#[derive(Debug, Default)]
pub(crate) struct Pace {
    /// The mean number of jobs in the last batches.
    usual: usize,
    /// How long a batch may wait for as many.
    wait: Duration,
}

impl Pace {
    /// The jobs of the next batch, once there are any: all that wait, and those that come while it waits for
    /// as many as usual. `None` if all senders are gone and the queue is empty.
    pub(crate) fn gather<J>(&self, queue: &Receiver<J>) -> Option<Vec<J>> {
        let mut jobs = take_waiting(queue, BATCH_SIZE)?;
        let deadline = Instant::now() + self.wait;
        while jobs.len() < self.usual
            && let Ok(job) = queue.recv_deadline(deadline)
        {
            jobs.push(job);
        }
        Some(jobs)
    }

    /// Notes a batch.
    pub(crate) fn note(&mut self, jobs: usize, elapsed: Duration) {
        self.usual = self.usual.midpoint(jobs);
        self.wait = (elapsed / SHARE_OF_LAST).min(LONGEST_WAIT);
    }
}

#[cfg(test)]
mod tests {
    use crossbeam_channel::unbounded;

    use super::*;

    fn queue_of(jobs: usize) -> (crossbeam_channel::Sender<usize>, Receiver<usize>) {
        let (sender, receiver) = unbounded();
        for job in 0..jobs {
            sender.send(job).unwrap();
        }
        (sender, receiver)
    }

    /// A pace that would wait forever if it waited.
    fn patient(usual: usize) -> Pace {
        Pace {
            usual,
            wait: Duration::from_hours(1),
        }
    }

    #[test]
    fn a_single_job_does_not_wait_for_others_if_there_are_usually_none() {
        let (_sender, queue) = queue_of(1);
        assert_eq!(patient(1).gather(&queue), Some(vec![0]));
    }

    #[test]
    fn all_waiting_jobs_are_taken_up_to_the_largest_batch() {
        let (sender, queue) = queue_of(BATCH_SIZE + 3);
        assert_eq!(patient(5).gather(&queue).unwrap().len(), BATCH_SIZE);
        drop(sender);
        assert_eq!(patient(5).gather(&queue).unwrap().len(), 3);
        assert_eq!(patient(5).gather(&queue), None);
    }

    #[test]
    fn a_batch_waits_for_as_many_jobs_as_usual() {
        let (sender, queue) = queue_of(1);
        let late = std::thread::spawn(move || {
            for job in 1..4 {
                sender.send(job).unwrap();
            }
            // Not dropped before all are taken, which would end the wait.
            sender
        });
        assert_eq!(patient(4).gather(&queue), Some(vec![0, 1, 2, 3]));
        drop(late.join().unwrap());
    }

    #[test]
    fn a_batch_does_not_wait_longer_than_a_part_of_the_last_one() {
        let mut pace = Pace::default();
        pace.note(64, Duration::from_millis(8));
        assert_eq!((pace.usual, pace.wait), (32, Duration::from_millis(2)));
        pace.note(64, Duration::from_secs(3));
        assert_eq!((pace.usual, pace.wait), (48, LONGEST_WAIT));
        // Fewer than usual come: the wait ends without them.
        let (_sender, queue) = queue_of(1);
        assert_eq!(pace.gather(&queue), Some(vec![0]));
        // Soon nobody is waited for.
        for _ in 0..6 {
            pace.note(1, Duration::from_micros(100));
        }
        assert_eq!(pace.usual, 1);
    }
}
