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

diesel::table! {
    passkeys (id) {
        id -> BigInt,
        user_id -> BigInt,
        user_handle -> Text,
        credential_id -> Text,
        name -> Text,
        public_key -> Text,
        created_at_micros -> BigInt,
        last_used_at_micros -> Nullable<BigInt>,
    }
}

diesel::table! {
    passkey_ceremonies (key_hash) {
        key_hash -> Text,
        purpose -> Text,
        user_id -> Nullable<BigInt>,
        state -> Text,
        created_at_micros -> BigInt,
    }
}
