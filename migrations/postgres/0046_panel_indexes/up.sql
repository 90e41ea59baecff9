-- For the pages of one payment and of one withdrawal: all reviews of a payment, and what was proposed for it. The
-- conditions leave the indexes to the queries that name them. The acts are in the order of their bytes, so that those
-- with the same beginning follow each other.
CREATE INDEX reviews_of_payment ON reviews (payment_id, id) WHERE id > 0;
CREATE INDEX proposals_by_act ON proposals (act COLLATE "C") WHERE id > 0;
