-- When a person wanted that a payment is not verified any more, who, and why; and how often the provider has refused
-- the code that verifies it. It accepts ten attempts.
ALTER TABLE payouts
    ADD COLUMN stopped_at_micros BIGINT,
    ADD COLUMN stopped_by BIGINT REFERENCES users (id),
    ADD COLUMN stop_reason TEXT CHECK (length(stop_reason) > 0),
    ADD COLUMN refused_codes BIGINT NOT NULL DEFAULT 0 CHECK (refused_codes >= 0);

-- What is done by hand has a person; what the provider reports has none.
CREATE TRIGGER payouts_name_persons BEFORE UPDATE ON payouts
FOR EACH ROW WHEN (
    (new.stopped_at_micros IS NULL) <> (new.stopped_by IS NULL)
    OR (new.stopped_at_micros IS NULL) <> (new.stop_reason IS NULL)
    OR (old.stopped_at_micros IS NOT NULL AND (new.stopped_at_micros IS DISTINCT FROM old.stopped_at_micros
        OR new.stopped_by IS DISTINCT FROM old.stopped_by
        OR new.stop_reason IS DISTINCT FROM old.stop_reason))
    OR (new.stopped_at_micros IS NOT NULL AND new.method <> 'provider')
    OR (new.method = 'manual' AND (
        (new.sent_at_micros IS NULL) <> (new.sent_by IS NULL)
        OR (new.confirmed_at_micros IS NULL) <> (new.confirmed_by IS NULL)
        OR (new.failed_at_micros IS NULL) <> (new.failed_by IS NULL)))
    OR (new.method = 'provider' AND (new.sent_by IS NOT NULL OR new.confirmed_by IS NOT NULL
        OR (new.failed_by IS NOT NULL AND new.verified_at_micros IS NOT NULL)))
)
EXECUTE FUNCTION refuse_change('a step of a payment by hand names its person, and one of the provider names none');
