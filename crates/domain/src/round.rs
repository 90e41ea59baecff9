//! The state and result of a round, common to all games.

use strum::{EnumString, IntoStaticStr, VariantArray};

use crate::stored_names::stored_names;

/// Whether a round is in play or settled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RoundState {
    /// In play.
    Open,
    /// Finished and paid out.
    Settled,
}

impl RoundState {
    /// The name in the database.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Settled => "settled",
        }
    }
}

/// The result of a settled round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum RoundResult {
    /// The player won.
    Win,
    /// The house won.
    Loss,
    /// A tie: the stakes were returned.
    Push,
}

stored_names!(RoundResult);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_result_is_parsed_from_its_name() {
        for result in [RoundResult::Win, RoundResult::Loss, RoundResult::Push] {
            assert_eq!(RoundResult::parse(result.as_str()), Some(result));
        }
        assert_eq!(RoundResult::parse("win (2.00x)"), None);
    }
}
