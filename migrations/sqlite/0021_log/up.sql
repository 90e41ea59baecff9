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
    -- The index in the log of the first entry; null until the batch has its place, and for a batch
    -- without entries.
    first_index INTEGER UNIQUE CHECK (first_index >= 0),
    CHECK ((note = '') = (length(receipts) = 0)),
    CHECK (first_index IS NULL OR entry_count > 0)
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

-- The hashes of the log's Merkle tree, as tiles of up to 256 hashes of 32 bytes (C2SP tlog-tiles).
CREATE TABLE log_tiles (
    level INTEGER NOT NULL CHECK (level BETWEEN 0 AND 7),
    tile_index INTEGER NOT NULL CHECK (tile_index >= 0),
    hashes BLOB NOT NULL CHECK (length(hashes) % 32 = 0 AND length(hashes) BETWEEN 32 AND 8192),
    PRIMARY KEY (level, tile_index)
) STRICT, WITHOUT ROWID;

-- The end of the log: its name, size and signed checkpoint. One row.
CREATE TABLE log_state (
    id INTEGER PRIMARY KEY NOT NULL CHECK (id = 1),
    -- Null until the log has begun.
    origin TEXT,
    size INTEGER NOT NULL CHECK (size >= 0),
    checkpoint TEXT NOT NULL,
    -- The verifier keys that the log names, a line each, and the SHA-256 of the rules that it names.
    keys TEXT NOT NULL,
    rules_hash TEXT NOT NULL,
    -- The day of the last entry of the books, counted from the Unix epoch; null before the first.
    books_day INTEGER,
    -- When the checkpoint was signed; null until the log has begun.
    signed_at_micros INTEGER
) STRICT;

INSERT INTO log_state (id, origin, size, checkpoint, keys, rules_hash, books_day)
VALUES (1, NULL, 0, '', '', '', NULL);

-- The totals of the rounds that were settled before the log began, which it does not contain.
CREATE TABLE log_opening_totals (
    game TEXT PRIMARY KEY NOT NULL REFERENCES games (name),
    rounds INTEGER NOT NULL,
    staked_cents INTEGER NOT NULL,
    paid_cents INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO log_opening_totals (game, rounds, staked_cents, paid_cents)
SELECT game, SUM(rounds), SUM(staked_cents), SUM(paid_cents) FROM house_totals GROUP BY game;

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
