//! What the owners allow in a game besides its rules.

use std::fmt;

use crate::Money;

/// The limits of a game that the owners have set. Each is absent unless they have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GameLimits {
    /// The largest stake at the start of a round.
    pub maximum_stake: Option<Money>,
    /// The most that a round may be able to win.
    pub maximum_profit: Option<Money>,
    /// The most that all rounds in play may be able to win together.
    pub maximum_exposure: Option<Money>,
}

/// The stored form in the audit log, which is also the one that is displayed.
impl fmt::Display for GameLimits {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |limit: Option<Money>| {
            limit.map_or_else(|| "none".to_owned(), |limit| limit.to_string())
        };
        write!(
            formatter,
            "stake {}, profit {}, exposure {}",
            text(self.maximum_stake),
            text(self.maximum_profit),
            text(self.maximum_exposure)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_form_names_each_limit() {
        assert_eq!(
            GameLimits::default().to_string(),
            "stake none, profit none, exposure none"
        );
        let limits = GameLimits {
            maximum_stake: Some(Money::from_cents(50_000)),
            maximum_profit: None,
            maximum_exposure: Some(Money::from_cents(1)),
        };
        assert_eq!(
            limits.to_string(),
            "stake 500.00, profit none, exposure 0.01"
        );
    }
}
