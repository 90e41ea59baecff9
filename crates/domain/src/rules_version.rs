//! Versions of the games' rules: a round is paid and verified by the version it was placed under.

/// A version of the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RulesVersion {
    /// Version 1: payouts are rounded down to the cent.
    RoundedDown,
    /// Version 2: a payout with a fraction of a cent is rounded up with a probability equal to the
    /// fraction, and down otherwise. The round's seeds decide.
    FairCents,
}

impl RulesVersion {
    /// The version that new rounds are played under.
    pub const CURRENT: Self = Self::FairCents;

    /// The number in the database and on the wire.
    #[must_use]
    pub const fn number(self) -> u8 {
        match self {
            Self::RoundedDown => 1,
            Self::FairCents => 2,
        }
    }

    /// The version with the given number.
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
