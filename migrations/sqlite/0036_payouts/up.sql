-- An approved withdrawal is paid: by the provider or by an administrator, exactly once. Withdrawals have a
-- risk, by which their queue can be sorted, and small ones can be approved automatically. SQLite cannot change
-- a CHECK constraint, so the table is rebuilt.
CREATE TABLE new_withdrawals (
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
    -- The administrator who decided; null if the player cancelled it, or if it was approved automatically.
    decided_by INTEGER REFERENCES users (id),
    decided_at_micros INTEGER,
    idempotency_key TEXT,
    created_at_micros INTEGER NOT NULL,
    -- Before when it cannot be approved, and why; null if it is not delayed.
    payable_from_micros INTEGER CHECK (payable_from_micros > created_at_micros),
    delay_reasons TEXT CHECK (length(delay_reasons) > 0),
    -- The reasons for a closer look when it was requested, separated by commas, and the sum of their points.
    risk_factors TEXT NOT NULL DEFAULT '',
    risk_points INTEGER NOT NULL DEFAULT 0 CHECK (risk_points >= 0),
    CHECK ((status = 'pending') = (decided_at_micros IS NULL)),
    CHECK (CASE status WHEN 'rejected' THEN decided_by IS NOT NULL WHEN 'approved' THEN TRUE
        ELSE decided_by IS NULL END),
    CHECK ((status = 'rejected') = (reason IS NOT NULL)),
    CHECK (decided_by IS NULL OR decided_by <> player_id),
    CHECK ((payable_from_micros IS NULL) = (delay_reasons IS NULL)),
    CHECK (status <> 'approved' OR payable_from_micros IS NULL OR decided_at_micros >= payable_from_micros)
) STRICT;

INSERT INTO new_withdrawals (id, player_id, amount_cents, fee_cents, currency, address, status, reason,
    decided_by, decided_at_micros, idempotency_key, created_at_micros, payable_from_micros, delay_reasons,
    risk_factors, risk_points)
SELECT id, player_id, amount_cents, fee_cents, currency, address, status, reason,
    decided_by, decided_at_micros, idempotency_key, created_at_micros, payable_from_micros, delay_reasons,
    -- Requests that are pending were never judged, so a person looks at them.
    CASE status WHEN 'pending' THEN 'first_use' ELSE '' END, CASE status WHEN 'pending' THEN 15 ELSE 0 END
FROM withdrawals;

DROP TABLE withdrawals;
ALTER TABLE new_withdrawals RENAME TO withdrawals;

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
    OR new.risk_factors IS NOT old.risk_factors
    OR new.risk_points IS NOT old.risk_points
BEGIN
    SELECT RAISE(ABORT, 'a withdrawal is decided once, and nothing else of it changes');
END;

CREATE TRIGGER withdrawals_stay BEFORE DELETE ON withdrawals
BEGIN
    SELECT RAISE(ABORT, 'withdrawals are never deleted');
END;

CREATE INDEX withdrawals_by_risk ON withdrawals (risk_points DESC, id) WHERE status = 'pending';
CREATE INDEX withdrawals_by_amount ON withdrawals (amount_cents DESC, id) WHERE status = 'pending';
CREATE INDEX withdrawals_automatic ON withdrawals (player_id, decided_at_micros)
    WHERE status = 'approved' AND decided_by IS NULL;
CREATE INDEX withdrawals_automatic_by_time ON withdrawals (decided_at_micros)
    WHERE status = 'approved' AND decided_by IS NULL;
CREATE INDEX withdrawals_of_address ON withdrawals (currency, address);
CREATE INDEX withdrawal_addresses_shared ON withdrawal_addresses (currency, normal_form, player_id);

