//! The crash points of the newest settled rounds of all players.

use glasshouse_domain::{Game, Multiplier, RoundId, Timestamp};
use glasshouse_games::crash;
use glasshouse_persistence::rounds::Round;
use glasshouse_persistence::{DatabaseError, queries};

use crate::error::CasinoError;
use crate::house::House;
use crate::play::round_view::details_of;

/// The multipliers for which it is counted how many rounds reached them, in hundredths.
const COUNTED_HUNDREDTHS: [u32; 6] = [150, 200, 300, 500, 1_000, 10_000];

/// A settled round of crash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SettledCrash {
    /// The round's ID.
    pub id: RoundId,
    /// Where it crashed, or would have crashed after its player had cashed out.
    pub crash_point: Multiplier,
    /// When it ended.
    pub ended_at: Timestamp,
}

/// How many rounds reached a multiplier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reached {
    /// The multiplier.
    pub multiplier: Multiplier,
    /// The number of rounds whose crash point is at least that.
    pub rounds: usize,
}

/// The newest crash points and their distribution.
#[derive(Debug, Clone)]
pub struct CrashPoints {
    /// The rounds, newest first.
    pub rounds: Vec<SettledCrash>,
}

impl CrashPoints {
    /// The mean crash point, rounded down to a hundredth; `None` without rounds.
    #[must_use]
    pub fn mean(&self) -> Option<Multiplier> {
        let points = self.rounds.iter().map(|round| round.crash_point);
        let sum: u64 = points.map(|point| u64::from(point.hundredths())).sum();
        let mean = sum.checked_div(u64::try_from(self.rounds.len()).ok()?)?;
        Some(Multiplier::from_hundredths(u32::try_from(mean).ok()?))
    }

    /// How many rounds reached each of the counted multipliers.
    #[must_use]
    pub fn reached(&self) -> Vec<Reached> {
        let reached = COUNTED_HUNDREDTHS.map(|hundredths| {
            let multiplier = Multiplier::from_hundredths(hundredths);
            let points = self.rounds.iter().map(|round| round.crash_point);
            Reached {
                multiplier,
                rounds: points.filter(|point| *point >= multiplier).count(),
            }
        });
        reached.to_vec()
    }
}

/// Reads the crash points of the newest settled rounds. A round in play has none yet.
///
/// # Errors
/// On a fault.
pub async fn read_crash_points(house: &House, limit: usize) -> Result<CrashPoints, CasinoError> {
    let rounds: Vec<Round> = house
        .database
        .read::<_, DatabaseError, _>(move |connection| {
            queries::newest_rounds_of(connection, Game::Crash, limit)
        })
        .await?;
    Ok(CrashPoints {
        rounds: rounds.iter().filter_map(listed).collect(),
    })
}

/// The round as it is listed. One that cannot be read is logged: a list for everybody must not fail
/// because of it.
fn listed(round: &Round) -> Option<SettledCrash> {
    settled_crash(round)
        .inspect_err(|error| tracing::error!(%error, "a crash point could not be listed"))
        .ok()
}

fn settled_crash(round: &Round) -> Result<SettledCrash, CasinoError> {
    let details = details_of::<crash::Round>(round)?;
    let missing = || CasinoError::corrupt(format!("round {} has no crash point", round.id));
    Ok(SettledCrash {
        id: round.id,
        crash_point: details.crash_point().ok_or_else(missing)?,
        ended_at: round.settled_at(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(hundredths: &[u32]) -> CrashPoints {
        let round = |hundredths: &u32| SettledCrash {
            id: RoundId::new(1),
            crash_point: Multiplier::from_hundredths(*hundredths),
            ended_at: Timestamp::from_micros(0),
        };
        CrashPoints {
            rounds: hundredths.iter().map(round).collect(),
        }
    }

    #[test]
    fn a_crash_point_reaches_every_multiplier_up_to_itself() {
        let counts = |hundredths: &[u32]| -> Vec<usize> {
            let reached = points(hundredths).reached();
            reached.iter().map(|reached| reached.rounds).collect()
        };
        assert_eq!(counts(&[]), [0; 6]);
        assert_eq!(counts(&[149, 150, 199, 200]), [3, 1, 0, 0, 0, 0]);
        assert_eq!(counts(&[500, 999, 1_000, 10_000]), [4, 4, 4, 4, 2, 1]);
    }

    #[test]
    fn the_mean_is_rounded_down() {
        let mean = |hundredths: &[u32]| points(hundredths).mean().map(|mean| mean.to_string());
        assert_eq!(mean(&[]), None);
        assert_eq!(mean(&[100, 101]).as_deref(), Some("1.00"));
        assert_eq!(mean(&[100, 250, 10_000]).as_deref(), Some("34.50"));
    }
}
