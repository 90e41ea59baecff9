//! Who chose the client seed of a seed pair.

use strum::{EnumString, IntoStaticStr, VariantArray};

use crate::stored_names::stored_names;

/// Who chose the client seed of a seed pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum ClientSeedBy {
    /// The player, after the house had committed to the server seed.
    Player,
    /// The house, because the player had not chosen one yet.
    House,
}

stored_names!(ClientSeedBy);
