DROP INDEX proposals_by_act;
DROP INDEX reviews_of_payment;
