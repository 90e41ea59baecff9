//! The tables of receipts and of the public log.

diesel::table! {
    log_batches (id) {
        id -> BigInt,
        note -> Text,
        receipts -> Binary,
        entries -> Binary,
        entry_count -> BigInt,
    }
}

diesel::table! {
    // A view.
    log_batches_and_places (id) {
        id -> BigInt,
        note -> Text,
        receipts -> Binary,
        entries -> Binary,
        entry_count -> BigInt,
        log_id -> Nullable<BigInt>,
        first_index -> Nullable<BigInt>,
    }
}

diesel::table! {
    log_tiles (log_id, level, tile_index) {
        log_id -> BigInt,
        level -> BigInt,
        tile_index -> BigInt,
        hashes -> Binary,
    }
}

diesel::table! {
    cosignatures (log_id, witness) {
        log_id -> BigInt,
        witness -> Text,
        size -> BigInt,
        line -> Text,
        cosigned_at_micros -> BigInt,
    }
}

diesel::table! {
    log_state (id) {
        id -> BigInt,
        origin -> Nullable<Text>,
        size -> BigInt,
        checkpoint -> Text,
        keys -> Text,
        rules_hash -> Text,
        books_day -> Nullable<BigInt>,
        signed_at_micros -> Nullable<BigInt>,
        follows -> Nullable<Text>,
    }
}

diesel::table! {
    receipts (id) {
        id -> BigInt,
        player_id -> BigInt,
        text -> Text,
        batch_id -> BigInt,
        receipt_index -> BigInt,
    }
}

diesel::joinable!(receipts -> log_batches (batch_id));
diesel::allow_tables_to_appear_in_same_query!(receipts, log_batches);
