-- The places of batches in the log, in a table of their own: SQLite writes a row anew as a whole, with all entries of
-- the batch, when one of its columns changes its length.
CREATE TABLE log_batches_without_places (
    id INTEGER PRIMARY KEY NOT NULL,
    note TEXT NOT NULL,
    -- Before the longer columns, which would have to be read to find it behind them.
    entry_count INTEGER NOT NULL CHECK (entry_count >= 0),
    receipts BLOB NOT NULL CHECK (length(receipts) % 32 = 0),
    entries BLOB NOT NULL,
    CHECK ((note = '') = (length(receipts) = 0))
) STRICT;
INSERT INTO log_batches_without_places (id, note, receipts, entries, entry_count)
SELECT id, note, receipts, entries, entry_count FROM log_batches ORDER BY id;

-- The log that has the entries of a batch, and the index of the first one in it.
CREATE TABLE log_places (
    batch_id INTEGER PRIMARY KEY NOT NULL REFERENCES log_batches (id),
    log_id INTEGER NOT NULL,
    first_index INTEGER NOT NULL CHECK (first_index >= 0),
    UNIQUE (log_id, first_index)
) STRICT;
INSERT INTO log_places (batch_id, log_id, first_index)
SELECT id, log_id, first_index FROM log_batches WHERE first_index IS NOT NULL ORDER BY id;

-- The batches with entries that have no place yet. Kept by the triggers below.
CREATE TABLE log_waiting (
    batch_id INTEGER PRIMARY KEY NOT NULL REFERENCES log_batches (id)
) STRICT;
INSERT INTO log_waiting (batch_id)
SELECT id FROM log_batches WHERE first_index IS NULL AND entry_count > 0 ORDER BY id;

DROP TABLE log_batches;
ALTER TABLE log_batches_without_places RENAME TO log_batches;

CREATE TRIGGER log_batches_never_change BEFORE UPDATE ON log_batches
BEGIN
    SELECT RAISE(ABORT, 'a batch never changes');
END;

CREATE TRIGGER log_batches_stay BEFORE DELETE ON log_batches
BEGIN
    SELECT RAISE(ABORT, 'batches are never deleted');
END;

CREATE TRIGGER log_batches_wait AFTER INSERT ON log_batches WHEN new.entry_count > 0
BEGIN
    INSERT INTO log_waiting (batch_id) VALUES (new.id);
END;

CREATE TRIGGER log_waiting_is_for_batches_without_a_place BEFORE INSERT ON log_waiting
WHEN EXISTS (SELECT 1 FROM log_places WHERE batch_id = new.batch_id)
    OR NOT EXISTS (SELECT 1 FROM log_batches WHERE id = new.batch_id AND entry_count > 0)
BEGIN
    SELECT RAISE(ABORT, 'only a batch with entries and without a place waits for one');
END;

CREATE TRIGGER log_waiting_never_changes BEFORE UPDATE ON log_waiting
BEGIN
    SELECT RAISE(ABORT, 'a batch waits until it has its place in the log');
END;

CREATE TRIGGER log_waiting_ends_with_a_place BEFORE DELETE ON log_waiting
WHEN NOT EXISTS (SELECT 1 FROM log_places WHERE batch_id = old.batch_id)
BEGIN
    SELECT RAISE(ABORT, 'a batch waits until it has its place in the log');
END;

CREATE TRIGGER log_places_are_for_waiting_batches BEFORE INSERT ON log_places
WHEN NOT EXISTS (SELECT 1 FROM log_waiting WHERE batch_id = new.batch_id)
BEGIN
    SELECT RAISE(ABORT, 'a batch gets its place in the log once');
END;

CREATE TRIGGER log_places_end_waiting AFTER INSERT ON log_places
BEGIN
    DELETE FROM log_waiting WHERE batch_id = new.batch_id;
END;

CREATE TRIGGER log_places_never_change BEFORE UPDATE ON log_places
BEGIN
    SELECT RAISE(ABORT, 'a place in the log never changes');
END;

CREATE TRIGGER log_places_stay BEFORE DELETE ON log_places
BEGIN
    SELECT RAISE(ABORT, 'places in the log are never deleted');
END;

-- The same on both databases. CROSS JOIN keeps the order of the tables.
CREATE VIEW waiting_log_batches AS
SELECT waiting.batch_id AS id, batch.entries, batch.entry_count
FROM log_waiting waiting CROSS JOIN log_batches batch ON batch.id = waiting.batch_id;

CREATE VIEW log_batches_and_places AS
SELECT batch.id, batch.note, batch.receipts, batch.entries, batch.entry_count, place.log_id, place.first_index
FROM log_batches batch LEFT JOIN log_places place ON place.batch_id = batch.id;
