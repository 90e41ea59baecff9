//! How much a withdrawal deserves a closer look before it is paid.

use strum::{EnumString, IntoStaticStr, VariantArray};

use crate::Money;
use crate::stored_names::stored_names;

/// Deposits count as hardly wagered below this many times their amount.
const WAGERED_TIMES: i64 = 2;
/// A profit is unusual from this many times the deposits.
const PROFIT_TIMES: i64 = 10;

/// A reason for a closer look at a withdrawal.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, EnumString, IntoStaticStr, VariantArray,
)]
#[strum(serialize_all = "snake_case")]
pub enum RiskFactor {
    /// Other players use the address too.
    SharedAddress,
    /// A payment of the player was under review.
    OpenReview,
    /// The password or the second factor was changed recently.
    SecurityChange,
    /// The player has never deposited anything.
    NoDeposit,
    /// The player has won many times what was deposited.
    HighProfit,
    /// The player has hardly wagered the deposits.
    LittleWagered,
    /// The player has never withdrawn to the address.
    FirstUse,
}

stored_names!(RiskFactor);

impl RiskFactor {
    /// How much the factor weighs.
    #[must_use]
    pub const fn points(self) -> i64 {
        match self {
            Self::SharedAddress => 40,
            Self::OpenReview => 30,
            Self::SecurityChange => 25,
            Self::NoDeposit | Self::HighProfit => 20,
            Self::LittleWagered | Self::FirstUse => 15,
        }
    }
}

/// What is known of a player and an address when a withdrawal is requested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent facts, each with a factor"
)]
pub struct RiskFacts {
    /// What the player has deposited so far.
    pub deposited: Money,
    /// What the player has staked so far.
    pub wagered: Money,
    /// What the player has won beyond the stakes; negative if it was lost.
    pub profit: Money,
    /// Whether no withdrawal of the player to the address was approved before.
    pub is_first_use: bool,
    /// Whether other players use the address too.
    pub is_shared: bool,
    /// Whether the password or the second factor was changed so recently that it delays withdrawals.
    pub has_security_change: bool,
    /// Whether a payment of the player is under review.
    pub has_open_review: bool,
}

/// The risk factors of a withdrawal, fixed when it is requested.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WithdrawalRisk(Vec<RiskFactor>);

impl WithdrawalRisk {
    /// Judges what is known.
    #[must_use]
    pub fn of(facts: &RiskFacts) -> Self {
        let times = |amount: Money, factor: i64| amount.cents().saturating_mul(factor);
        let has_deposited = facts.deposited.is_positive();
        let factors = [
            (RiskFactor::SharedAddress, facts.is_shared),
            (RiskFactor::OpenReview, facts.has_open_review),
            (RiskFactor::SecurityChange, facts.has_security_change),
            (RiskFactor::NoDeposit, !has_deposited),
            (
                RiskFactor::HighProfit,
                has_deposited && facts.profit.cents() >= times(facts.deposited, PROFIT_TIMES),
            ),
            (
                RiskFactor::LittleWagered,
                has_deposited && facts.wagered.cents() < times(facts.deposited, WAGERED_TIMES),
            ),
            (RiskFactor::FirstUse, facts.is_first_use),
        ];
        Self(
            factors
                .into_iter()
                .filter_map(|(factor, applies)| applies.then_some(factor))
                .collect(),
        )
    }

    /// The factors, those that weigh most first.
    #[must_use]
    pub fn factors(&self) -> &[RiskFactor] {
        &self.0
    }

    /// The sum of the factors' points.
    #[must_use]
    pub fn points(&self) -> i64 {
        self.0.iter().map(|factor| factor.points()).sum()
    }

    /// The text in the database: the names, separated by commas; empty if there is no factor.
    #[must_use]
    pub fn to_text(&self) -> String {
        let names: Vec<_> = self.0.iter().map(|factor| factor.as_str()).collect();
        names.join(",")
    }

    /// Parses the text in the database.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        if text.is_empty() {
            return Some(Self::default());
        }
        text.split(',')
            .map(RiskFactor::parse)
            .collect::<Option<Vec<_>>>()
            .map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A player with nothing unusual.
    const USUAL: RiskFacts = RiskFacts {
        deposited: Money::from_cents(10_000),
        wagered: Money::from_cents(20_000),
        profit: Money::from_cents(99_999),
        is_first_use: false,
        is_shared: false,
        has_security_change: false,
        has_open_review: false,
    };

    #[test]
    fn each_fact_has_its_factor() {
        let check = |facts: RiskFacts, factors: &[RiskFactor], points: i64| {
            let risk = WithdrawalRisk::of(&facts);
            assert_eq!(risk.factors(), factors);
            assert_eq!(risk.points(), points);
            assert_eq!(WithdrawalRisk::parse(&risk.to_text()), Some(risk));
        };
        check(USUAL, &[], 0);
        check(
            RiskFacts {
                is_shared: true,
                is_first_use: true,
                ..USUAL
            },
            &[RiskFactor::SharedAddress, RiskFactor::FirstUse],
            55,
        );
        check(
            RiskFacts {
                has_open_review: true,
                has_security_change: true,
                ..USUAL
            },
            &[RiskFactor::OpenReview, RiskFactor::SecurityChange],
            55,
        );
        check(
            RiskFacts {
                profit: Money::from_cents(100_000),
                ..USUAL
            },
            &[RiskFactor::HighProfit],
            20,
        );
        check(
            RiskFacts {
                wagered: Money::from_cents(19_999),
                ..USUAL
            },
            &[RiskFactor::LittleWagered],
            15,
        );
        check(
            RiskFacts {
                deposited: Money::ZERO,
                wagered: Money::ZERO,
                ..USUAL
            },
            &[RiskFactor::NoDeposit],
            20,
        );
    }

    #[test]
    fn an_unknown_factor_is_refused() {
        assert_eq!(WithdrawalRisk::parse("shared_address,bad_luck"), None);
    }
}
