//! What goes wrong while the players play.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::{Value, json};
use strum::{Display, EnumIter, IntoEnumIterator as _};

use crate::cluster::Cluster;
use crate::house::House;
use crate::postgres::Postgres;
use crate::report;
use crate::tally::Tally;
use crate::waiting::lock;

/// How long the house is left alone between two disturbances, in milliseconds.
const BETWEEN: std::ops::Range<u64> = 200..1_500;
/// How long the disk stays full.
const FULL_FOR: Duration = Duration::from_millis(1_500);
/// How long the clock stays wrong: programs notice within a second.
const CLOCK_WRONG_FOR: Duration = Duration::from_millis(2_500);
/// So many operations after the loss of a primary or an upgrade show that players are answered again: more than there are
/// players.
const RESUMED_OPERATIONS: u64 = 200;
/// A proxy leaves a server that was away alone for a second, as its configuration says. If the next one is stopped before
/// that, the proxy has none at all.
const PROXY_NOTICES_AFTER: Duration = Duration::from_secs(2);
/// How often a server that has exited is noticed.
const SUPERVISION_INTERVAL: Duration = Duration::from_millis(50);

/// Something that goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, EnumIter, clap::ValueEnum)]
#[strum(serialize_all = "lowercase")]
pub(crate) enum Disturbance {
    /// A server is killed with SIGKILL.
    #[strum(to_string = "server killed")]
    ServerKilled,
    /// A server is stopped as by its operator.
    #[strum(to_string = "server restarted")]
    ServerRestarted,
    /// The servers are stopped one after the other, and started in the new version.
    #[strum(to_string = "rolling upgrade")]
    RollingUpgrade,
    /// PostgreSQL is stopped without a checkpoint.
    #[strum(to_string = "PostgreSQL stopped hard")]
    PostgresStopped,
    /// All processes of PostgreSQL are killed.
    #[strum(to_string = "PostgreSQL killed")]
    PostgresKilled,
    /// The primary is lost, and its synchronous standby takes over.
    #[strum(to_string = "failover")]
    Failover,
    /// The machine of the cluster's primary is lost, and comes back after its replacement.
    #[strum(to_string = "primary lost")]
    PrimaryLost,
    /// No more can be written to the disk.
    #[strum(to_string = "disk full")]
    DiskFull,
    /// The clock of the servers and the database jumps, and jumps back.
    #[strum(to_string = "clock set")]
    ClockSet,
    /// The payment provider fails, loses answers, and repeats, delays or drops callbacks.
    #[strum(to_string = "provider at fault")]
    ProviderFaults,
}

impl Disturbance {
    /// How often it occurs among all disturbances of a round.
    const fn weight(self) -> usize {
        match self {
            Self::ServerKilled => 6,
            Self::ProviderFaults => 3,
            Self::ServerRestarted | Self::PostgresStopped | Self::PostgresKilled => 2,
            Self::RollingUpgrade
            | Self::Failover
            | Self::PrimaryLost
            | Self::DiskFull
            | Self::ClockSet => 1,
        }
    }

    /// Whether this machine and this house allow it.
    fn is_possible(self, house: &House) -> bool {
        match self {
            Self::ServerKilled | Self::ServerRestarted | Self::ProviderFaults => true,
            Self::RollingUpgrade => house.has_previous_version(),
            Self::PostgresStopped | Self::PostgresKilled | Self::Failover => {
                house.postgres.is_some()
            }
            Self::PrimaryLost => house.cluster.is_some(),
            Self::DiskFull => house.disk.is_some() && house.cluster.is_none(),
            Self::ClockSet => house.clock.is_some() && house.cluster.is_none(),
        }
    }

    /// Whether something was killed without warning.
    pub(crate) const fn is_kill(self) -> bool {
        matches!(
            self,
            Self::ServerKilled
                | Self::PostgresStopped
                | Self::PostgresKilled
                | Self::Failover
                | Self::PrimaryLost
        )
    }
}

