-- Fails if a withdrawal was approved automatically: the earlier version knows no such approval.
ALTER TABLE approval_thresholds DROP COLUMN automatic_withdrawal_cents;

DROP TABLE payouts;
DROP INDEX withdrawal_addresses_shared;

CREATE TABLE old_withdrawals (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    player_id INTEGER NOT NULL REFERENCES accounts (player_id),
    -- What left the balance; the fee is a part of it.
    amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
    fee_cents INTEGER NOT NULL CHECK (fee_cents >= 0 AND fee_cents < amount_cents),
    currency TEXT NOT NULL,
    address TEXT NOT NULL CHECK (length(address) > 0),
    status TEXT NOT NULL CHECK (status IN ('pending', 'approved', 'rejected', 'cancelled')),
    -- Why it was rejected.
    reason TEXT CHECK (length(reason) > 0),
    -- The administrator who decided; null if the player cancelled it.
    decided_by INTEGER REFERENCES users (id),
    decided_at_micros INTEGER,
    idempotency_key TEXT,
    created_at_micros INTEGER NOT NULL,
    -- Before when it cannot be approved, and why; null if it is not delayed.
    payable_from_micros INTEGER CHECK (payable_from_micros > created_at_micros),
    delay_reasons TEXT CHECK (length(delay_reasons) > 0),
    CHECK ((status = 'pending') = (decided_at_micros IS NULL)),
    CHECK ((status IN ('approved', 'rejected')) = (decided_by IS NOT NULL)),
    CHECK ((status = 'rejected') = (reason IS NOT NULL)),
    CHECK (decided_by IS NULL OR decided_by <> player_id),
    CHECK ((payable_from_micros IS NULL) = (delay_reasons IS NULL)),
    CHECK (status <> 'approved' OR payable_from_micros IS NULL OR decided_at_micros >= payable_from_micros)
) STRICT;

INSERT INTO old_withdrawals (id, player_id, amount_cents, fee_cents, currency, address, status, reason,
    decided_by, decided_at_micros, idempotency_key, created_at_micros, payable_from_micros, delay_reasons)
SELECT id, player_id, amount_cents, fee_cents, currency, address, status, reason,
    decided_by, decided_at_micros, idempotency_key, created_at_micros, payable_from_micros, delay_reasons
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
    OR new.payable_from_micros IS NOT old.payable_from_micros
    OR new.delay_reasons IS NOT old.delay_reasons
BEGIN
    SELECT RAISE(ABORT, 'a withdrawal is decided once, and nothing else of it changes');
END;

CREATE TRIGGER withdrawals_stay BEFORE DELETE ON withdrawals
BEGIN
    SELECT RAISE(ABORT, 'withdrawals are never deleted');
END;
