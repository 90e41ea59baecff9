//! A house is opened, tortured and verified.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Result, bail, ensure};
use serde_json::json;
use tokio::sync::SemaphorePermit;
use tokio::task::JoinSet;

use crate::administrator::Administrator;
use crate::disturbances::{Disturbance, Disturber, supervise};
use crate::house::{House, Kind, Programs};
use crate::players::Player;
use crate::report::{figures, line};
use crate::tally::Tally;
use crate::verify::{Verified, verify};

/// How long the players of a cluster may wait after it has lost a server or its primary.
const RESUMED_WITHIN: Duration = Duration::from_secs(10);

/// When a house has been tortured enough: all three are reached.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Goal {
    pub(crate) seconds: u64,
    pub(crate) operations: u64,
    pub(crate) kills: u64,
}

/// One run with one house.
pub(crate) struct Torture<'a> {
    pub(crate) kind: Kind,
    pub(crate) programs: &'a Programs,
    pub(crate) players: usize,
    /// What goes wrong; everything that is possible, if empty.
    pub(crate) disturb: &'a [Disturbance],
    pub(crate) seed: u64,
    pub(crate) disk_mebibytes: u64,
    pub(crate) logs: &'a Path,
}

impl Torture<'_> {
    /// Opens a house, tortures it until the goal is reached, and verifies everything. The `turn` ends when nobody plays any
    /// more.
    pub(crate) async fn run(&self, goal: &Goal, turn: SemaphorePermit<'_>) -> Result<()> {
        line(&format!("{}: opening a house", self.kind));
        let (kind, programs, mebibytes) = (self.kind, self.programs.clone(), self.disk_mebibytes);
        let opening = tokio::task::spawn_blocking(move || House::open(kind, &programs, mebibytes));
        let house = Arc::new(opening.await??);
        for (missing, consequence) in house.missing() {
            line(&format!("{kind}: no {missing}, so {consequence}"));
        }
        let outcome = self.torture(&house, goal, turn).await;
        let logs = self.logs.join(self.kind.to_string());
        house.keep_logs(&logs)?;
        line(&format!("{kind}: the logs are in {}.", logs.display()));
        outcome
    }

    async fn torture(
        &self,
        house: &Arc<House>,
        goal: &Goal,
        turn: SemaphorePermit<'_>,
    ) -> Result<()> {
        house.wait_until_ready().await?;
        let tally = Arc::new(Tally::new());
        let mut administrator = Administrator::sign_in(house, &tally, self.seed).await?;
        administrator.open_mines().await?;
        let mut players = Vec::with_capacity(self.players);
        for number in 0..self.players {
            let mut player = Player::register(house, &tally, number, self.seed).await?;
            administrator.fund(&mut player).await?;
            players.push(player);
        }

        line(&format!("{}: {} players play", self.kind, self.players));
        let is_over = Arc::new(AtomicBool::new(false));
        let is_settled = Arc::new(AtomicBool::new(false));
        let supervision = tokio::spawn(supervise(Arc::clone(house), Arc::clone(&is_settled)));
        let deciding = tokio::spawn(administrator.work(Arc::clone(&is_settled)));
        let mut playing = JoinSet::new();
        for player in players {
            playing.spawn(player.play(Arc::clone(&is_over)));
        }
        let mut disturber = Disturber::new(
            Arc::clone(house),
            Arc::clone(&tally),
            self.seed,
            self.disturb,
        );
        self.disturb(&mut disturber, &tally, goal, &mut playing)
            .await?;
        let elapsed = tally.elapsed();
        house.inject_faults(&json!({})).await?;
        house.wait_until_ready().await?;
        is_over.store(true, Ordering::Relaxed);
        let mut players = Vec::with_capacity(self.players);
        while let Some(player) = playing.join_next().await {
            players.push(player??);
        }
        drop(turn);

        line(&format!("{}: comparing", self.kind));
        let comparing = Instant::now();
        let verified = verify(house, &mut players).await?;
        // Most of it is waiting for payments that were delayed by what the provider did.
        let seconds = comparing.elapsed().as_secs();
        line(&format!("{}: compared in {seconds} s", self.kind));
        is_settled.store(true, Ordering::Relaxed);
        deciding.await??;
        let restarts = supervision.await??;
        self.finish(house, &tally, &verified)?;
        figures(
            self.kind,
            &tally,
            disturber.kills(),
            restarts,
            &verified,
            elapsed,
        );
        ensure_resumed(self.kind, &tally.resumptions())
    }

    /// Disturbs until the goal is reached. A player who stops has found something.
    async fn disturb(
        &self,
        disturber: &mut Disturber,
        tally: &Tally,
        goal: &Goal,
        playing: &mut JoinSet<Result<Player>>,
    ) -> Result<()> {
        let mut reported = 0;
        loop {
            let is_reached = tally.elapsed() >= Duration::from_secs(goal.seconds)
                && tally.operations() >= goal.operations
                && disturber.kills() >= goal.kills
                && disturber.has_tried_all();
            if is_reached {
                return Ok(());
            }
            tokio::select! {
                outcome = disturber.next() => outcome?,
                Some(stopped) = playing.join_next() => {
                    stopped??;
                    bail!("a player has stopped");
                }
            }
            let minutes = tally.elapsed().as_secs() / 60;
            if minutes > reported {
                reported = minutes;
                let (operations, kills) = (tally.operations(), disturber.kills());
                line(&format!(
                    "{}: {minutes} min, {operations} operations, {kills} kills",
                    self.kind
                ));
            }
        }
    }

    /// Stops the house and has it check its own books.
    fn finish(&self, house: &House, tally: &Tally, verified: &Verified) -> Result<()> {
        house.close()?;
        line(&format!("{}: checking the books", self.kind));
        let checking = Instant::now();
        let checked = house.check()?;
        let seconds = checking.elapsed().as_secs();
        line(&format!("{}: checked in {seconds} s", self.kind));
        for text in checked.lines().filter(|text| text.contains("replay")) {
            line(&format!("  {}", text.trim()));
        }
        let faults = tally
            .counts()
            .into_iter()
            .find(|(name, _)| name.starts_with("answer 500"));
        if let Some((name, count)) = faults {
            bail!(
                "{count} internal errors ({name}), although {} rounds are right",
                verified.rounds
            );
        }
        ensure!(verified.rounds > 0, "no round was played");
        Ok(())
    }
}

/// Players of a cluster must be answered again soon, without anybody's help.
fn ensure_resumed(kind: Kind, resumptions: &[Duration]) -> Result<()> {
    let longest = resumptions.iter().max().copied().unwrap_or_default();
    ensure!(
        kind != Kind::Cluster || longest <= RESUMED_WITHIN,
        "play resumed only after {:.1} s",
        longest.as_secs_f64()
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_cluster_must_resume_within_ten_seconds() {
        let seconds = |all: &[u64]| -> Vec<Duration> {
            all.iter().copied().map(Duration::from_secs).collect()
        };
        assert!(ensure_resumed(Kind::Cluster, &seconds(&[])).is_ok());
        assert!(ensure_resumed(Kind::Cluster, &seconds(&[3, 10, 2])).is_ok());
        assert!(ensure_resumed(Kind::Cluster, &seconds(&[3, 11, 2])).is_err());
        assert!(ensure_resumed(Kind::Postgres, &seconds(&[11])).is_ok());
    }
}
