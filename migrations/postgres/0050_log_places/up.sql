-- The same on both databases. On SQLite places are in a table of their own; here the entries of a batch are stored apart
-- from its row (TOAST), and are not written anew with its place.
CREATE VIEW waiting_log_batches AS
SELECT id, entries, entry_count FROM log_batches WHERE first_index IS NULL AND entry_count > 0;

CREATE VIEW log_batches_and_places AS
SELECT id, note, receipts, entries, entry_count, log_id, first_index FROM log_batches;
