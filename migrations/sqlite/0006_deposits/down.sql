DROP TABLE reviews;
DROP TABLE payment_hints;
DROP TABLE payment_credits;
DROP TABLE payments;
DROP TABLE deposits;
