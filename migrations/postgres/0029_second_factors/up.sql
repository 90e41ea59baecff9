-- Second factors: authenticators, and the recovery codes for the day on which one is lost.

-- Repeated in the user's row, which every request reads. The time is that of the last change: set up,
-- replaced, removed or reset.
ALTER TABLE users ADD COLUMN has_second_factor BIGINT NOT NULL DEFAULT 0 CHECK (has_second_factor IN (0, 1));
ALTER TABLE users ADD COLUMN second_factor_changed_at_micros BIGINT;

CREATE TABLE authenticators (
    user_id BIGINT PRIMARY KEY NOT NULL REFERENCES users (id),
    -- The secret, encrypted with this key, which is not in the database.
    key_id TEXT NOT NULL CHECK (length(key_id) = 16),
    sealed_secret TEXT NOT NULL,
    -- The time step of the last accepted code. No code of this or an earlier step is accepted again.
    last_step BIGINT NOT NULL CHECK (last_step >= 0),
    created_at_micros BIGINT NOT NULL
);

-- Authenticators that are being set up, until the first right code.
CREATE TABLE authenticator_enrolments (
    user_id BIGINT PRIMARY KEY NOT NULL REFERENCES users (id),
    key_id TEXT NOT NULL CHECK (length(key_id) = 16),
    sealed_secret TEXT NOT NULL,
    created_at_micros BIGINT NOT NULL
);

CREATE TABLE recovery_codes (
    user_id BIGINT NOT NULL REFERENCES users (id),
    -- SHA-256: a code has 80 random bits.
    code_hash TEXT NOT NULL CHECK (length(code_hash) = 64),
    -- Null until the code is used.
    used_at_micros BIGINT,
    PRIMARY KEY (user_id, code_hash)
);

-- The failed attempts, to which the wrong codes are added.
DROP INDEX security_events_failed;
CREATE INDEX security_events_failed ON security_events (user_id, created_at_micros)
    WHERE kind IN ('sign_in_failed', 'confirmation_failed', 'second_factor_failed', 'confirmation_code_failed');
