//! What administrators set for the whole house.

use super::users;

diesel::table! {
    switches (name) {
        name -> Text,
        is_on -> BigInt,
        reason -> Nullable<Text>,
        changed_by -> Nullable<BigInt>,
        changed_at_micros -> Nullable<BigInt>,
    }
}

diesel::joinable!(switches -> users (changed_by));
diesel::allow_tables_to_appear_in_same_query!(switches, users);

diesel::table! {
    games (name) {
        name -> Text,
        status -> Text,
        maximum_stake_cents -> Nullable<BigInt>,
        maximum_profit_cents -> Nullable<BigInt>,
        maximum_exposure_cents -> Nullable<BigInt>,
    }
}

diesel::table! {
    exposures (game, shard) {
        game -> Text,
        shard -> BigInt,
        exposure_cents -> BigInt,
    }
}
