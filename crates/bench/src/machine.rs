//! Describes the machine, reads what its processes take, and detects when it stalls during a measurement.

use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;
use sysinfo::{
    Cpu, CpuRefreshKind, MemoryRefreshKind, Pid, Process, ProcessRefreshKind, ProcessesToUpdate,
    RefreshKind, System,
};

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

/// A value of a process.
pub(crate) fn process<T>(id: u32, value: impl FnOnce(&Process) -> T) -> anyhow::Result<T> {
    let id = Pid::from_u32(id);
    let system = processes(ProcessesToUpdate::Some(&[id]))?;
    let process = system.process(id).context("the process has ended")?;
    Ok(value(process))
}

/// The processor time of all processes with a name that run at present, of whatever program they are.
pub(crate) fn processor_time(name: &str) -> anyhow::Result<Duration> {
    let system = processes(ProcessesToUpdate::All)?;
    let named = system
        .processes()
        .values()
        .filter(|process| process.name() == name);
    let milliseconds = named.map(Process::accumulated_cpu_time).sum();
    Ok(Duration::from_millis(milliseconds))
}

fn processes(which: ProcessesToUpdate<'_>) -> anyhow::Result<System> {
    let mut system = System::new()?;
    let kind = ProcessRefreshKind::nothing()
        .with_cpu()
        .with_memory()
        .with_disk_usage();
    system.refresh_processes_specifics(which, true, kind.without_tasks());
    Ok(system)
}

/// Processor, cores, memory, kernel, and PostgreSQL's version, one per line.
pub(crate) fn describe() -> anyhow::Result<Vec<String>> {
    let processors = CpuRefreshKind::nothing();
    let memory = MemoryRefreshKind::nothing().with_ram();
    let kinds = RefreshKind::nothing()
        .with_cpu(processors)
        .with_memory(memory);
    let system = System::new_with_specifics(kinds)?;
    let processor = system.cpus().first().map_or("?", Cpu::brand);
    let cores = thread::available_parallelism().map_or(0, std::num::NonZero::get);
    let pgbench = Command::new("pgbench").arg("--version").output();
    let pgbench = pgbench.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    Ok(vec![
        format!("{processor}, {cores} cores"),
        format!("{} MiB of memory", system.total_memory() / 1024 / 1024),
        format!("Linux {}", System::kernel_version().unwrap_or_default()),
        pgbench.unwrap_or_default(),
    ])
}
