//! The tables of mails, addresses, and links from mails.

diesel::table! {
    mails (id) {
        id -> BigInt,
        user_id -> BigInt,
        kind -> Text,
        recipient -> Text,
        content -> Nullable<Text>,
        created_at_micros -> BigInt,
        expires_at_micros -> BigInt,
        attempts -> BigInt,
        next_attempt_at_micros -> Nullable<BigInt>,
        sent_at_micros -> Nullable<BigInt>,
    }
}

diesel::table! {
    email_addresses (id) {
        id -> BigInt,
        user_id -> BigInt,
        address -> Text,
        address_key -> Text,
        verified_at_micros -> BigInt,
        removed_at_micros -> Nullable<BigInt>,
    }
}

diesel::table! {
    email_verifications (user_id) {
        user_id -> BigInt,
        address -> Text,
        address_key -> Text,
        token_hash -> Text,
        requested_at_micros -> BigInt,
    }
}

diesel::table! {
    password_recoveries (user_id) {
        user_id -> BigInt,
        token_hash -> Text,
        requested_at_micros -> BigInt,
    }
}

diesel::table! {
    declined_notices (user_id, topic) {
        user_id -> BigInt,
        topic -> Text,
    }
}
