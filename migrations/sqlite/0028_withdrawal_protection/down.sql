-- Fails if a withdrawal was cancelled: the earlier version has no such status.
DROP TABLE withdrawal_addresses;

CREATE TABLE old_withdrawals (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    player_id INTEGER NOT NULL REFERENCES accounts (player_id),
    amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
    fee_cents INTEGER NOT NULL CHECK (fee_cents >= 0 AND fee_cents < amount_cents),
    currency TEXT NOT NULL,
    address TEXT NOT NULL CHECK (length(address) > 0),
    status TEXT NOT NULL CHECK (status IN ('pending', 'approved', 'rejected')),
    reason TEXT CHECK (length(reason) > 0),
    decided_by INTEGER REFERENCES users (id),
    decided_at_micros INTEGER,
    idempotency_key TEXT,
    created_at_micros INTEGER NOT NULL,
    CHECK ((status = 'pending') = (decided_at_micros IS NULL)),
    CHECK ((status = 'pending') = (decided_by IS NULL)),
    CHECK ((status = 'rejected') = (reason IS NOT NULL)),
    CHECK (decided_by IS NULL OR decided_by <> player_id)
) STRICT;

INSERT INTO old_withdrawals (id, player_id, amount_cents, fee_cents, currency, address, status, reason,
    decided_by, decided_at_micros, idempotency_key, created_at_micros)
SELECT id, player_id, amount_cents, fee_cents, currency, address, status, reason,
    decided_by, decided_at_micros, idempotency_key, created_at_micros
FROM withdrawals;

DROP TABLE withdrawals;
ALTER TABLE old_withdrawals RENAME TO withdrawals;

CREATE UNIQUE INDEX withdrawals_idempotency ON withdrawals (player_id, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX withdrawals_of_player ON withdrawals (player_id, id);
CREATE INDEX withdrawals_by_status ON withdrawals (status, id);

CREATE TRIGGER withdrawals_are_decided_once BEFORE UPDATE ON withdrawals
WHEN old.status <> 'pending'
    OR new.id IS NOT old.id
    OR new.player_id IS NOT old.player_id
    OR new.amount_cents IS NOT old.amount_cents
    OR new.fee_cents IS NOT old.fee_cents
    OR new.currency IS NOT old.currency
    OR new.address IS NOT old.address
    OR new.idempotency_key IS NOT old.idempotency_key
    OR new.created_at_micros IS NOT old.created_at_micros
BEGIN
    SELECT RAISE(ABORT, 'a withdrawal is decided once, and nothing else of it changes');
END;

CREATE TRIGGER withdrawals_stay BEFORE DELETE ON withdrawals
BEGIN
    SELECT RAISE(ABORT, 'withdrawals are never deleted');
END;
