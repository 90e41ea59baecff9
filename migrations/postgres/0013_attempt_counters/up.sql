-- Recent sign-in attempts and registrations, counted per client and per account across all servers.
CREATE TABLE attempt_counters (
    -- The subject of the counter, such as "sign-in 192.0.2.1" or "account alice".
    subject TEXT PRIMARY KEY,
    count BIGINT NOT NULL CHECK (count >= 0),
    -- When a limit based on the count ends, such as a delay; the meaning depends on the subject.
    until_micros BIGINT NOT NULL,
    -- When the counter is reset to zero and the row can be deleted.
    expires_at_micros BIGINT NOT NULL
);

CREATE INDEX attempt_counters_by_expiry ON attempt_counters (expires_at_micros);
