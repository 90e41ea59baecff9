//! The sums of each game's rounds, and how they compare with what the rules predict.
#![expect(
    clippy::float_arithmetic,
    clippy::cast_precision_loss,
    reason = "statistics: no money is computed from them"
)]

use std::collections::BTreeMap;

use glasshouse_domain::{Game, Spread};
use glasshouse_games::game_round::ReturnOf;
use glasshouse_games::registry::info;
use serde::{Deserialize, Serialize};

use crate::audit::contradiction::Contradiction;
use crate::audit::statistics::deviation_bound;

/// 95 % of a normal distribution lie within this many standard deviations of its mean.
const STANDARD_DEVIATIONS: f64 = 1.959_963_984_540_054;
/// A return is a contradiction if it is further off than this …
const MAXIMUM_DEVIATIONS: f64 = 6.0;
/// … and if even the bound of its probability that holds for few and skewed rounds is below this.
const MINIMUM_PROBABILITY: f64 = 1e-9;

/// The sums of a game's rounds. Amounts are in US cents.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct GameSums {
    pub(crate) rounds: i64,
    pub(crate) stake: i64,
    pub(crate) payout: i64,
    /// What the rules predict for the payouts, and their variance.
    pub(crate) expected: f64,
    pub(crate) variance: f64,
    pub(crate) largest_stake: i64,
    pub(crate) largest_payout: i64,
}

impl GameSums {
    pub(crate) fn of_round(stake: i64, payout: i64, spread: Spread) -> Self {
        Self {
            rounds: 1,
            stake,
            payout,
            expected: spread.expected_cents,
            variance: spread.variance,
            largest_stake: stake,
            largest_payout: payout,
        }
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.rounds = self.rounds.saturating_add(other.rounds);
        self.stake = self.stake.saturating_add(other.stake);
        self.payout = self.payout.saturating_add(other.payout);
        self.expected += other.expected;
        self.variance += other.variance;
        self.largest_stake = self.largest_stake.max(other.largest_stake);
        self.largest_payout = self.largest_payout.max(other.largest_payout);
    }

    /// Rounds, stakes and payouts, as the books state them.
    pub(crate) const fn totals(&self) -> [i64; 3] {
        [self.rounds, self.stake, self.payout]
    }
}

/// The sums of all games that have rounds.
pub(crate) type AllSums = BTreeMap<Game, GameSums>;

/// Adds the sums of later rounds.
pub(crate) fn add_sums(sums: &mut AllSums, later: &AllSums) {
    for (game, more) in later {
        sums.entry(*game).or_default().add(more);
    }
}

/// The measured return of a game.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Measured {
    /// The measured RTP in percent.
    pub(crate) percent: f64,
    /// The ends of its 95 % confidence interval.
    pub(crate) interval: (f64, f64),
    /// The RTP that the rules predict for the bets that were placed, in percent.
    pub(crate) expected_percent: f64,
    /// The distance of the measured from the predicted RTP in standard deviations.
    pub(crate) deviations: f64,
    /// An upper bound of the probability that chance alone leads at least this far away.
    pub(crate) bound: f64,
}

/// Measures a game's return; `None` without rounds or stakes.
pub(crate) fn measure(sums: &GameSums) -> Option<Measured> {
    if sums.rounds <= 0 || sums.stake <= 0 || sums.variance <= 0.0 {
        return None;
    }
    let (stake, paid) = (sums.stake as f64, sums.payout as f64);
    let percent = |cents: f64| 100.0 * cents / stake;
    let deviation = sums.variance.sqrt();
    let difference = paid - sums.expected;
    let margin = STANDARD_DEVIATIONS * deviation;
    // One round can take the sum down by its stake, and up by its payout.
    let largest_step = if difference < 0.0 {
        sums.largest_stake
    } else {
        sums.largest_payout.max(sums.largest_stake)
    };
    Some(Measured {
        percent: percent(paid),
        interval: (percent((paid - margin).max(0.0)), percent(paid + margin)),
        expected_percent: percent(sums.expected),
        deviations: difference / deviation,
        bound: deviation_bound(difference.abs(), sums.variance, largest_step as f64),
    })
}

