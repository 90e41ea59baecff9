-- Callbacks that are still to be processed: the table gets the name used in the code.
DROP INDEX payment_hints_by_attempt;
ALTER TABLE payment_hints RENAME TO pending_callbacks;
ALTER TABLE pending_callbacks RENAME COLUMN heard_at_micros TO received_at_micros;
CREATE INDEX pending_callbacks_by_attempt ON pending_callbacks (next_attempt_at_micros);
ALTER TABLE pending_callbacks RENAME CONSTRAINT payment_hints_pkey TO pending_callbacks_pkey;
ALTER TABLE pending_callbacks RENAME CONSTRAINT payment_hints_version_check TO pending_callbacks_version_check;
