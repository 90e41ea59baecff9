-- What an account's owner sees of its security: sessions with their origin, and events.

ALTER TABLE users ADD COLUMN password_changed_at_micros INTEGER;

-- The browser and operating system that signed in, and the address that it came from; null for
-- sessions that predate this migration.
ALTER TABLE sessions ADD COLUMN device TEXT;
ALTER TABLE sessions ADD COLUMN address TEXT;

-- In the order of the list, so that no other index has it.
DROP INDEX sessions_of_user;
CREATE INDEX sessions_of_user ON sessions (user_id, last_active_at_micros);

CREATE TABLE security_events (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    user_id INTEGER NOT NULL REFERENCES users (id),
    kind TEXT NOT NULL,
    device TEXT,
    address TEXT,
    -- Whether the account had not signed in on the device before.
    is_new_device INTEGER NOT NULL CHECK (is_new_device IN (0, 1)),
    created_at_micros INTEGER NOT NULL
) STRICT;

CREATE INDEX security_events_of_user ON security_events (user_id, id);
CREATE INDEX security_events_by_age ON security_events (created_at_micros);
-- Failed attempts per account and day are limited.
CREATE INDEX security_events_failed ON security_events (user_id, created_at_micros)
    WHERE kind IN ('sign_in_failed', 'confirmation_failed');
