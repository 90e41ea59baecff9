-- Administration: an audit log in which each record covers all earlier ones, and the time at which
-- a session's user last entered the password.

-- The object affected, such as "withdrawal 7", if it is not the user as such.
ALTER TABLE audit_log ADD COLUMN subject TEXT;

-- SHA-256 over the hash of the previous record and this record; null for records that predate this
-- migration.
ALTER TABLE audit_log ADD COLUMN hash TEXT CHECK (length(hash) = 64);

-- The end of the chain, locked for appending a record. Its hash is null until the first record.
CREATE TABLE audit_head (
    id BIGINT PRIMARY KEY CHECK (id = 1),
    records BIGINT NOT NULL CHECK (records >= 0),
    hash TEXT CHECK (length(hash) = 64)
);

INSERT INTO audit_head VALUES (1, 0, NULL);

-- Refuses records without a hash, which a server of an older version would write.
CREATE FUNCTION audit_log_goes_on() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF new.hash IS NULL THEN
        RAISE EXCEPTION 'the audit log goes on where it ends';
    END IF;
    RETURN new;
END
$$;
CREATE TRIGGER audit_log_goes_on BEFORE INSERT ON audit_log
FOR EACH ROW EXECUTE FUNCTION audit_log_goes_on();

CREATE INDEX audit_log_by_action ON audit_log (action, id);

-- When the password was last entered, and the number of wrong passwords since then.
ALTER TABLE sessions ADD COLUMN confirmed_at_micros BIGINT NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN refused_confirmations BIGINT NOT NULL DEFAULT 0;

CREATE INDEX deposits_by_status ON deposits (status, id);
-- Replaces the index of pending withdrawals.
CREATE INDEX withdrawals_by_status ON withdrawals (status, id);
DROP INDEX withdrawals_pending;
CREATE INDEX payments_by_activity ON payments (updated_at_micros)
    WHERE status NOT IN ('finished', 'failed', 'refunded', 'expired');

-- When the provider was last polled for the payment.
ALTER TABLE payments ADD COLUMN checked_at_micros BIGINT;
-- The administrator who confirmed the credit by hand; null for automatic credits.
ALTER TABLE payment_credits ADD COLUMN confirmed_by BIGINT REFERENCES users (id);
