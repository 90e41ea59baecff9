DROP TRIGGER payouts_name_persons;
ALTER TABLE payouts DROP COLUMN refused_codes;
ALTER TABLE payouts DROP COLUMN stop_reason;
ALTER TABLE payouts DROP COLUMN stopped_by;
ALTER TABLE payouts DROP COLUMN stopped_at_micros;
