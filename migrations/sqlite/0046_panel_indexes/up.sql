-- For the pages of one payment and of one withdrawal: all reviews of a payment, and what was proposed for it.
CREATE INDEX reviews_of_payment ON reviews (payment_id, id);
CREATE INDEX proposals_by_act ON proposals (act);

-- The queue by risk and by amount. With the status as their first column, they are preferred to the index on the status
-- alone, with which all pending withdrawals were read and sorted. PostgreSQL chooses them as they are.
DROP INDEX withdrawals_by_risk;
DROP INDEX withdrawals_by_amount;
CREATE INDEX withdrawals_by_risk ON withdrawals (status, risk_points DESC, id) WHERE status = 'pending';
CREATE INDEX withdrawals_by_amount ON withdrawals (status, amount_cents DESC, id) WHERE status = 'pending';
