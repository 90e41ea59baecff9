-- For the pages of one payment and of one withdrawal: all reviews of a payment, and what was proposed for it.
CREATE INDEX reviews_of_payment ON reviews (payment_id, id);
CREATE INDEX proposals_by_act ON proposals (act);
