ALTER TABLE pending_callbacks RENAME CONSTRAINT pending_callbacks_version_check TO payment_hints_version_check;
ALTER TABLE pending_callbacks RENAME CONSTRAINT pending_callbacks_pkey TO payment_hints_pkey;
DROP INDEX pending_callbacks_by_attempt;
ALTER TABLE pending_callbacks RENAME COLUMN received_at_micros TO heard_at_micros;
ALTER TABLE pending_callbacks RENAME TO payment_hints;
CREATE INDEX payment_hints_by_attempt ON payment_hints (next_attempt_at_micros);
