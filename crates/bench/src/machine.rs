//! Describes the machine, and detects when it stalls during a measurement.

use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

const TICK: Duration = Duration::from_millis(20);
/// A thread that sleeps for 20 ms and wakes up this much too late was kept from running.
const STALL: Duration = Duration::from_millis(200);

/// Counts how often the machine did not let a sleeping thread continue in time.
pub(crate) struct StallWatch {
    stalls: Arc<AtomicUsize>,
}

impl StallWatch {
    pub(crate) fn start() -> Self {
        let stalls = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&stalls);
        thread::spawn(move || {
            loop {
                let slept = Instant::now();
                thread::sleep(TICK);
                if slept.elapsed() > TICK + STALL {
                    counter.fetch_add(1, Ordering::Relaxed);
                }
            }
        });
        Self { stalls }
    }

    pub(crate) fn count(&self) -> usize {
        self.stalls.load(Ordering::Relaxed)
    }
}

/// Processor, cores, memory, kernel, and PostgreSQL's version, one per line.
pub(crate) fn describe() -> Vec<String> {
    let file = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    let value = |text: &str, name: &str| {
        let line = text.lines().find(|line| line.starts_with(name));
        line.and_then(|line| line.split_once(':'))
            .map_or("?", |(_, value)| value.trim())
            .to_owned()
    };
    let cores = thread::available_parallelism().map_or(0, std::num::NonZero::get);
    let pgbench = Command::new("pgbench").arg("--version").output();
    let pgbench = pgbench.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    vec![
        format!(
            "{}, {cores} cores",
            value(&file("/proc/cpuinfo"), "model name")
        ),
        format!("{} of memory", value(&file("/proc/meminfo"), "MemTotal")),
        format!("Linux {}", file("/proc/sys/kernel/osrelease").trim()),
        pgbench.unwrap_or_default(),
    ]
}
