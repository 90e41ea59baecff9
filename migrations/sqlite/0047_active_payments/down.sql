DROP INDEX deposits_by_activity;
DROP INDEX payments_by_activity;
CREATE INDEX payments_by_activity ON payments (updated_at_micros)
    WHERE status NOT IN ('finished', 'failed', 'refunded', 'expired');