/// Disturbs the house in a random order in which everything possible occurs.
pub(crate) struct Disturber {
    house: Arc<House>,
    tally: Arc<Tally>,
    random: fastrand::Rng,
    /// What may go wrong.
    chosen: Vec<Disturbance>,
    /// What is to come before all of it has gone wrong.
    deck: Vec<Disturbance>,
    disturbances: usize,
    kills: u64,
}

impl Disturber {
    /// `only` limits what goes wrong, unless it is empty.
    pub(crate) fn new(
        house: Arc<House>,
        tally: Arc<Tally>,
        seed: u64,
        only: &[Disturbance],
    ) -> Self {
        let possible = Disturbance::iter().filter(|one| one.is_possible(&house));
        let chosen = possible.filter(|one| only.is_empty() || only.contains(one));
        Self {
            chosen: chosen.collect(),
            house,
            tally,
            random: fastrand::Rng::with_seed(seed),
            deck: Vec::new(),
            disturbances: 0,
            kills: 0,
        }
    }

    /// Waits a moment, then disturbs the house and waits until it is ready again.
    pub(crate) async fn next(&mut self) -> Result<()> {
        tokio::time::sleep(Duration::from_millis(self.random.u64(BETWEEN))).await;
        let disturbance = self.draw()?;
        self.disturb(disturbance)
            .await
            .with_context(|| disturbance.to_string())?;
        self.tally.count(&format!("disturbance: {disturbance}"));
        self.kills += u64::from(disturbance.is_kill());
        // Now and then the next one comes before the house has recovered. An operator waits after a restart.
        if disturbance != Disturbance::ServerRestarted && self.random.u32(..4) == 0 {
            return Ok(());
        }
        self.house
            .wait_until_ready()
            .await
            .with_context(|| format!("after: {disturbance}"))
    }

    /// Kills of servers and of PostgreSQL so far.
    pub(crate) const fn kills(&self) -> u64 {
        self.kills
    }

    /// Whether all that may go wrong has gone wrong at least once.
    pub(crate) fn has_tried_all(&self) -> bool {
        self.disturbances >= self.chosen.len()
    }

    /// What comes next: each of what may go wrong once, then the rest of a round according to their weights.
    fn draw(&mut self) -> Result<Disturbance> {
        if self.deck.is_empty() {
            let chosen = self.chosen.iter();
            self.deck = chosen
                .flat_map(|one| vec![*one; one.weight() - 1])
                .collect();
            self.random.shuffle(&mut self.deck);
            let mut once = self.chosen.clone();
            self.random.shuffle(&mut once);
            self.deck.extend(once);
        }
        self.disturbances += 1;
        self.deck.pop().context("nothing can be disturbed")
    }

    async fn disturb(&mut self, disturbance: Disturbance) -> Result<()> {
        let server = self.random.usize(..self.house.servers());
        match disturbance {
            Disturbance::ServerKilled => self.house.kill_server(server),
            Disturbance::ServerRestarted => {
                self.blocking(move |house| house.stop_server(server)).await
            }
            Disturbance::RollingUpgrade => self.upgrade_servers().await,
            Disturbance::PostgresStopped => self.postgres(|postgres| postgres.stop_hard()).await,
            Disturbance::PostgresKilled => self.postgres(|postgres| postgres.kill()).await,
            Disturbance::Failover => self.postgres(Postgres::fail_over).await,
            Disturbance::PrimaryLost => self.lose_primary().await,
            Disturbance::DiskFull => self.fill_disk().await,
            Disturbance::ClockSet => self.set_clock().await,
            Disturbance::ProviderFaults => {
                let faults = faults(&mut self.random);
                self.house.inject_faults(&faults).await
            }
        }
    }

    /// Upgrades one server after the other. Between two upgrades, players play with both versions.
    async fn upgrade_servers(&self) -> Result<()> {
        self.house.wait_until_ready().await?;
        self.play_on().await;
        for number in 0..self.house.servers() {
            self.measure_pause(self.blocking(move |house| house.upgrade_server(number)))
                .await?;
            if self.house.has_proxy() {
                tokio::time::sleep(PROXY_NOTICES_AFTER).await;
            }
        }
        Ok(())
    }

