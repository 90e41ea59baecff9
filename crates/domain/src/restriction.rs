//! What the operator can stop a single player from doing.

use strum::{EnumString, IntoStaticStr, VariantArray};

use crate::Permission;
use crate::stored_names::stored_names;

/// Something that is blocked for a player. A restricted player can sign in and read, and rounds in play
/// can be finished; who may not sign in is banned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum Restriction {
    /// The player starts no rounds, and requests no deposits, which could not be wagered.
    Betting,
    /// The player requests no withdrawals, and pending ones are not approved.
    Withdrawing,
}

stored_names!(Restriction);

impl Restriction {
    /// The permission to restrict players so, and to lift that.
    #[must_use]
    pub const fn permission(self) -> Permission {
        match self {
            Self::Betting => Permission::BlockBetting,
            Self::Withdrawing => Permission::BlockWithdrawing,
        }
    }
}

/// Why a player is restricted, which only administrators see; `None` where the player is not.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Restrictions {
    /// Why betting is blocked.
    pub betting: Option<String>,
    /// Why withdrawing is blocked.
    pub withdrawing: Option<String>,
}

impl Restrictions {
    /// Why the player is restricted so.
    #[must_use]
    pub fn reason(&self, restriction: Restriction) -> Option<&str> {
        match restriction {
            Restriction::Betting => self.betting.as_deref(),
            Restriction::Withdrawing => self.withdrawing.as_deref(),
        }
    }
}
