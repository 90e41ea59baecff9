//! The kinds of what can happen with a player.

use strum::{EnumString, IntoStaticStr, VariantArray};

use crate::stored_names::stored_names;

/// A kind of what can happen with a player. What happened in the same microsecond is in the order of the
/// kinds.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, EnumString, IntoStaticStr, VariantArray,
)]
#[strum(serialize_all = "snake_case")]
pub enum TimelineKind {
    /// What happened to the access to the account.
    Security,
    /// A request for a deposit.
    Deposit,
    /// A request for a withdrawal.
    Withdrawal,
    /// A settled round, at its end.
    Round,
    /// A ledger entry that is not of a round.
    Ledger,
    /// A change of one of the player's own limits.
    Limit,
    /// The beginning of an exclusion.
    Exclusion,
    /// A record of the audit log about the player, except that somebody has looked at personal data.
    Audit,
}

stored_names!(TimelineKind);
