-- What administrators need: an audit log whose every record vouches for those before it, and the
-- moment at which a session's user last proved who it is.

-- What an act was about, such as "withdrawal 7", where it was not the user as such.
ALTER TABLE audit_log ADD COLUMN subject TEXT;

-- SHA-256 over the hash of the record before and this record; null for records from before this.
ALTER TABLE audit_log ADD COLUMN hash TEXT CHECK (length(hash) = 64);

-- The end of the chain: whoever adds a record locks it. Its hash is null until the first.
CREATE TABLE audit_head (
    id INTEGER PRIMARY KEY NOT NULL CHECK (id = 1),
    records INTEGER NOT NULL CHECK (records >= 0),
    hash TEXT CHECK (length(hash) = 64)
) STRICT;

INSERT INTO audit_head VALUES (1, 0, NULL);

-- No record without a hash, as a server of an older version would write it, and none in the place of
-- another (INSERT OR REPLACE deletes without asking the trigger for that).
CREATE TRIGGER audit_log_goes_on BEFORE INSERT ON audit_log
WHEN new.hash IS NULL
    OR EXISTS (SELECT 1 FROM audit_log WHERE id = new.id)
    OR EXISTS (SELECT 1 FROM audit_log
        WHERE actor_id = new.actor_id AND idempotency_key = new.idempotency_key)
BEGIN
    SELECT RAISE(ABORT, 'the audit log goes on where it ends');
END;

CREATE INDEX audit_log_by_action ON audit_log (action, id);

-- When the password was last entered, and how often a wrong one was since.
ALTER TABLE sessions ADD COLUMN confirmed_at_micros INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN refused_confirmations INTEGER NOT NULL DEFAULT 0;

CREATE INDEX deposits_by_status ON deposits (status, id);
-- It does what the index of pending ones did, too.
CREATE INDEX withdrawals_by_status ON withdrawals (status, id);
DROP INDEX withdrawals_pending;
CREATE INDEX payments_by_activity ON payments (updated_at_micros)
    WHERE status NOT IN ('finished', 'failed', 'refunded', 'expired');

-- When an administrator last asked the provider about it.
ALTER TABLE payments ADD COLUMN checked_at_micros INTEGER;
-- Who has confirmed a credit by hand; null for those that the provider's word made.
ALTER TABLE payment_credits ADD COLUMN confirmed_by INTEGER REFERENCES users (id);
