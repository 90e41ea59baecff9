//! The tables of dual control.

diesel::table! {
    approval_thresholds (id) {
        id -> BigInt,
        adjustment_cents -> BigInt,
        confirmation_cents -> BigInt,
        withdrawal_cents -> BigInt,
        person_per_day_cents -> BigInt,
        house_per_day_cents -> BigInt,
        automatic_withdrawal_cents -> BigInt,
        audit_record_id -> BigInt,
        set_at_micros -> Nullable<BigInt>,
    }
}

diesel::table! {
    proposals (id) {
        id -> BigInt,
        kind -> Text,
        act -> Text,
        user_id -> Nullable<BigInt>,
        reason -> Nullable<Text>,
        cause -> Text,
        proposed_by -> BigInt,
        proposed_at_micros -> BigInt,
        expires_at_micros -> BigInt,
        state -> Text,
        decided_by -> Nullable<BigInt>,
        decided_at_micros -> Nullable<BigInt>,
        decision_reason -> Nullable<Text>,
    }
}

diesel::table! {
    money_acts (audit_record_id) {
        audit_record_id -> BigInt,
        day -> BigInt,
        administrator_id -> BigInt,
        player_id -> BigInt,
        kind -> Text,
        amount_cents -> BigInt,
        proposal_id -> Nullable<BigInt>,
    }
}
