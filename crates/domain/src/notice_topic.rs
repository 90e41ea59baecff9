//! The topics of the notices by mail that a user can do without.

use strum::{EnumString, IntoStaticStr, VariantArray};

use crate::stored_names::stored_names;

/// Notices that a user can do without. All others are always sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum NoticeTopic {
    /// Sessions that were ended from another device.
    Sessions,
    /// Withdrawals that were approved or rejected.
    Withdrawals,
}

stored_names!(NoticeTopic);
