//! The end of what a program has printed, to be repeated below the table of results: whoever reads
//! only the end of a long log sees what failed.

use std::{
    collections::VecDeque,
    io::{BufRead, BufReader, Read, Write},
    process::Child,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::Duration,
};

use crate::report;

/// How many lines are repeated.
const KEPT_LINES: usize = 60;
/// How many bytes of a line are repeated.
const KEPT_BYTES: usize = 300;
/// How long the rest of the output may take after the program has exited: another process that it
/// has started may hold the output open.
const REST_TIMEOUT: Duration = Duration::from_secs(2);

/// The last lines of a program whose output is copied to this process's own.
pub(super) struct Tail {
    lines: Arc<Mutex<VecDeque<String>>>,
    ended: mpsc::Receiver<()>,
}

impl Tail {
    /// Copies the piped output of `child` line by line from now on.
    pub(super) fn of(child: &mut Child) -> Self {
        let lines = Arc::default();
        let (sender, ended) = mpsc::channel();
        if let Some(output) = child.stdout.take() {
            copy(output, std::io::stdout(), &lines, &sender);
        }
        if let Some(output) = child.stderr.take() {
            copy(output, std::io::stderr(), &lines, &sender);
        }
        Self { lines, ended }
    }

    /// The last lines, once the program has exited.
    pub(super) fn text(self) -> String {
        // Nothing is ever sent: both copies drop their senders when the output ends.
        if self.ended.recv_timeout(REST_TIMEOUT) == Err(RecvTimeoutError::Timeout) {
            report::problem("Another process still holds the output open.");
        }
        let lines: Vec<_> = locked(&self.lines).iter().cloned().collect();
        lines.join("\n")
    }
}

/// Copies on a thread of its own until the output ends.
fn copy(
    from: impl Read + Send + 'static,
    mut to: impl Write + Send + 'static,
    lines: &Arc<Mutex<VecDeque<String>>>,
    ended: &mpsc::Sender<()>,
) {
    let (lines, until_it_ends) = (Arc::clone(lines), ended.clone());
    thread::spawn(move || {
        let mut from = BufReader::new(from);
        let mut line = Vec::new();
        while from.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
            // Nobody may be reading any more; the program must not be held up by that.
            drop(to.write_all(&line).and_then(|()| to.flush()));
            keep(&mut locked(&lines), &line);
            line.clear();
        }
        drop(until_it_ends);
    });
}

fn keep(lines: &mut VecDeque<String>, line: &[u8]) {
    let line = line.get(..KEPT_BYTES).unwrap_or(line);
    let line = String::from_utf8_lossy(line).trim_end().to_owned();
    if line.is_empty() {
        return;
    }
    if lines.len() == KEPT_LINES {
        lines.pop_front();
    }
    lines.push_back(line);
}

fn locked(lines: &Mutex<VecDeque<String>>) -> MutexGuard<'_, VecDeque<String>> {
    lines.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_lines_are_kept() {
        let mut lines = VecDeque::new();
        keep(&mut lines, b"  \n");
        for number in 0..=KEPT_LINES {
            keep(&mut lines, format!("line {number}\n").as_bytes());
        }
        keep(&mut lines, &[b'x'; 2 * KEPT_BYTES]);
        assert_eq!(lines.len(), KEPT_LINES);
        assert_eq!(lines.front().map(String::as_str), Some("line 2"));
        assert_eq!(lines.back().map(String::len), Some(KEPT_BYTES));
    }
}
