//! What is recorded of administrators and of the operator.

use strum::{EnumString, IntoStaticStr, VariantArray};

/// What was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum AuditAction {
    /// An account was made an administrator's when it was created.
    AdministratorCreated,
    /// A user became an administrator.
    AdministratorGranted,
    /// An administrator became a user again.
    AdministratorRevoked,
    /// A user was banned.
    UserBanned,
    /// A ban was lifted.
    UserUnbanned,
    /// A balance was set.
    BalanceOverride,
    /// A withdrawal was approved.
    WithdrawalApproved,
    /// A withdrawal was rejected and its money given back.
    WithdrawalRejected,
    /// A decision from before the log recorded addresses and amounts was written down in full.
    WithdrawalRestated,
    /// A payment was credited by hand.
    PaymentConfirmed,
    /// A review was closed.
    ReviewResolved,
    /// The audit log was put under a key.
    AuditKeyIntroduced,
    /// The audit log goes on under another key.
    AuditKeyChanged,
    /// A list was exported.
    ListExported,
    /// A game was opened, paused or announced.
    GameStatus,
}

impl AuditAction {
    /// Every action.
    pub const ALL: &'static [Self] = <Self as VariantArray>::VARIANTS;

    /// The name in the database and on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// The action of that name.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        text.parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_are_found_by_their_names() {
        for action in AuditAction::ALL {
            assert_eq!(AuditAction::parse(action.as_str()), Some(*action));
        }
        assert_eq!(AuditAction::UserBanned.as_str(), "user_banned");
        assert_eq!(AuditAction::parse("user_kicked"), None);
    }
}
