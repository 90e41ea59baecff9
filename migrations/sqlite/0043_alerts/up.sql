-- What the operator is alerted to, and how it is sent to the operator's receivers.
CREATE TABLE alerts (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    kind TEXT NOT NULL CHECK (length(kind) > 0),
    -- The same for whatever is alerted to once.
    key TEXT NOT NULL CHECK (length(key) > 0),
    -- Whom it is about. The name is read when the alert is shown or sent.
    user_id INTEGER REFERENCES users (id),
    -- What the text is made of, as JSON.
    facts TEXT NOT NULL,
    -- Whether it holds until it is resolved. Otherwise it has happened.
    is_condition INTEGER NOT NULL CHECK (is_condition IN (0, 1)),
    raised_at_micros INTEGER NOT NULL,
    resolved_at_micros INTEGER,
    -- What the receivers are to be told next; null if they know everything.
    next_message TEXT CHECK (next_message IN ('raised', 'resolved')),
    CHECK (resolved_at_micros IS NULL OR is_condition = 1)
) STRICT;

-- Two servers raise an alert once.
CREATE UNIQUE INDEX alerts_unresolved ON alerts (key) WHERE resolved_at_micros IS NULL;
CREATE INDEX alerts_by_key ON alerts (key, raised_at_micros);
CREATE INDEX alerts_to_announce ON alerts (id) WHERE next_message IS NOT NULL;
CREATE INDEX alerts_by_time ON alerts (raised_at_micros, id);

CREATE TRIGGER alerts_move_forward BEFORE UPDATE ON alerts
WHEN new.id IS NOT old.id
    OR new.kind IS NOT old.kind
    OR new.key IS NOT old.key
    OR new.user_id IS NOT old.user_id
    OR new.facts IS NOT old.facts
    OR new.is_condition IS NOT old.is_condition
    OR new.raised_at_micros IS NOT old.raised_at_micros
    OR (old.resolved_at_micros IS NOT NULL AND new.resolved_at_micros IS NOT old.resolved_at_micros)
BEGIN
    SELECT RAISE(ABORT, 'an alert is resolved once, and nothing else of it changes');
END;

-- What each receiver is told about an alert.
CREATE TABLE alert_deliveries (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    alert_id INTEGER NOT NULL REFERENCES alerts (id),
    message TEXT NOT NULL CHECK (message IN ('raised', 'resolved')),
    channel TEXT NOT NULL CHECK (channel IN ('webhook', 'mail')),
    -- The address of a mail. The webhook's is that of the configuration.
    recipient TEXT NOT NULL,
    created_at_micros INTEGER NOT NULL,
    -- When it is given up.
    expires_at_micros INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    -- Null once it was delivered or given up.
    next_attempt_at_micros INTEGER,
    delivered_at_micros INTEGER,
    -- Why the last attempt failed.
    problem TEXT,
    UNIQUE (alert_id, message, channel, recipient),
    CHECK (delivered_at_micros IS NULL OR next_attempt_at_micros IS NULL)
) STRICT;

CREATE INDEX alert_deliveries_due ON alert_deliveries (next_attempt_at_micros)
    WHERE next_attempt_at_micros IS NOT NULL;

-- Rounds with a large profit that were not looked at yet, written with the rounds.
CREATE TABLE large_wins (
    round_id INTEGER PRIMARY KEY NOT NULL REFERENCES rounds (id)
) STRICT;

-- When the house is looked at next, and since when no call to the payment provider has succeeded.
CREATE TABLE alert_watch (
    id INTEGER PRIMARY KEY NOT NULL CHECK (id = 1),
    next_pass_at_micros INTEGER NOT NULL,
    provider_failing_since_micros INTEGER
) STRICT;

INSERT INTO alert_watch (id, next_pass_at_micros) VALUES (1, 0);

-- The refused sign-ins of the last minutes, to all accounts. The condition on the ID leaves the index to the query that
-- names it.
CREATE INDEX security_events_refused ON security_events (created_at_micros)
    WHERE kind IN ('sign_in_failed', 'second_factor_failed', 'passkey_failed') AND id > 0;
