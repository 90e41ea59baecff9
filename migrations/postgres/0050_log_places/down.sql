DROP VIEW log_batches_and_places;
DROP VIEW waiting_log_batches;
