-- Users, their sessions and seed pairs, and their accounts: the one row that each bet reads and
-- writes. Times are microseconds since the Unix epoch, amounts of money are whole US cents.

CREATE TABLE users (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    username TEXT NOT NULL CHECK (length(username) BETWEEN 3 AND 32),
    -- The username in lower case: unique regardless of case, on both databases alike.
    username_key TEXT NOT NULL UNIQUE CHECK (username_key = lower(username)),
    password_hash TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('player', 'administrator')),
    -- A banned user has a reason; an active one has none.
    ban_reason TEXT CHECK (length(ban_reason) > 0),
    created_at_micros INTEGER NOT NULL
) STRICT;

CREATE TABLE seed_pairs (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    player_id INTEGER NOT NULL REFERENCES users (id),
    server_seed TEXT NOT NULL CHECK (length(server_seed) = 64),
    server_seed_hash TEXT NOT NULL UNIQUE CHECK (length(server_seed_hash) = 64),
    client_seed TEXT NOT NULL CHECK (length(client_seed) BETWEEN 1 AND 64),
    created_at_micros INTEGER NOT NULL,
    revealed_at_micros INTEGER
) STRICT;

-- A player has at most one seed pair in use.
CREATE UNIQUE INDEX seed_pairs_in_use ON seed_pairs (player_id) WHERE revealed_at_micros IS NULL;

CREATE TRIGGER seed_pairs_are_committed BEFORE UPDATE ON seed_pairs
WHEN old.revealed_at_micros IS NOT NULL
    OR new.revealed_at_micros IS NULL
    OR new.id IS NOT old.id
    OR new.player_id IS NOT old.player_id
    OR new.server_seed IS NOT old.server_seed
    OR new.server_seed_hash IS NOT old.server_seed_hash
    OR new.client_seed IS NOT old.client_seed
    OR new.created_at_micros IS NOT old.created_at_micros
BEGIN
    SELECT RAISE(ABORT, 'a seed pair can only be revealed, once');
END;

CREATE TRIGGER seed_pairs_stay BEFORE DELETE ON seed_pairs
BEGIN
    SELECT RAISE(ABORT, 'seed pairs are never deleted');
END;

CREATE TABLE accounts (
    player_id INTEGER PRIMARY KEY NOT NULL REFERENCES users (id),
    balance_cents INTEGER NOT NULL CHECK (balance_cents >= 0),
    unwagered_cents INTEGER NOT NULL CHECK (unwagered_cents >= 0),
    -- The number of the player's last ledger entry; 0 before the first.
    ledger_sequence INTEGER NOT NULL CHECK (ledger_sequence >= 0),
    -- The seed pair in use, repeated here so that a bet reads one row.
    seed_pair_id INTEGER NOT NULL UNIQUE REFERENCES seed_pairs (id),
    server_seed TEXT NOT NULL,
    server_seed_hash TEXT NOT NULL,
    client_seed TEXT NOT NULL,
    next_nonce INTEGER NOT NULL CHECK (next_nonce >= 0)
) STRICT;

CREATE TABLE sessions (
    -- SHA-256 of the session key: who reads this table cannot sign in with it.
    key_hash TEXT PRIMARY KEY NOT NULL,
    user_id INTEGER NOT NULL REFERENCES users (id),
    created_at_micros INTEGER NOT NULL,
    last_active_at_micros INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX sessions_of_user ON sessions (user_id);
CREATE INDEX sessions_by_activity ON sessions (last_active_at_micros);
