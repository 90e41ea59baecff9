//! Roles, and what each of them may do in the panel.

use strum::{EnumString, IntoStaticStr, VariantArray};

use crate::stored_names::stored_names;

/// A user's role. Everybody except players is an administrator, who sees the panel; what
/// administrators can do there differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum Role {
    /// Plays, and is no administrator.
    Player,
    /// Can do everything.
    Owner,
    /// Keeps the books: adjusts balances, confirms payments and resolves reviews.
    Finance,
    /// Decides on withdrawals.
    Cashier,
    /// Helps players, and bans them.
    Support,
    /// Reads everything and changes nothing.
    Auditor,
}

/// Something that administrators do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum Permission {
    /// Read the panel's lists and figures.
    ReadPanel,
    /// Read when and from where a user has signed in.
    ReadSecurityEvents,
    /// Read what the house owes, took in, paid out and won.
    ReadFigures,
    /// Download lists.
    Export,
    /// Note something about a player.
    WriteNotes,
    /// End a user's sessions.
    EndSessions,
    /// Ban users, and lift bans.
    BanUsers,
    /// Set balances.
    AdjustBalances,
    /// Ask the provider for a payment again.
    CheckPayments,
    /// Credit payments by hand.
    ConfirmPayments,
    /// Resolve reviews of payments.
    ResolveReviews,
    /// Acknowledge alerts.
    AcknowledgeAlerts,
    /// Approve and reject withdrawals.
    DecideWithdrawals,
    /// Open, announce and pause games.
    ChangeGames,
    /// Stop deposits, withdrawals, registration or, with maintenance, all of them and new rounds.
    StopHouse,
    /// Allow again what the house's switches have stopped.
    ResumeHouse,
    /// Stop a player from betting, and allow it again.
    BlockBetting,
    /// Stop a player from withdrawing, and allow it again.
    BlockWithdrawing,
    /// Approve and refuse what somebody else has proposed, if one may do it oneself.
    DecideProposals,
    /// Change roles.
    ChangeRoles,
    /// Change the approval thresholds.
    ChangeThresholds,
}

stored_names!(Role, Permission);

impl Role {
    /// Whether users with this role see the panel.
    #[must_use]
    pub const fn is_administrator(self) -> bool {
        self.may(Permission::ReadPanel)
    }

    /// Whether users with this role may do something.
    #[must_use]
    pub const fn may(self, permission: Permission) -> bool {
        use Permission::{
            AcknowledgeAlerts, AdjustBalances, BanUsers, BlockBetting, BlockWithdrawing,
            CheckPayments, ConfirmPayments, DecideProposals, DecideWithdrawals, EndSessions,
            Export, ReadFigures, ReadPanel, ReadSecurityEvents, ResolveReviews, StopHouse,
            WriteNotes,
        };
        match self {
            Self::Player => false,
            Self::Owner => true,
            Self::Finance => matches!(
                permission,
                ReadPanel
                    | ReadFigures
                    | Export
                    | WriteNotes
                    | AdjustBalances
                    | CheckPayments
                    | ConfirmPayments
                    | ResolveReviews
                    | AcknowledgeAlerts
                    | DecideProposals
                    | StopHouse
                    | BlockWithdrawing
            ),
            Self::Cashier => matches!(
                permission,
                ReadPanel
                    | WriteNotes
                    | CheckPayments
                    | AcknowledgeAlerts
                    | DecideWithdrawals
                    | DecideProposals
                    | StopHouse
                    | BlockWithdrawing
            ),
            Self::Support => matches!(
                permission,
                ReadPanel
                    | ReadSecurityEvents
                    | WriteNotes
                    | EndSessions
                    | BanUsers
                    | CheckPayments
                    | AcknowledgeAlerts
                    | BlockBetting
                    | BlockWithdrawing
            ),
            Self::Auditor => matches!(
                permission,
                ReadPanel | ReadSecurityEvents | ReadFigures | Export
            ),
        }
    }

    /// Whether users with this role may decide on what somebody else proposes to do with a permission.
    #[must_use]
    pub const fn may_approve(self, permission: Permission) -> bool {
        self.may(permission) && self.may(Permission::DecideProposals)
    }

    /// Whether this role permits something that another one does not.
    #[must_use]
    pub fn permits_more_than(self, other: Self) -> bool {
        self.permissions().any(|permission| !other.may(permission))
    }

    /// What users with this role may do.
    pub fn permissions(self) -> impl Iterator<Item = Permission> {
        Permission::ALL
            .iter()
            .copied()
            .filter(move |permission| self.may(*permission))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The whole table: a column for each role except the player's, in the order of the roles.
    #[test]
    fn every_role_has_its_permissions() {
        use Permission::*;
        let table = [
            // Owner, finance, cashier, support, auditor.
            (ReadPanel, [true, true, true, true, true]),
            (ReadSecurityEvents, [true, false, false, true, true]),
            (ReadFigures, [true, true, false, false, true]),
            (Export, [true, true, false, false, true]),
            (WriteNotes, [true, true, true, true, false]),
            (EndSessions, [true, false, false, true, false]),
            (BanUsers, [true, false, false, true, false]),
            (AdjustBalances, [true, true, false, false, false]),
            (CheckPayments, [true, true, true, true, false]),
            (ConfirmPayments, [true, true, false, false, false]),
            (ResolveReviews, [true, true, false, false, false]),
            (AcknowledgeAlerts, [true, true, true, true, false]),
            (DecideWithdrawals, [true, false, true, false, false]),
            (ChangeGames, [true, false, false, false, false]),
            (StopHouse, [true, true, true, false, false]),
            (ResumeHouse, [true, false, false, false, false]),
            (BlockBetting, [true, false, false, true, false]),
            (BlockWithdrawing, [true, true, true, true, false]),
            (DecideProposals, [true, true, true, false, false]),
            (ChangeRoles, [true, false, false, false, false]),
            (ChangeThresholds, [true, false, false, false, false]),
        ];
        assert_eq!(table.map(|row| row.0), *Permission::ALL);
        for (permission, expected) in table {
            let found = Role::ALL.iter().map(|role| role.may(permission));
            let expected = [&[false][..], &expected].concat();
            assert_eq!(found.collect::<Vec<_>>(), expected, "{permission:?}");
        }
    }

    /// Their export is one of the lists'.
    #[test]
    fn whoever_may_export_may_read_the_figures() {
        for role in Role::ALL {
            let may_export = role.may(Permission::Export);
            assert!(!may_export || role.may(Permission::ReadFigures), "{role:?}");
        }
    }

    #[test]
    fn a_role_can_permit_more_than_another() {
        assert!(Role::Owner.permits_more_than(Role::Finance));
        assert!(!Role::Finance.permits_more_than(Role::Owner));
        assert!(Role::Finance.permits_more_than(Role::Cashier));
        assert!(Role::Cashier.permits_more_than(Role::Finance));
        assert!(!Role::Owner.permits_more_than(Role::Owner));
    }

    #[test]
    fn everybody_except_players_is_an_administrator() {
        for role in Role::ALL {
            assert_eq!(role.is_administrator(), *role != Role::Player, "{role:?}");
            assert_eq!(Role::parse(role.as_str()), Some(*role));
        }
        assert_eq!(Role::parse("administrator"), None);
        assert_eq!(Role::Player.permissions().count(), 0);
        assert!(
            Role::Owner
                .permissions()
                .eq(Permission::ALL.iter().copied())
        );
    }
}
