-- Whether a payment came while its rate held: that is judged by when what it has received was first
-- seen, not by when the provider was done with it.
ALTER TABLE payments ADD COLUMN received_at_micros BIGINT;

-- Every payment that comes late can wait for a person now, not re-deposits alone.
UPDATE reviews SET kind = 'late_payment' WHERE kind = 'late_redeposit';
