//! The versions of the games' rules: a round is paid and verified by the one it was placed under.

/// A version of the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RulesVersion {
    /// Version 1: a payout is rounded down to the cent.
    RoundedDown,
    /// Version 2: where a payout is not a whole number of cents, the round's seeds decide whether
    /// its fraction becomes a cent or nothing, with the chance that is the fraction.
    FairCents,
}

impl RulesVersion {
    /// What new rounds are played by.
    pub const CURRENT: Self = Self::FairCents;

    /// The number in the database and on the wire.
    #[must_use]
    pub const fn number(self) -> u8 {
        match self {
            Self::RoundedDown => 1,
            Self::FairCents => 2,
        }
    }

    /// The version of that number.
    #[must_use]
    pub fn of_number(number: i64) -> Option<Self> {
        [Self::RoundedDown, Self::FairCents]
            .into_iter()
            .find(|version| i64::from(version.number()) == number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_version_is_found_by_its_number() {
        assert_eq!(RulesVersion::of_number(1), Some(RulesVersion::RoundedDown));
        assert_eq!(RulesVersion::of_number(2), Some(RulesVersion::FairCents));
        assert_eq!(RulesVersion::CURRENT.number(), 2);
        for unknown in [i64::MIN, 0, 3, i64::MAX] {
            assert_eq!(RulesVersion::of_number(unknown), None);
        }
    }
}
