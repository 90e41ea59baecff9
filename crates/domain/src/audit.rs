//! The actions that the audit log records.

use strum::{EnumString, IntoStaticStr, VariantArray};

/// The action that an audit record describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum AuditAction {
    /// An account was created with the administrator role.
    AdministratorCreated,
    /// A user was given the administrator role.
    AdministratorGranted,
    /// An administrator lost the role.
    AdministratorRevoked,
    /// A user was banned.
    UserBanned,
    /// A ban was lifted.
    UserUnbanned,
    /// A balance was set by hand.
    BalanceOverride,
    /// A withdrawal was approved.
    WithdrawalApproved,
    /// A withdrawal was rejected and its amount returned to the balance.
    WithdrawalRejected,
    /// The full details of a decision made before the log recorded addresses and amounts were
    /// added.
    WithdrawalRestated,
    /// A payment was credited by hand.
    PaymentConfirmed,
    /// A review was closed.
    ReviewResolved,
    /// The audit log was given its first key.
    AuditKeyIntroduced,
    /// The audit log's key was replaced.
    AuditKeyChanged,
    /// A list was exported.
    ListExported,
    /// A game's status was set to open, paused or announced.
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

    /// Parses the name.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        text.parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_action_is_parsed_from_its_name() {
        for action in AuditAction::ALL {
            assert_eq!(AuditAction::parse(action.as_str()), Some(*action));
        }
        assert_eq!(AuditAction::UserBanned.as_str(), "user_banned");
        assert_eq!(AuditAction::parse("user_kicked"), None);
    }
}
