-- An approved withdrawal is paid: by the provider or by an administrator, exactly once. Withdrawals have a
-- risk, by which their queue can be sorted, and small ones can be approved automatically.
ALTER TABLE withdrawals
    -- The reasons for a closer look when it was requested, separated by commas, and the sum of their points.
    ADD COLUMN risk_factors TEXT NOT NULL DEFAULT '',
    ADD COLUMN risk_points BIGINT NOT NULL DEFAULT 0 CHECK (risk_points >= 0),
    -- Nobody decided if the player cancelled it, or if it was approved automatically.
    DROP CONSTRAINT withdrawals_check2,
    ADD CONSTRAINT withdrawals_check2 CHECK (
        CASE status WHEN 'rejected' THEN decided_by IS NOT NULL WHEN 'approved' THEN TRUE
            ELSE decided_by IS NULL END
    );

DROP TRIGGER withdrawals_are_decided_once ON withdrawals;
-- Requests that are pending were never judged, so a person looks at them.
UPDATE withdrawals SET risk_factors = 'first_use', risk_points = 15 WHERE status = 'pending';
CREATE TRIGGER withdrawals_are_decided_once BEFORE UPDATE ON withdrawals
FOR EACH ROW WHEN (
    old.status <> 'pending'
    OR new.id IS DISTINCT FROM old.id
    OR new.player_id IS DISTINCT FROM old.player_id
    OR new.amount_cents IS DISTINCT FROM old.amount_cents
    OR new.fee_cents IS DISTINCT FROM old.fee_cents
    OR new.currency IS DISTINCT FROM old.currency
    OR new.address IS DISTINCT FROM old.address
    OR new.idempotency_key IS DISTINCT FROM old.idempotency_key
    OR new.created_at_micros IS DISTINCT FROM old.created_at_micros
    OR new.payable_from_micros IS DISTINCT FROM old.payable_from_micros
    OR new.delay_reasons IS DISTINCT FROM old.delay_reasons
    OR new.risk_factors IS DISTINCT FROM old.risk_factors
    OR new.risk_points IS DISTINCT FROM old.risk_points
)
EXECUTE FUNCTION refuse_change('a withdrawal is decided once, and nothing else of it changes');

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
    withdrawal_id BIGINT PRIMARY KEY REFERENCES withdrawals (id),
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
    requested_at_micros BIGINT,
    provider_id TEXT UNIQUE,
    batch_id TEXT UNIQUE,
    verified_at_micros BIGINT,
    -- The last problem, or why the payment failed, and how many calls have failed in a row.
    problem TEXT CHECK (length(problem) > 0),
    failed_calls BIGINT NOT NULL DEFAULT 0 CHECK (failed_calls >= 0),
    -- When the next step is due; null if there is none without a person.
    next_step_at_micros BIGINT,
    claimed_at_micros BIGINT NOT NULL,
    sent_at_micros BIGINT,
    confirmed_at_micros BIGINT,
    failed_at_micros BIGINT,
    returned_at_micros BIGINT,
    -- The administrators who recorded it; null if it was the provider.
    sent_by BIGINT REFERENCES users (id),
    confirmed_by BIGINT REFERENCES users (id),
    failed_by BIGINT REFERENCES users (id),
    returned_by BIGINT REFERENCES users (id),
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
);

CREATE INDEX payouts_due ON payouts (next_step_at_micros) WHERE next_step_at_micros IS NOT NULL;
CREATE INDEX payouts_by_state ON payouts (state, withdrawal_id);

-- What was approved so far was paid by hand before it was approved.
INSERT INTO payouts (withdrawal_id, method, state, external_id, claimed_at_micros, confirmed_at_micros)
SELECT id, 'manual', 'confirmed', 'before-' || id, decided_at_micros, decided_at_micros
FROM withdrawals WHERE status = 'approved';

CREATE TRIGGER payouts_move_forward BEFORE UPDATE ON payouts
FOR EACH ROW WHEN (
    new.withdrawal_id <> old.withdrawal_id
    OR new.method <> old.method
    OR new.external_id <> old.external_id
    OR new.claimed_at_micros <> old.claimed_at_micros
    OR NOT (new.state = old.state AND old.state IN ('claimed', 'sent')
        OR old.state || ' ' || new.state IN ('claimed sent', 'claimed failed', 'sent confirmed', 'sent failed',
            'failed returned'))
    OR (old.batch_id IS NOT NULL AND (new.batch_id IS DISTINCT FROM old.batch_id
        OR new.provider_id IS DISTINCT FROM old.provider_id
        OR new.coin_amount IS DISTINCT FROM old.coin_amount))
    OR (old.verified_at_micros IS NOT NULL AND new.verified_at_micros IS DISTINCT FROM old.verified_at_micros)
    OR (old.transaction_id IS NOT NULL AND new.transaction_id IS DISTINCT FROM old.transaction_id)
)
EXECUTE FUNCTION refuse_change('the payment of a withdrawal only moves forward');

CREATE TRIGGER payouts_stay BEFORE DELETE OR TRUNCATE ON payouts
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('payments of withdrawals are never deleted');

-- The largest withdrawal that is approved without a person; 0 if none is.
ALTER TABLE approval_thresholds
    ADD COLUMN automatic_withdrawal_cents BIGINT NOT NULL DEFAULT 0 CHECK (automatic_withdrawal_cents >= 0);
