UPDATE reviews SET kind = 'late_redeposit' WHERE kind = 'late_payment';
ALTER TABLE payments DROP COLUMN received_at_micros;
