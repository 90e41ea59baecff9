CREATE TABLE log_batches_with_places (
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
INSERT INTO log_batches_with_places (id, note, receipts, entries, entry_count, log_id, first_index)
SELECT id, note, receipts, entries, entry_count, log_id, first_index
FROM log_batches LEFT JOIN log_places ON batch_id = id ORDER BY id;

DROP VIEW log_batches_and_places;
DROP VIEW waiting_log_batches;
DROP TABLE log_waiting;
DROP TABLE log_places;
DROP TABLE log_batches;
ALTER TABLE log_batches_with_places RENAME TO log_batches;

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
