-- A seed pair begins as a commitment without a client seed (next), is then used with one (active),
-- and is finally revealed. The server seed is in plain text only in revealed pairs. SQLite cannot
-- make a column nullable, so both tables are rebuilt, with foreign keys switched off by the program.

CREATE TABLE new_seed_pairs (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    player_id INTEGER NOT NULL REFERENCES users (id),
    -- The commitment: SHA-256 of the server seed's text, and what the seed is derived from. The mask
    -- is null except for seeds that were chosen before seeds were derived. Pairs that had been
    -- revealed by then have neither key nor salt.
    server_seed_hash TEXT NOT NULL UNIQUE CHECK (length(server_seed_hash) = 64),
    key_id TEXT CHECK (length(key_id) = 16),
    salt TEXT CHECK (length(salt) = 64),
    mask TEXT CHECK (length(mask) = 64),
    committed_at_micros INTEGER NOT NULL,
    -- Null while the pair is next.
    client_seed TEXT CHECK (length(client_seed) BETWEEN 1 AND 64),
    client_seed_by TEXT CHECK (client_seed_by IN ('player', 'house')),
    client_seed_at_micros INTEGER CHECK (client_seed_at_micros >= activated_at_micros),
    activated_at_micros INTEGER CHECK (activated_at_micros >= committed_at_micros),
    -- Null until the pair is revealed.
    server_seed TEXT CHECK (length(server_seed) = 64),
    revealed_at_micros INTEGER,
    CHECK ((salt IS NULL) = (key_id IS NULL)),
    CHECK (salt IS NOT NULL OR (mask IS NULL AND revealed_at_micros IS NOT NULL)),
    CHECK ((client_seed IS NULL) = (activated_at_micros IS NULL)),
    CHECK ((client_seed_by IS NULL) = (activated_at_micros IS NULL)),
    CHECK ((client_seed_at_micros IS NULL) = (activated_at_micros IS NULL)),
    -- The house never knows a player's client seed before it has committed to the server seed.
    CHECK (client_seed_by = 'house' OR client_seed_at_micros > committed_at_micros),
    CHECK ((server_seed IS NULL) = (revealed_at_micros IS NULL)),
    CHECK (revealed_at_micros IS NULL OR activated_at_micros IS NOT NULL)
) STRICT;

-- Of these pairs nobody recorded who chose the client seed, and it was known before the server seed:
-- they prove no more than pairs with a client seed by the house.
INSERT INTO new_seed_pairs
    (id, player_id, server_seed_hash, key_id, salt, mask, committed_at_micros, client_seed,
     client_seed_by, client_seed_at_micros, activated_at_micros, server_seed, revealed_at_micros)
SELECT p.id, p.player_id, p.server_seed_hash, c.key_id, c.salt, c.mask, p.created_at_micros,
    p.client_seed, 'house', p.created_at_micros, p.created_at_micros,
    CASE WHEN p.revealed_at_micros IS NOT NULL THEN p.server_seed END, p.revealed_at_micros
FROM seed_pairs p LEFT JOIN seed_conversion c ON c.pair_id = p.id;

INSERT INTO new_seed_pairs (player_id, server_seed_hash, key_id, salt, committed_at_micros)
SELECT player_id, next_server_seed_hash, key_id, next_salt, committed_at_micros
FROM seed_conversion ORDER BY pair_id;

CREATE TABLE new_accounts (
    player_id INTEGER PRIMARY KEY NOT NULL REFERENCES users (id),
    balance_cents INTEGER NOT NULL CHECK (balance_cents >= 0),
    unwagered_cents INTEGER NOT NULL CHECK (unwagered_cents >= 0),
    -- The number of the player's last ledger entry; 0 before the first.
    ledger_sequence INTEGER NOT NULL CHECK (ledger_sequence >= 0),
    -- The active seed pair, repeated here so that a bet reads one row, and the next one.
    seed_pair_id INTEGER NOT NULL UNIQUE REFERENCES seed_pairs (id),
    next_seed_pair_id INTEGER NOT NULL UNIQUE REFERENCES seed_pairs (id),
    server_seed_hash TEXT NOT NULL,
    seed_key_id TEXT NOT NULL,
    seed_salt TEXT NOT NULL,
    seed_mask TEXT,
    client_seed TEXT NOT NULL,
    next_nonce INTEGER NOT NULL CHECK (next_nonce >= 0)
) STRICT;