    /// Kills the primary's machine, and starts it again once players are answered by its replacement.
    async fn lose_primary(&self) -> Result<()> {
        self.cluster(|cluster| cluster.wait_until_complete())
            .await?;
        let loss = self
            .measure_pause(self.cluster(Cluster::lose_primary))
            .await?;
        report::line(&format!(
            "primary lost{}: replaced after {:.1} s, play resumed after {:.1} s",
            if loss.led_etcd {
                " with etcd's leader"
            } else {
                ""
            },
            loss.replaced_after.as_secs_f64(),
            self.tally.longest_pause().as_secs_f64(),
        ));
        self.cluster(move |cluster| cluster.start_machine(loss.machine))
            .await
    }

    /// Takes something away, and notes the longest time without an acknowledgement until players have played on with
    /// what replaces it.
    async fn measure_pause<T>(&self, loss: impl Future<Output = Result<T>>) -> Result<T> {
        self.tally.forget_pauses();
        let outcome = loss.await?;
        self.house.wait_until_ready().await?;
        self.play_on().await;
        self.tally.resume();
        Ok(outcome)
    }

    /// Waits until players have been answered more often than what may have been under way.
    async fn play_on(&self) {
        let before = self.tally.operations();
        while self.tally.operations() < before + RESUMED_OPERATIONS {
            tokio::time::sleep(SUPERVISION_INTERVAL).await;
        }
    }

    async fn fill_disk(&self) -> Result<()> {
        let disk = self.house.disk.as_ref().context("there is no disk")?;
        disk.fill()?;
        tokio::time::sleep(FULL_FOR).await;
        disk.free()?;
        if self.house.postgres.is_some() {
            self.postgres(|postgres| postgres.recover()).await?;
        }
        Ok(())
    }

    async fn set_clock(&mut self) -> Result<()> {
        let clock = self.house.clock.as_ref().context("there is no clock")?;
        let offset_seconds = self.random.i64(-120..=120);
        clock.set(offset_seconds)?;
        tokio::time::sleep(CLOCK_WRONG_FOR).await;
        clock.set(0)
    }

    async fn postgres(
        &self,
        work: impl FnOnce(&mut Postgres) -> Result<()> + Send + 'static,
    ) -> Result<()> {
        self.blocking(|house| {
            let postgres = house.postgres.as_ref().context("there is no PostgreSQL")?;
            work(&mut lock(postgres))
        })
        .await
    }

    async fn cluster<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Cluster) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        self.blocking(|house| {
            let cluster = house.cluster.as_ref().context("there is no cluster")?;
            work(&mut lock(cluster))
        })
        .await
    }

    /// Runs what waits for programs beside the players.
    async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&House) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let house = Arc::clone(&self.house);
        tokio::task::spawn_blocking(move || work(&house)).await?
    }
}

/// Starts servers that have exited, until told to stop. Returns how many.
pub(crate) async fn supervise(house: Arc<House>, is_over: Arc<AtomicBool>) -> Result<usize> {
    let mut started = 0;
    while !is_over.load(Ordering::Relaxed) {
        let house = Arc::clone(&house);
        started += tokio::task::spawn_blocking(move || house.restart_exited()).await??;
        tokio::time::sleep(SUPERVISION_INTERVAL).await;
    }
    Ok(started)
}

/// A random combination of what the provider can do wrong.
fn faults(random: &mut fastrand::Rng) -> Value {
    let answers = [
        "500", "429", "hang", "lost", "done_302", "done_400", "done_429",
    ];
    let count = random.u32(1..8);
    let mut faults = json!({ "count": count, "fail_payouts": random.u32(..2), "reject_payouts": random.u32(..2) });
    let callback = match random.u32(..6) {
        0 => ("duplicate", json!(2)),
        1 => ("reorder", json!(true)),
        2 => ("delay_ms", json!(700)),
        3 => ("drop", json!(true)),
        4 => ("wrong_signature", json!(true)),
        _ => ("truncate", json!(true)),
    };
    if let Some(fields) = faults.as_object_mut() {
        fields.insert(callback.0.to_owned(), callback.1);
        let answer = answers.get(random.usize(..answers.len()));
        fields.insert("answer".to_owned(), json!(answer));
        fields.insert("retry_after".to_owned(), json!(1));
    }
    faults
}
