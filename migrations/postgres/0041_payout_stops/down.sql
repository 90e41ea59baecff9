DROP TRIGGER payouts_name_persons ON payouts;
ALTER TABLE payouts
    DROP COLUMN refused_codes,
    DROP COLUMN stop_reason,
    DROP COLUMN stopped_by,
    DROP COLUMN stopped_at_micros;
