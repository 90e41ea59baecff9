DROP TABLE sessions, accounts, seed_pairs, users;
DROP FUNCTION refuse_change;
