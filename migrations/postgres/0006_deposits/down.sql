DROP TABLE reviews, payment_hints, payment_credits, payments, deposits;
