//! The tables as diesel sees them. They are defined in `migrations/`, with the same names on both
//! databases.

mod alerting;
mod approval;
mod email;
mod limits;
mod operating;
mod public_log;
mod searching;
mod second_factors;
mod terms_of_service;
mod withdrawing;

pub(crate) use alerting::{alert_deliveries, alert_watch, alerts};
pub(crate) use approval::{approval_thresholds, money_acts, proposals};
pub(crate) use email::{
    declined_notices, email_addresses, email_verifications, mails, password_recoveries,
};
pub(crate) use limits::{
    daily_play_time, exclusions, limit_changes, player_limits, reality_checks,
};
pub(crate) use operating::{exposures, games, switches};
pub(crate) use public_log::{
    cosignatures, log_batches, log_batches_and_places, log_state, log_tiles, receipts,
};
pub(crate) use searching::search_suffixes;
pub(crate) use second_factors::{
    authenticator_enrolments, authenticators, passkey_ceremonies, passkeys, recovery_codes,
};
pub(crate) use terms_of_service::{terms_acceptances, terms_versions};
pub(crate) use withdrawing::{payouts, withdrawal_addresses, withdrawals};

diesel::table! {
    users (id) {
        id -> BigInt,
        username -> Text,
        username_key -> Text,
        password_hash -> Text,
        role -> Text,
        ban_reason -> Nullable<Text>,
        betting_block_reason -> Nullable<Text>,
        withdrawing_block_reason -> Nullable<Text>,
        created_at_micros -> BigInt,
        shows_name -> BigInt,
        password_changed_at_micros -> Nullable<BigInt>,
        one_time_password_until_micros -> Nullable<BigInt>,
        has_second_factor -> BigInt,
        second_factor_changed_at_micros -> Nullable<BigInt>,
        closed_at_micros -> Nullable<BigInt>,
        pseudonymised_at_micros -> Nullable<BigInt>,
    }
}

diesel::table! {
    seed_pairs (id) {
        id -> BigInt,
        player_id -> BigInt,
        server_seed_hash -> Text,
        key_id -> Nullable<Text>,
        salt -> Nullable<Text>,
        mask -> Nullable<Text>,
        committed_at_micros -> BigInt,
        client_seed -> Nullable<Text>,
        client_seed_by -> Nullable<Text>,
        client_seed_at_micros -> Nullable<BigInt>,
        activated_at_micros -> Nullable<BigInt>,
        server_seed -> Nullable<Text>,
        revealed_at_micros -> Nullable<BigInt>,
    }
}

diesel::table! {
    accounts (player_id) {
        player_id -> BigInt,
        balance_cents -> BigInt,
        // The database derives it from the balance.
        balance_band -> BigInt,
        unwagered_cents -> BigInt,
        ledger_sequence -> BigInt,
        seed_pair_id -> BigInt,
        next_seed_pair_id -> BigInt,
        server_seed_hash -> Text,
        seed_key_id -> Text,
        seed_salt -> Text,
        seed_mask -> Nullable<Text>,
        client_seed -> Text,
        next_nonce -> BigInt,
        play_rules -> Nullable<Text>,
        terms_version -> BigInt,
    }
}

diesel::table! {
    sessions (key_hash) {
        key_hash -> Text,
        user_id -> BigInt,
        created_at_micros -> BigInt,
        last_active_at_micros -> BigInt,
        confirmed_at_micros -> BigInt,
        refused_confirmations -> BigInt,
        device -> Nullable<Text>,
        address -> Nullable<Text>,
        active_micros -> BigInt,
        staked_before_cents -> BigInt,
        paid_before_cents -> BigInt,
    }
}

diesel::table! {
    security_events (id) {
        id -> BigInt,
        user_id -> BigInt,
        kind -> Text,
        device -> Nullable<Text>,
        address -> Nullable<Text>,
        is_new_device -> BigInt,
        created_at_micros -> BigInt,
    }
}

diesel::table! {
    attempt_counters (subject) {
        subject -> Text,
        count -> BigInt,
        until_micros -> BigInt,
        expires_at_micros -> BigInt,
    }
}

diesel::table! {
    rounds (id) {
        id -> BigInt,
        player_id -> BigInt,
        game -> Text,
        state -> Text,
        stake_cents -> BigInt,
        payout_cents -> BigInt,
        result -> Nullable<Text>,
        details -> Text,
        seed_pair_id -> BigInt,
        nonce -> BigInt,
        idempotency_key -> Nullable<Text>,
        balance_after_cents -> BigInt,
        unwagered_after_cents -> BigInt,
        started_at_micros -> BigInt,
        ended_at_micros -> Nullable<BigInt>,
        due_at_micros -> Nullable<BigInt>,
        multiplier_thousandths -> Nullable<BigInt>,
        settlement_key -> Nullable<Text>,
        rules_version -> BigInt,
        receipt_batch_id -> Nullable<BigInt>,
        receipt_index -> Nullable<BigInt>,
        exposure_cents -> Nullable<BigInt>,
    }
}

diesel::table! {
    ledger_entries (player_id, sequence) {
        player_id -> BigInt,
        sequence -> BigInt,
        kind -> Text,
        amount_cents -> BigInt,
        balance_after_cents -> BigInt,
        reference -> Text,
        created_at_micros -> BigInt,
    }
}

