ALTER TABLE rounds DROP COLUMN receipt_index;
ALTER TABLE rounds DROP COLUMN receipt_batch_id;
DROP TABLE receipts;
DROP TABLE before_receipts;
DROP TABLE log_opening_totals;
DROP TABLE log_state;
DROP TABLE log_tiles;
DROP TABLE log_batches;
