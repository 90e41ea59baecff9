-- Fails if a withdrawal was approved automatically: the earlier version knows no such approval.
ALTER TABLE approval_thresholds DROP COLUMN automatic_withdrawal_cents;

DROP TABLE payouts;
DROP INDEX withdrawal_addresses_shared;
DROP INDEX withdrawals_of_address;
DROP INDEX withdrawals_automatic_by_time;
DROP INDEX withdrawals_automatic;
DROP INDEX withdrawals_by_amount;
DROP INDEX withdrawals_by_risk;

DROP TRIGGER withdrawals_are_decided_once ON withdrawals;
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
)
EXECUTE FUNCTION refuse_change('a withdrawal is decided once, and nothing else of it changes');

ALTER TABLE withdrawals
    DROP CONSTRAINT withdrawals_check2,
    ADD CONSTRAINT withdrawals_check2
        CHECK ((status IN ('approved', 'rejected')) = (decided_by IS NOT NULL)),
    DROP COLUMN risk_points,
    DROP COLUMN risk_factors;