INSERT INTO new_accounts
    (player_id, balance_cents, unwagered_cents, ledger_sequence, seed_pair_id, next_seed_pair_id,
     server_seed_hash, seed_key_id, seed_salt, seed_mask, client_seed, next_nonce)
SELECT a.player_id, a.balance_cents, a.unwagered_cents, a.ledger_sequence, a.seed_pair_id, n.id,
    a.server_seed_hash, c.key_id, c.salt, c.mask, a.client_seed, a.next_nonce
FROM accounts a
LEFT JOIN seed_conversion c ON c.pair_id = a.seed_pair_id
LEFT JOIN new_seed_pairs n ON n.server_seed_hash = c.next_server_seed_hash;

DROP TABLE accounts;
DROP TABLE seed_pairs;
ALTER TABLE new_seed_pairs RENAME TO seed_pairs;
ALTER TABLE new_accounts RENAME TO accounts;
DROP TABLE seed_conversion;

-- A player has at most one active and one next pair.
CREATE UNIQUE INDEX seed_pairs_active ON seed_pairs (player_id)
WHERE activated_at_micros IS NOT NULL AND revealed_at_micros IS NULL;
CREATE UNIQUE INDEX seed_pairs_next ON seed_pairs (player_id) WHERE activated_at_micros IS NULL;
-- A page of a player's former pairs is one range of this index.
CREATE INDEX seed_pairs_revealed ON seed_pairs (player_id, id) WHERE revealed_at_micros IS NOT NULL;
-- The keys in use are found without reading the pairs.
CREATE INDEX seed_pairs_keys ON seed_pairs (key_id) WHERE revealed_at_micros IS NULL;

-- A pair that would replace another one is refused too: INSERT OR REPLACE deletes without firing
-- the delete trigger.
CREATE TRIGGER seed_pairs_begin_as_next BEFORE INSERT ON seed_pairs
WHEN new.salt IS NULL
    OR new.mask IS NOT NULL
    OR new.activated_at_micros IS NOT NULL
    OR EXISTS (SELECT 1 FROM seed_pairs WHERE id = new.id)
    OR EXISTS (SELECT 1 FROM seed_pairs WHERE server_seed_hash = new.server_seed_hash)
    OR EXISTS (SELECT 1 FROM seed_pairs
        WHERE player_id = new.player_id AND activated_at_micros IS NULL)
BEGIN
    SELECT RAISE(ABORT, 'a seed pair begins as a commitment without a client seed');
END;

CREATE TRIGGER seed_pairs_are_committed BEFORE UPDATE ON seed_pairs
WHEN new.id IS NOT old.id
    OR new.player_id IS NOT old.player_id
    OR new.server_seed_hash IS NOT old.server_seed_hash
    OR new.key_id IS NOT old.key_id
    OR new.salt IS NOT old.salt
    OR new.mask IS NOT old.mask
    OR new.committed_at_micros IS NOT old.committed_at_micros
    OR (old.activated_at_micros IS NOT NULL
        AND new.activated_at_micros IS NOT old.activated_at_micros)
BEGIN
    SELECT RAISE(ABORT, 'a commitment to a server seed never changes');
END;

-- The allowed steps: a next pair becomes active; the player replaces the client seed of an active
-- pair that no round was played with; an active pair is revealed.
CREATE TRIGGER seed_pairs_take_one_step BEFORE UPDATE ON seed_pairs
WHEN NOT (
    (old.activated_at_micros IS NULL
        AND new.activated_at_micros IS NOT NULL
        AND new.revealed_at_micros IS NULL)
    OR (old.activated_at_micros IS NOT NULL
        AND old.revealed_at_micros IS NULL
        AND new.revealed_at_micros IS NULL
        AND new.client_seed_by IS 'player'
        AND NOT EXISTS (SELECT 1 FROM rounds WHERE seed_pair_id = old.id))
    OR (old.activated_at_micros IS NOT NULL
        AND old.revealed_at_micros IS NULL
        AND new.revealed_at_micros IS NOT NULL
        AND new.client_seed IS old.client_seed
        AND new.client_seed_by IS old.client_seed_by
        AND new.client_seed_at_micros IS old.client_seed_at_micros)
)
BEGIN
    SELECT RAISE(ABORT, 'a seed pair becomes active once and is revealed once');
END;

CREATE TRIGGER seed_pairs_stay BEFORE DELETE ON seed_pairs
BEGIN
    SELECT RAISE(ABORT, 'seed pairs are never deleted');
END;
