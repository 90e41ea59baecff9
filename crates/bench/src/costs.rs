//! What a bet costs: processor time, and bytes written.

use std::time::Duration;

use sysinfo::Process;

use crate::house::{Backend, House};
use crate::load::{self, Load};
use crate::machine;
use crate::postgres::Postgres;

/// A window of load on one house, and what each of its bets took.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bets {
    pub(crate) load: Load,
    /// The processor time of the server, of PostgreSQL's processes that go on, and of the load generator, per bet.
    pub(crate) server: Duration,
    pub(crate) postgres: Duration,
    pub(crate) generator: Duration,
    /// What the server has written to disks for a bet on SQLite, and PostgreSQL's WAL for one on PostgreSQL.
    pub(crate) bytes: u64,
}

/// Totals at one time.
struct Totals {
    server: Duration,
    postgres: Duration,
    generator: Duration,
    bytes: u64,
}

/// Places bets for the given duration.
pub(crate) async fn measure(
    house: &House,
    postgres: &Postgres,
    connections: usize,
    duration: Duration,
) -> anyhow::Result<Bets> {
    let before = Totals::now(house, postgres)?;
    let load = load::run(house, connections, duration).await?;
    let after = Totals::now(house, postgres)?;
    let bets = u32::try_from(load.bets.max(1))?;
    let of_one = |after: Duration, before: Duration| after.saturating_sub(before) / bets;
    Ok(Bets {
        load,
        server: of_one(after.server, before.server),
        postgres: of_one(after.postgres, before.postgres),
        generator: of_one(after.generator, before.generator),
        bytes: (after.bytes - before.bytes) / u64::from(bets),
    })
}

impl Totals {
    fn now(house: &House, postgres: &Postgres) -> anyhow::Result<Self> {
        let server = house.process_id();
        Ok(Self {
            server: processor_time(server)?,
            postgres: machine::processor_time("postgres")?,
            generator: processor_time(std::process::id())?,
            bytes: match &house.backend {
                Backend::Sqlite => {
                    machine::process(server, |process| process.disk_usage().total_written_bytes)?
                }
                Backend::Postgres(_) => postgres.wal_bytes()?,
            },
        })
    }
}

fn processor_time(process: u32) -> anyhow::Result<Duration> {
    let milliseconds = machine::process(process, Process::accumulated_cpu_time)?;
    Ok(Duration::from_millis(milliseconds))
}
