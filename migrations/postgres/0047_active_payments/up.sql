-- The list of active payments, the newest first: with the ID, so that payments that changed at the same time need not be
-- sorted, and the invoices that nobody has paid.
DROP INDEX payments_by_activity;
CREATE INDEX payments_by_activity ON payments (updated_at_micros, id)
    WHERE status NOT IN ('finished', 'failed', 'refunded', 'expired');
CREATE INDEX deposits_by_activity ON deposits (status, updated_at_micros, invoice_id)
    WHERE status = 'pending' AND invoice_id IS NOT NULL;
