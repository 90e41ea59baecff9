//! The tables of the Terms of Service and of who accepted them.

diesel::table! {
    terms_versions (version) {
        version -> BigInt,
        text -> Text,
        published_at_micros -> BigInt,
    }
}

diesel::table! {
    terms_acceptances (user_id, version) {
        user_id -> BigInt,
        version -> BigInt,
        accepted_at_micros -> BigInt,
    }
}
