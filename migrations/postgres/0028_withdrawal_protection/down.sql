-- Fails if a withdrawal was cancelled: the earlier version has no such status.
DROP TABLE withdrawal_addresses;

DROP TRIGGER withdrawals_are_decided_once ON withdrawals;

ALTER TABLE withdrawals
    DROP COLUMN payable_from_micros,
    DROP COLUMN delay_reasons,
    DROP CONSTRAINT withdrawals_status_check,
    ADD CONSTRAINT withdrawals_status_check CHECK (status IN ('pending', 'approved', 'rejected')),
    DROP CONSTRAINT withdrawals_check2,
    ADD CONSTRAINT withdrawals_check2 CHECK ((status = 'pending') = (decided_by IS NULL));

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
)
EXECUTE FUNCTION refuse_change('a withdrawal is decided once, and nothing else of it changes');
