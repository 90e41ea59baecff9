-- The panel shows what happened with one player, of every kind, in the order of time. IDs follow the times only
-- nearly. The condition leaves them to the queries that name it: PostgreSQL would use them for the lists by ID as well,
-- and sort, where it expects few rows.
CREATE INDEX deposits_of_player_by_time ON deposits (player_id, created_at_micros, id) WHERE id > 0;
CREATE INDEX withdrawals_of_player_by_time ON withdrawals (player_id, created_at_micros, id) WHERE id > 0;
CREATE INDEX security_events_by_time ON security_events (user_id, created_at_micros, id) WHERE id > 0;
CREATE INDEX limit_changes_by_time ON limit_changes (player_id, at_micros, id) WHERE id > 0;
CREATE INDEX exclusions_by_time ON exclusions (player_id, since_micros, id) WHERE id > 0;

-- The stakes and payouts are those of the rounds. Without them, the index costs a bet nothing.
CREATE INDEX ledger_entries_besides_rounds ON ledger_entries (player_id, created_at_micros, sequence)
    WHERE kind NOT IN ('stake', 'payout');

-- What was done, not who has looked at it.
CREATE INDEX audit_log_of_user ON audit_log (target_user_id, created_at_micros, id)
    WHERE target_user_id IS NOT NULL AND action <> 'personal_data_viewed';

-- For the sum of one player's pending withdrawals, and for the last sign-in, without reading all others.
CREATE INDEX withdrawals_pending_of_player ON withdrawals (player_id, amount_cents) WHERE status = 'pending';
CREATE INDEX security_events_sign_ins ON security_events (user_id, created_at_micros) WHERE kind = 'signed_in';
