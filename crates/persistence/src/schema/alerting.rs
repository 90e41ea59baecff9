//! The tables of alerts and of what leads to them.

use super::users;

diesel::table! {
    alerts (id) {
        id -> BigInt,
        kind -> Text,
        key -> Text,
        user_id -> Nullable<BigInt>,
        facts -> Text,
        is_condition -> BigInt,
        raised_at_micros -> BigInt,
        resolved_at_micros -> Nullable<BigInt>,
        next_message -> Nullable<Text>,
        acknowledged_at_micros -> Nullable<BigInt>,
        acknowledged_by -> Nullable<BigInt>,
    }
}

diesel::table! {
    alert_deliveries (id) {
        id -> BigInt,
        alert_id -> BigInt,
        message -> Text,
        channel -> Text,
        recipient -> Text,
        created_at_micros -> BigInt,
        expires_at_micros -> BigInt,
        attempts -> BigInt,
        next_attempt_at_micros -> Nullable<BigInt>,
        delivered_at_micros -> Nullable<BigInt>,
        problem -> Nullable<Text>,
    }
}

diesel::table! {
    alert_watch (id) {
        id -> BigInt,
        next_pass_at_micros -> BigInt,
        provider_failing_since_micros -> Nullable<BigInt>,
    }
}

diesel::joinable!(alerts -> users (user_id));
diesel::allow_tables_to_appear_in_same_query!(alerts, users);
