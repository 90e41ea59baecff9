-- Responsible gambling: limits that players set themselves, exclusions, and the time they play.

-- What a bet must know of its player's limits and exclusion, as JSON: a copy of the tables below and of
-- what is used in the current periods, so that a bet reads and writes one row. Null for a player
-- without any.
ALTER TABLE accounts ADD COLUMN play_rules TEXT;

-- The limits in force. Money is in cents, time in minutes.
CREATE TABLE player_limits (
    player_id INTEGER NOT NULL REFERENCES accounts (player_id),
    kind TEXT NOT NULL CHECK (kind IN ('deposit', 'loss', 'stake', 'session_time')),
    period TEXT NOT NULL CHECK (period IN ('day', 'week', 'month')),
    value INTEGER NOT NULL CHECK (value >= 0),
    since_micros INTEGER NOT NULL,
    -- When a raise or removal was requested that is not in force yet, and the new limit; null removes
    -- it.
    pending_since_micros INTEGER,
    pending_value INTEGER CHECK (pending_value > value),
    PRIMARY KEY (player_id, kind, period),
    CHECK (pending_value IS NULL OR pending_since_micros IS NOT NULL)
) STRICT, WITHOUT ROWID;

-- Every change of a limit: append-only.
CREATE TABLE limit_changes (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    player_id INTEGER NOT NULL REFERENCES accounts (player_id),
    kind TEXT NOT NULL CHECK (kind IN ('deposit', 'loss', 'stake', 'session_time')),
    period TEXT NOT NULL CHECK (period IN ('day', 'week', 'month')),
    action TEXT NOT NULL CHECK (action IN ('set', 'requested', 'confirmed', 'withdrawn')),
    -- Null where there was or is no limit.
    old_value INTEGER CHECK (old_value >= 0),
    new_value INTEGER CHECK (new_value >= 0),
    at_micros INTEGER NOT NULL
) STRICT;

CREATE INDEX limit_changes_of_player ON limit_changes (player_id, id);

CREATE TRIGGER limit_changes_never_change BEFORE UPDATE ON limit_changes
BEGIN
    SELECT RAISE(ABORT, 'the history of limits is append-only');
END;

CREATE TRIGGER limit_changes_stay BEFORE DELETE ON limit_changes
BEGIN
    SELECT RAISE(ABORT, 'the history of limits is append-only');
END;

-- Exclusions, which end only by time: append-only. The one that ends last is in force.
CREATE TABLE exclusions (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    player_id INTEGER NOT NULL REFERENCES accounts (player_id),
    duration TEXT NOT NULL CHECK (duration IN
        ('day', 'week', 'month', 'six_months', 'year', 'five_years', 'permanent')),
    since_micros INTEGER NOT NULL,
    until_micros INTEGER NOT NULL CHECK (until_micros > since_micros)
) STRICT;

CREATE INDEX exclusions_of_player ON exclusions (player_id, id);

CREATE TRIGGER exclusions_never_change BEFORE UPDATE ON exclusions
BEGIN
    SELECT RAISE(ABORT, 'exclusions end only by time');
END;

CREATE TRIGGER exclusions_stay BEFORE DELETE ON exclusions
BEGIN
    SELECT RAISE(ABORT, 'exclusions end only by time');
END;

-- The time that players are active, by day. It is counted once, however many sessions run in parallel.
CREATE TABLE daily_play_time (
    player_id INTEGER NOT NULL REFERENCES accounts (player_id),
    -- Days since 1970-01-01 in UTC.
    day INTEGER NOT NULL CHECK (day >= 0),
    active_micros INTEGER NOT NULL CHECK (active_micros BETWEEN 0 AND 86400000000),
    -- The moment up to which time has been counted.
    counted_until_micros INTEGER NOT NULL,
    PRIMARY KEY (player_id, day)
) STRICT, WITHOUT ROWID;

-- The interval of the reality check, for the players who chose one.
CREATE TABLE reality_checks (
    player_id INTEGER PRIMARY KEY NOT NULL REFERENCES accounts (player_id),
    interval_minutes INTEGER NOT NULL CHECK (interval_minutes BETWEEN 1 AND 1440)
) STRICT;

-- The time that the user was active in the session, and what the player had staked and been paid on
-- the day of signing in, before it. What was staked and paid since follows from the daily statements.
ALTER TABLE sessions ADD COLUMN active_micros INTEGER NOT NULL DEFAULT 0 CHECK (active_micros >= 0);
ALTER TABLE sessions ADD COLUMN staked_before_cents INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN paid_before_cents INTEGER NOT NULL DEFAULT 0;

-- For the sessions that are open now, the totals begin now.
UPDATE sessions SET
    staked_before_cents = COALESCE((SELECT SUM(staked_cents) FROM daily_statements
        WHERE player_id = sessions.user_id AND day >= sessions.created_at_micros / 86400000000), 0),
    paid_before_cents = COALESCE((SELECT SUM(paid_cents) FROM daily_statements
        WHERE player_id = sessions.user_id AND day >= sessions.created_at_micros / 86400000000), 0);
