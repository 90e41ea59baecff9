//! An administrator sees the house at a glance.

use glasshouse_domain::Money;
use glasshouse_games::registry::{info, listed_names};
use glasshouse_persistence::books::HouseCounts;
use glasshouse_persistence::{DatabaseError, queries};

use crate::books::turnover::Turnover;
use crate::error::CasinoError;
use crate::house::House;

/// How often a game was played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameShare {
    /// The name that the history lists it under.
    pub listed_as: &'static str,
    /// Settled rounds.
    pub rounds: u64,
    /// Of all rounds, in tenths of a percent, rounded to the nearest; 0 without any.
    pub tenths_of_percent: u64,
}

/// The house at a glance.
#[derive(Debug, Clone)]
pub struct HouseSummary {
    /// Users, and what waits for an administrator.
    pub counts: HouseCounts,
    /// Settled rounds.
    pub rounds: u64,
    /// Those that were won.
    pub wins: u64,
    /// What was staked less what was paid.
    pub profit: Money,
    /// Every game that is listed, played or not.
    pub games: Vec<GameShare>,
}

/// Reads it in two queries, neither of which looks at a round.
///
/// # Errors
/// On a fault.
pub async fn read_summary(house: &House) -> Result<HouseSummary, CasinoError> {
    let (counts, totals) = house
        .database
        .read::<_, DatabaseError, _>(|connection| {
            let counts = queries::house_counts(connection)?;
            Ok((counts, queries::house_totals_of_all_days(connection)?))
        })
        .await?;
    let turnover = Turnover::of(&totals);
    let played = |name: &str| {
        let of_name = totals
            .iter()
            .filter(|totals| info(totals.game).listed_as == name);
        of_name.map(|totals| totals.rounds).sum()
    };
    Ok(HouseSummary {
        counts,
        rounds: turnover.rounds,
        wins: totals.iter().map(|totals| totals.wins).sum(),
        profit: turnover.profit(),
        games: listed_names()
            .into_iter()
            .map(|listed_as| GameShare {
                listed_as,
                rounds: played(listed_as),
                tenths_of_percent: tenths_of_percent(played(listed_as), turnover.rounds),
            })
            .collect(),
    })
}

fn tenths_of_percent(part: u64, whole: u64) -> u64 {
    let doubled = part.saturating_mul(2_000).saturating_add(whole);
    doubled.checked_div(whole.saturating_mul(2)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_rounded_to_the_nearest_tenth() {
        let check = |part, whole, expected| assert_eq!(tenths_of_percent(part, whole), expected);
        check(0, 0, 0);
        check(0, 7, 0);
        check(7, 7, 1_000);
        check(1, 3, 333);
        check(2, 3, 667);
        check(1, 2_000, 1);
        check(1, 2_001, 0);
    }
}
