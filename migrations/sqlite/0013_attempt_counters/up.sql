-- Recent sign-in attempts and registrations, counted per client and per account across all servers.
CREATE TABLE attempt_counters (
    -- What is counted, such as "sign-in 192.0.2.1" or "account alice".
    subject TEXT PRIMARY KEY NOT NULL,
    count INTEGER NOT NULL CHECK (count >= 0),
    -- What the count means until when, such as a wait, depends on what is counted.
    until_micros INTEGER NOT NULL,
    -- From then on it is as if nothing had been counted, and the row can go.
    expires_at_micros INTEGER NOT NULL
) STRICT;

CREATE INDEX attempt_counters_by_expiry ON attempt_counters (expires_at_micros);
