//! The names of users about whom nothing personal is stored any more.

use std::fmt;

use crate::UserId;

/// What the name begins with. A username cannot have a full stop, so that nobody can register a
/// pseudonym, now or beforehand.
const PREFIX: &str = "closed.";

/// The name of a pseudonymised user, such as `closed.17`. It says nothing but the ID, which the ledger and
/// all receipts state anyway.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pseudonym(UserId);

impl Pseudonym {
    /// The pseudonym of a user.
    #[must_use]
    pub const fn of(user: UserId) -> Self {
        Self(user)
    }

    /// Parses a pseudonym, in any case; `None` if the text is not one.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.to_ascii_lowercase();
        let id = text.strip_prefix(PREFIX)?.parse().ok()?;
        let pseudonym = Self(UserId::new(id));
        (pseudonym.to_string() == text).then_some(pseudonym)
    }
}

/// The name, which is in lower case.
impl fmt::Display for Pseudonym {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{PREFIX}{}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Username, UsernameError};

    #[test]
    fn nobody_can_register_a_pseudonym() {
        for id in [1, 17, i64::MAX] {
            let name = Pseudonym::of(UserId::new(id)).to_string();
            assert_eq!(
                Username::parse(&name),
                Err(UsernameError::ForbiddenCharacter),
                "{name}"
            );
        }
    }

    #[test]
    fn a_pseudonym_is_parsed_in_any_case_and_nothing_else_is_one() {
        let parsed = Some(Pseudonym::of(UserId::new(17)));
        assert_eq!(Pseudonym::parse("closed.17"), parsed);
        assert_eq!(Pseudonym::parse("Closed.17"), parsed);
        for other in [
            "closed-17",
            "closed.",
            "closed.017",
            "closed.+17",
            "closed.x",
            "17",
            "alice",
        ] {
            assert_eq!(Pseudonym::parse(other), None, "{other}");
        }
    }
}
