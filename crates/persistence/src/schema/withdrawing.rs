//! The tables of withdrawals and of the addresses that they go to.

diesel::table! {
    withdrawals (id) {
        id -> BigInt,
        player_id -> BigInt,
        amount_cents -> BigInt,
        fee_cents -> BigInt,
        currency -> Text,
        address -> Text,
        status -> Text,
        reason -> Nullable<Text>,
        decided_by -> Nullable<BigInt>,
        decided_at_micros -> Nullable<BigInt>,
        idempotency_key -> Nullable<Text>,
        created_at_micros -> BigInt,
        payable_from_micros -> Nullable<BigInt>,
        delay_reasons -> Nullable<Text>,
    }
}

diesel::table! {
    withdrawal_addresses (id) {
        id -> BigInt,
        player_id -> BigInt,
        currency -> Text,
        address -> Text,
        normal_form -> Text,
        label -> Nullable<Text>,
        added_at_micros -> BigInt,
        usable_from_micros -> BigInt,
    }
}
