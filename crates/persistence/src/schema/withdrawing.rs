//! The tables of withdrawals, of their payments and of the addresses that they go to.

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
        risk_factors -> Text,
        risk_points -> BigInt,
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

diesel::table! {
    payouts (withdrawal_id) {
        withdrawal_id -> BigInt,
        method -> Text,
        state -> Text,
        external_id -> Text,
        coin_amount -> Nullable<Text>,
        rate -> Nullable<Text>,
        network_fee -> Nullable<Text>,
        transaction_id -> Nullable<Text>,
        requested_at_micros -> Nullable<BigInt>,
        provider_id -> Nullable<Text>,
        batch_id -> Nullable<Text>,
        verified_at_micros -> Nullable<BigInt>,
        problem -> Nullable<Text>,
        failed_calls -> BigInt,
        next_step_at_micros -> Nullable<BigInt>,
        claimed_at_micros -> BigInt,
        sent_at_micros -> Nullable<BigInt>,
        confirmed_at_micros -> Nullable<BigInt>,
        failed_at_micros -> Nullable<BigInt>,
        returned_at_micros -> Nullable<BigInt>,
        sent_by -> Nullable<BigInt>,
        confirmed_by -> Nullable<BigInt>,
        failed_by -> Nullable<BigInt>,
        returned_by -> Nullable<BigInt>,
        stopped_at_micros -> Nullable<BigInt>,
        stopped_by -> Nullable<BigInt>,
        stop_reason -> Nullable<Text>,
        refused_codes -> BigInt,
    }
}
