//! The tables of limits, exclusions and playing time.

diesel::table! {
    player_limits (player_id, kind, period) {
        player_id -> BigInt,
        kind -> Text,
        period -> Text,
        value -> BigInt,
        since_micros -> BigInt,
        pending_since_micros -> Nullable<BigInt>,
        pending_value -> Nullable<BigInt>,
    }
}

diesel::table! {
    limit_changes (id) {
        id -> BigInt,
        player_id -> BigInt,
        kind -> Text,
        period -> Text,
        action -> Text,
        old_value -> Nullable<BigInt>,
        new_value -> Nullable<BigInt>,
        at_micros -> BigInt,
    }
}

diesel::table! {
    exclusions (id) {
        id -> BigInt,
        player_id -> BigInt,
        duration -> Text,
        since_micros -> BigInt,
        until_micros -> BigInt,
    }
}

diesel::table! {
    daily_play_time (player_id, day) {
        player_id -> BigInt,
        day -> BigInt,
        active_micros -> BigInt,
        counted_until_micros -> BigInt,
    }
}

diesel::table! {
    reality_checks (player_id) {
        player_id -> BigInt,
        interval_minutes -> BigInt,
    }
}
