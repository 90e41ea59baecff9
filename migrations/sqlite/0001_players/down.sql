DROP TABLE sessions;
DROP TABLE accounts;
DROP TABLE seed_pairs;
DROP TABLE users;