-- The payment of each approved withdrawal.
CREATE TABLE payouts (
    withdrawal_id INTEGER PRIMARY KEY NOT NULL REFERENCES withdrawals (id),
    method TEXT NOT NULL CHECK (method IN ('provider', 'manual')),
    state TEXT NOT NULL CHECK (state IN ('claimed', 'sent', 'confirmed', 'failed', 'returned')),
    -- Our ID of the payment at the provider.
    external_id TEXT NOT NULL UNIQUE,
    -- The amount sent in the coin, the price of a coin in dollars, and the network's fee in the coin.
    coin_amount TEXT CHECK (length(coin_amount) > 0),
    rate TEXT CHECK (length(rate) > 0),
    network_fee TEXT CHECK (length(network_fee) > 0),
    transaction_id TEXT CHECK (length(transaction_id) > 0),
    -- When the provider was first asked to create the payment, and what it calls it. Nothing is paid before
    -- its batch is verified, and only this batch is ever verified.
    requested_at_micros INTEGER,
    provider_id TEXT UNIQUE,
    batch_id TEXT UNIQUE,
    verified_at_micros INTEGER,
    -- The last problem, or why the payment failed, and how many calls have failed in a row.
    problem TEXT CHECK (length(problem) > 0),
    failed_calls INTEGER NOT NULL DEFAULT 0 CHECK (failed_calls >= 0),
    -- When the next step is due; null if there is none without a person.
    next_step_at_micros INTEGER,
    claimed_at_micros INTEGER NOT NULL,
    sent_at_micros INTEGER,
    confirmed_at_micros INTEGER,
    failed_at_micros INTEGER,
    returned_at_micros INTEGER,
    -- The administrators who recorded it; null if it was the provider.
    sent_by INTEGER REFERENCES users (id),
    confirmed_by INTEGER REFERENCES users (id),
    failed_by INTEGER REFERENCES users (id),
    returned_by INTEGER REFERENCES users (id),
    CHECK ((provider_id IS NULL) = (batch_id IS NULL)),
    CHECK (batch_id IS NULL OR (requested_at_micros IS NOT NULL AND coin_amount IS NOT NULL)),
    CHECK (verified_at_micros IS NULL OR batch_id IS NOT NULL),
    CHECK (method = 'provider' OR (batch_id IS NULL AND next_step_at_micros IS NULL)),
    CHECK (state <> 'sent' OR sent_at_micros IS NOT NULL),
    CHECK (state <> 'confirmed' OR confirmed_at_micros IS NOT NULL),
    CHECK (state NOT IN ('failed', 'returned') OR (failed_at_micros IS NOT NULL AND problem IS NOT NULL)),
    CHECK ((state = 'returned') = (returned_at_micros IS NOT NULL)),
    CHECK (state IN ('claimed', 'sent') OR next_step_at_micros IS NULL),
    CHECK (returned_by IS NOT NULL OR state <> 'returned')
) STRICT;

CREATE INDEX payouts_due ON payouts (next_step_at_micros) WHERE next_step_at_micros IS NOT NULL;
CREATE INDEX payouts_by_state ON payouts (state, withdrawal_id);

-- What was approved so far was paid by hand before it was approved.
INSERT INTO payouts (withdrawal_id, method, state, external_id, claimed_at_micros, confirmed_at_micros)
SELECT id, 'manual', 'confirmed', 'before-' || id, decided_at_micros, decided_at_micros
FROM withdrawals WHERE status = 'approved';

CREATE TRIGGER payouts_move_forward BEFORE UPDATE ON payouts
WHEN new.withdrawal_id <> old.withdrawal_id
    OR new.method <> old.method
    OR new.external_id <> old.external_id
    OR new.claimed_at_micros <> old.claimed_at_micros
    OR NOT (new.state = old.state AND old.state IN ('claimed', 'sent')
        OR old.state || ' ' || new.state IN ('claimed sent', 'claimed failed', 'sent confirmed', 'sent failed',
            'failed returned'))
    OR (old.batch_id IS NOT NULL AND (new.batch_id IS NOT old.batch_id
        OR new.provider_id IS NOT old.provider_id
        OR new.coin_amount IS NOT old.coin_amount))
    OR (old.verified_at_micros IS NOT NULL AND new.verified_at_micros IS NOT old.verified_at_micros)
    OR (old.transaction_id IS NOT NULL AND new.transaction_id IS NOT old.transaction_id)
BEGIN
    SELECT RAISE(ABORT, 'the payment of a withdrawal only moves forward');
END;

CREATE TRIGGER payouts_stay BEFORE DELETE ON payouts
BEGIN
    SELECT RAISE(ABORT, 'payments of withdrawals are never deleted');
END;

-- The largest withdrawal that is approved without a person; 0 if none is.
ALTER TABLE approval_thresholds
    ADD COLUMN automatic_withdrawal_cents INTEGER NOT NULL DEFAULT 0 CHECK (automatic_withdrawal_cents >= 0);