diesel::table! {
    player_statistics (player_id, game) {
        player_id -> BigInt,
        game -> Text,
        rounds -> BigInt,
        wins -> BigInt,
        staked_cents -> BigInt,
        paid_cents -> BigInt,
        biggest_win_round_id -> Nullable<BigInt>,
        biggest_win_cents -> BigInt,
        cash_outs -> BigInt,
        multiplier_thousandths_total -> BigInt,
        best_multiplier_thousandths -> BigInt,
    }
}

diesel::table! {
    hourly_statistics (player_id, hour, game) {
        player_id -> BigInt,
        hour -> BigInt,
        game -> Text,
        rounds -> BigInt,
        staked_cents -> BigInt,
        paid_cents -> BigInt,
    }
}

diesel::table! {
    daily_statements (player_id, day) {
        player_id -> BigInt,
        day -> BigInt,
        entries -> BigInt,
        first_sequence -> BigInt,
        last_sequence -> BigInt,
        deposited_cents -> BigInt,
        withdrawn_cents -> BigInt,
        adjusted_cents -> BigInt,
        staked_cents -> BigInt,
        paid_cents -> BigInt,
    }
}

diesel::table! {
    audit_log (id) {
        id -> BigInt,
        actor_id -> Nullable<BigInt>,
        action -> Text,
        target_user_id -> Nullable<BigInt>,
        subject -> Nullable<Text>,
        old_value -> Nullable<Text>,
        new_value -> Nullable<Text>,
        address -> Nullable<Text>,
        idempotency_key -> Nullable<Text>,
        created_at_micros -> BigInt,
        hash -> Nullable<Text>,
        key_id -> Nullable<Text>,
    }
}

diesel::table! {
    audit_head (id) {
        id -> BigInt,
        records -> BigInt,
        hash -> Nullable<Text>,
        key_id -> Nullable<Text>,
        seal -> Nullable<Text>,
    }
}

diesel::table! {
    house_clock (id) {
        id -> BigInt,
        not_before_micros -> BigInt,
    }
}

diesel::joinable!(sessions -> users (user_id));
diesel::joinable!(rounds -> seed_pairs (seed_pair_id));
diesel::allow_tables_to_appear_in_same_query!(
    users,
    seed_pairs,
    accounts,
    sessions,
    rounds,
    ledger_entries,
    player_statistics,
    audit_log,
    house_clock,
    deposits,
    payments,
    reviews,
    withdrawals,
    payouts,
);

diesel::table! {
    deposits (id) {
        id -> BigInt,
        player_id -> BigInt,
        order_id -> Text,
        currency -> Text,
        price_cents -> BigInt,
        status -> Text,
        external_status -> Nullable<Text>,
        credited_cents -> BigInt,
        invoice_id -> Nullable<Text>,
        invoice_url -> Nullable<Text>,
        idempotency_key -> Nullable<Text>,
        created_at_micros -> BigInt,
        updated_at_micros -> BigInt,
        completed_at_micros -> Nullable<BigInt>,
        next_check_at_micros -> Nullable<BigInt>,
    }
}

diesel::table! {
    payments (id) {
        id -> Text,
        deposit_id -> Nullable<BigInt>,
        parent_id -> Nullable<Text>,
        standing -> Text,
        status -> Text,
        pay_currency -> Nullable<Text>,
        pay_amount -> Nullable<Text>,
        actually_paid -> Nullable<Text>,
        rate_amount -> Nullable<Text>,
        rate_currency -> Nullable<Text>,
        credited_cents -> BigInt,
        credits -> BigInt,
        details -> Text,
        first_seen_at_micros -> BigInt,
        updated_at_micros -> BigInt,
        checked_at_micros -> Nullable<BigInt>,
        received_at_micros -> Nullable<BigInt>,
    }
}

diesel::table! {
    payment_credits (payment_id, number) {
        payment_id -> Text,
        number -> BigInt,
        player_id -> BigInt,
        amount_cents -> BigInt,
        created_at_micros -> BigInt,
        confirmed_by -> Nullable<BigInt>,
    }
}

diesel::table! {
    pending_callbacks (payment_id) {
        payment_id -> Text,
        parent_id -> Nullable<Text>,
        version -> BigInt,
        received_at_micros -> BigInt,
        next_attempt_at_micros -> BigInt,
    }
}

diesel::table! {
    reviews (id) {
        id -> BigInt,
        payment_id -> Text,
        deposit_id -> Nullable<BigInt>,
        kind -> Text,
        amount_cents -> Nullable<BigInt>,
        details -> Text,
        opened_at_micros -> BigInt,
        resolved_at_micros -> Nullable<BigInt>,
        resolved_by -> Nullable<BigInt>,
        resolution -> Nullable<Text>,
    }
}

diesel::allow_tables_to_appear_in_same_query!(users, withdrawal_addresses);
diesel::allow_tables_to_appear_in_same_query!(users, proposals);
diesel::allow_tables_to_appear_in_same_query!(audit_log, money_acts);
diesel::joinable!(payments -> deposits (deposit_id));
