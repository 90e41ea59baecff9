//! The tables of the second factors.

diesel::table! {
    authenticators (user_id) {
        user_id -> BigInt,
        key_id -> Text,
        sealed_secret -> Text,
        last_step -> BigInt,
        created_at_micros -> BigInt,
    }
}

diesel::table! {
    authenticator_enrolments (user_id) {
        user_id -> BigInt,
        key_id -> Text,
        sealed_secret -> Text,
        created_at_micros -> BigInt,
    }
}

diesel::table! {
    recovery_codes (user_id, code_hash) {
        user_id -> BigInt,
        code_hash -> Text,
        used_at_micros -> Nullable<BigInt>,
    }
}
