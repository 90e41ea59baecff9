-- The panel's lists can be restricted to a period.
CREATE INDEX deposits_by_time ON deposits (created_at_micros, id);
CREATE INDEX withdrawals_by_time ON withdrawals (created_at_micros, id);
CREATE INDEX users_by_time ON users (created_at_micros, id);
CREATE INDEX audit_log_by_time ON audit_log (created_at_micros, id);