/// Finds a game whose return is absurdly improbable under its rules.
pub(crate) fn check_returns(sums: &AllSums) -> Result<(), Contradiction> {
    for (game, sums) in sums {
        let Some(measured) = measure(sums) else {
            continue;
        };
        // Where the rules promise the RTP of best play, players' mistakes explain a lower one.
        let is_excused = match info(*game).return_of {
            ReturnOf::EveryStrategy => false,
            ReturnOf::BestPlay => measured.deviations < 0.0,
        };
        let is_absurd =
            measured.deviations.abs() > MAXIMUM_DEVIATIONS && measured.bound < MINIMUM_PROBABILITY;
        if is_absurd && !is_excused {
            return Err(Contradiction::Return {
                game: game.as_str(),
                measured: measured.percent,
                expected: measured.expected_percent,
                deviations: measured.deviations,
                bound: measured.bound,
            });
        }
    }
    Ok(())
}

/// The sums by the games' names, in files.
pub(crate) mod by_name {
    use std::collections::BTreeMap;

    use glasshouse_domain::Game;
    use serde::{Deserialize as _, Deserializer, Serializer, de};

    use super::{AllSums, GameSums};

    pub(crate) fn serialize<S: Serializer>(
        sums: &AllSums,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_map(sums.iter().map(|(game, sums)| (game.as_str(), sums)))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<AllSums, D::Error> {
        let named = BTreeMap::<String, GameSums>::deserialize(deserializer)?;
        named
            .into_iter()
            .map(|(name, sums)| {
                let game = Game::parse(&name)
                    .ok_or_else(|| de::Error::custom(format!("{name} is no game")))?;
                Ok((game, sums))
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sums(rounds: i64, payout: i64, spread: Spread) -> GameSums {
        let mut sums = GameSums::default();
        for _ in 0..rounds {
            sums.add(&GameSums::of_round(100, 0, spread));
        }
        sums.payout = payout;
        sums.largest_payout = 198;
        sums
    }

    /// A stake of one dollar on dice over 50 pays 198 cents with probability one half.
    const EVEN_MONEY: Spread = Spread {
        expected_cents: 99.0,
        variance: 9_801.0,
    };

    #[test]
    fn interval_and_deviations_follow_from_the_rules() {
        let measured = measure(&sums(100, 7_920, EVEN_MONEY)).unwrap();
        assert!((measured.percent - 79.2).abs() < 1e-9, "{measured:?}");
        assert!((measured.expected_percent - 99.0).abs() < 1e-9);
        assert!((measured.deviations + 2.0).abs() < 1e-9, "{measured:?}");
        let (low, high) = measured.interval;
        assert!((low - (79.2 - 1.959_964 * 9.9)).abs() < 1e-4, "{low}");
        assert!((high - (79.2 + 1.959_964 * 9.9)).abs() < 1e-4, "{high}");
    }

    #[test]
    fn only_absurd_returns_are_contradictions() {
        let check = |game, payout, is_contradiction: bool| {
            let all = AllSums::from([(game, sums(1_000, payout, EVEN_MONEY))]);
            let found = check_returns(&all);
            assert_eq!(found.is_err(), is_contradiction, "{game:?} {payout}");
        };
        // The standard deviation of 1,000 rounds is 3,131 cents.
        check(Game::Dice, 99_000, false);
        check(Game::Dice, 99_000 - 5 * 3_131, false);
        check(Game::Dice, 99_000 - 8 * 3_131, true);
        check(Game::Dice, 99_000 + 8 * 3_131, true);
        // Players of poker make mistakes, but nobody is better than the best.
        check(Game::VideoPoker, 99_000 - 8 * 3_131, false);
        check(Game::VideoPoker, 99_000 + 8 * 3_131, true);
    }

    #[test]
    fn a_rare_win_among_few_rounds_is_no_contradiction() {
        // One of 30 hands is a royal flush, which pays 800 times the stake.
        let spread = Spread {
            expected_cents: 97.3,
            variance: 19.3 * 10_000.0,
        };
        let mut sums = sums(30, 80_000, spread);
        sums.largest_payout = 80_000;
        assert!(measure(&sums).unwrap().deviations > 30.0);
        assert!(check_returns(&AllSums::from([(Game::VideoPoker, sums)])).is_ok());
    }
}
