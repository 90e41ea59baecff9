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
