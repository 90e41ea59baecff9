-- Signed receipts and the public log (docs/transparency.md).

-- What one database commit adds: the leaf hashes of its receipts, whose Merkle root is signed in the
-- note, and its public entries, each preceded by its length. A batch never changes; only its place in
-- the log is assigned later, once.
CREATE TABLE log_batches (
    id INTEGER PRIMARY KEY NOT NULL,
    note TEXT NOT NULL,
    receipts BLOB NOT NULL CHECK (length(receipts) % 32 = 0),
    entries BLOB NOT NULL,
    entry_count INTEGER NOT NULL CHECK (entry_count >= 0),
    -- The log that has the entries, and the index of the first one in it; null until the batch has its
    -- place, and for a batch without entries.
    log_id INTEGER,
    first_index INTEGER CHECK (first_index >= 0),
    UNIQUE (log_id, first_index),
    CHECK ((note = '') = (length(receipts) = 0)),
    CHECK (first_index IS NULL OR entry_count > 0),
    CHECK ((first_index IS NULL) = (log_id IS NULL))
) STRICT;

CREATE INDEX log_batches_waiting ON log_batches (id) WHERE first_index IS NULL AND entry_count > 0;

CREATE TRIGGER log_batches_never_change BEFORE UPDATE ON log_batches
WHEN old.first_index IS NOT NULL
    OR new.first_index IS NULL
    OR new.id IS NOT old.id
    OR new.note IS NOT old.note
    OR new.receipts IS NOT old.receipts
    OR new.entries IS NOT old.entries
    OR new.entry_count IS NOT old.entry_count
BEGIN
    SELECT RAISE(ABORT, 'a batch only gets its place in the log, once');
END;

CREATE TRIGGER log_batches_stay BEFORE DELETE ON log_batches
BEGIN
    SELECT RAISE(ABORT, 'batches are never deleted');
END;

-- The hashes of a log's Merkle tree, as tiles of up to 256 hashes of 32 bytes (C2SP tlog-tiles).
CREATE TABLE log_tiles (
    log_id INTEGER NOT NULL,
    level INTEGER NOT NULL CHECK (level BETWEEN 0 AND 7),
    tile_index INTEGER NOT NULL CHECK (tile_index >= 0),
    hashes BLOB NOT NULL CHECK (length(hashes) % 32 = 0 AND length(hashes) BETWEEN 32 AND 8192),
    PRIMARY KEY (log_id, level, tile_index)
) STRICT, WITHOUT ROWID;

-- The end of each log: its name, size and signed checkpoint. The last one is written; earlier ones are
-- over.
CREATE TABLE log_state (
    id INTEGER PRIMARY KEY NOT NULL CHECK (id > 0),
    -- Null until the first log has begun.
    origin TEXT UNIQUE,
    size INTEGER NOT NULL CHECK (size >= 0),
    checkpoint TEXT NOT NULL,
    -- The verifier keys that the log names, a line each, and the SHA-256 of the rules that it names.
    keys TEXT NOT NULL,
    rules_hash TEXT NOT NULL,
    -- The day of the last entry of the books, counted from the Unix epoch; null before the first.
    books_day INTEGER,
    -- When the checkpoint was signed; null until the log has begun.
    signed_at_micros INTEGER,
    -- The last checkpoint of the log that this one follows; null for the first log.
    follows TEXT,
    CHECK ((id = 1) = (follows IS NULL))
) STRICT;

INSERT INTO log_state (id, origin, size, checkpoint, keys, rules_hash)
VALUES (1, NULL, 0, '', '', '');

-- The totals of the rounds that were settled before a log began, which it does not contain.
CREATE TABLE log_opening_totals (
    log_id INTEGER NOT NULL,
    game TEXT NOT NULL REFERENCES games (name),
    rounds INTEGER NOT NULL,
    staked_cents INTEGER NOT NULL,
    paid_cents INTEGER NOT NULL,
    PRIMARY KEY (log_id, game)
) STRICT, WITHOUT ROWID;

INSERT INTO log_opening_totals (log_id, game, rounds, staked_cents, paid_cents)
SELECT 1, game, SUM(rounds), SUM(staked_cents), SUM(paid_cents) FROM house_totals GROUP BY game;

-- How many ledger entries of deposits and withdrawals, paid withdrawals and seed pairs have no receipt,
-- because they are from before receipts existed.
CREATE TABLE before_receipts (
    kind TEXT PRIMARY KEY NOT NULL,
    number INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO before_receipts (kind, number)
SELECT kind, COUNT(*) FROM ledger_entries
WHERE kind IN ('deposit', 'withdrawal', 'withdrawal_returned') GROUP BY kind
UNION ALL SELECT 'withdrawal_paid', COUNT(*) FROM withdrawals WHERE status = 'approved'
UNION ALL SELECT 'pair', COUNT(*) FROM seed_pairs WHERE activated_at_micros IS NOT NULL;

-- Receipts of seed pairs, deposits and withdrawals. Those of rounds follow from the rounds.
CREATE TABLE receipts (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    player_id INTEGER NOT NULL REFERENCES users (id),
    text TEXT NOT NULL,
    batch_id INTEGER NOT NULL,
    receipt_index INTEGER NOT NULL CHECK (receipt_index >= 0)
) STRICT;

CREATE INDEX receipts_of_player ON receipts (player_id, id);

CREATE TRIGGER receipts_never_change BEFORE UPDATE ON receipts
BEGIN
    SELECT RAISE(ABORT, 'a receipt never changes');
END;

CREATE TRIGGER receipts_stay BEFORE DELETE ON receipts
BEGIN
    SELECT RAISE(ABORT, 'receipts are never deleted');
END;

-- Where the receipt of a round's last change is; null for rounds from before receipts existed.
ALTER TABLE rounds ADD COLUMN receipt_batch_id INTEGER;
ALTER TABLE rounds ADD COLUMN receipt_index INTEGER CHECK ((receipt_index IS NULL) = (receipt_batch_id IS NULL));
