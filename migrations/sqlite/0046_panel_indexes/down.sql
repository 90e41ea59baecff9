DROP INDEX withdrawals_by_amount;
DROP INDEX withdrawals_by_risk;
CREATE INDEX withdrawals_by_risk ON withdrawals (risk_points DESC, id) WHERE status = 'pending';
CREATE INDEX withdrawals_by_amount ON withdrawals (amount_cents DESC, id) WHERE status = 'pending';
DROP INDEX proposals_by_act;
DROP INDEX reviews_of_payment;
