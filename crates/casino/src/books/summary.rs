//! The house's key figures for administrators.

use glasshouse_domain::Money;
use glasshouse_games::registry::{info, listed_names};
use glasshouse_persistence::books::HouseCounts;
use glasshouse_persistence::{DatabaseError, queries};

use crate::books::turnover::Turnover;
use crate::error::CasinoError;
use crate::house::House;

/// How often the games of one listed name were played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameShare {
    /// The name in the history.
    pub listed_name: &'static str,
    /// The number of settled rounds.
    pub rounds: u64,
    /// The share of all rounds in tenths of a percent, rounded to the nearest; 0 if there are no
    /// rounds.
    pub tenths_of_percent: u64,
}

/// The house's key figures.
#[derive(Debug, Clone)]
pub struct HouseSummary {
    /// The numbers of users and of items that need an administrator.
    pub counts: HouseCounts,
    /// The number of settled rounds.
    pub rounds: u64,
    /// The number of won rounds.
    pub wins: u64,
    /// Stakes less payouts.
    pub profit: Money,
    /// All listed names, whether or not their games were played.
    pub games: Vec<GameShare>,
}

/// Reads the key figures with two queries, neither of which scans rounds.
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
            .filter(|totals| info(totals.game).listed_name == name);
        of_name.map(|totals| totals.rounds).sum()
    };
    Ok(HouseSummary {
        counts,
        rounds: turnover.rounds,
        wins: totals.iter().map(|totals| totals.wins).sum(),
        profit: turnover.profit(),
        games: listed_names()
            .into_iter()
            .map(|listed_name| GameShare {
                listed_name,
                rounds: played(listed_name),
                tenths_of_percent: tenths_of_percent(played(listed_name), turnover.rounds),
            })
            .collect(),
    })
}

fn tenths_of_percent(part: u64, whole: u64) -> u64 {
    let numerator = part.saturating_mul(2_000).saturating_add(whole);
    numerator.checked_div(whole.saturating_mul(2)).unwrap_or(0)
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
