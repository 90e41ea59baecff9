-- Whether a payment arrived before its rate expired depends on when the amount received was first
-- seen, not on when the provider finished with it.
ALTER TABLE payments ADD COLUMN received_at_micros INTEGER;

-- Every late payment can need manual review now, not only re-deposits.
UPDATE reviews SET kind = 'late_payment' WHERE kind = 'late_redeposit';
