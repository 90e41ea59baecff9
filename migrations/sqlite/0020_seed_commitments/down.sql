-- Fails in a database with players: their seeds in use are no longer stored.
CREATE TABLE seed_conversion (
    pair_id INTEGER PRIMARY KEY NOT NULL,
    player_id INTEGER NOT NULL,
    key_id TEXT NOT NULL,
    salt TEXT NOT NULL,
    mask TEXT NOT NULL,
    next_salt TEXT NOT NULL,
    next_server_seed_hash TEXT NOT NULL,
    committed_at_micros INTEGER NOT NULL
) STRICT;

CREATE TABLE old_seed_pairs (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    player_id INTEGER NOT NULL REFERENCES users (id),
    server_seed TEXT NOT NULL CHECK (length(server_seed) = 64),
    server_seed_hash TEXT NOT NULL UNIQUE CHECK (length(server_seed_hash) = 64),
    client_seed TEXT NOT NULL CHECK (length(client_seed) BETWEEN 1 AND 64),
    created_at_micros INTEGER NOT NULL,
    revealed_at_micros INTEGER
) STRICT;
INSERT INTO old_seed_pairs
SELECT id, player_id, server_seed, server_seed_hash, client_seed, committed_at_micros, revealed_at_micros
FROM seed_pairs;
DROP TABLE accounts;
DROP TABLE seed_pairs;
ALTER TABLE old_seed_pairs RENAME TO seed_pairs;
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
