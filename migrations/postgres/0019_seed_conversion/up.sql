-- The server seeds in use are no longer stored: each is derived from a salt and a key that is not in
-- the database. The program writes here, with the key, what the next migration stores of each seed
-- in use, and the commitment to each player's next seed.
CREATE TABLE seed_conversion (
    pair_id BIGINT PRIMARY KEY,
    player_id BIGINT NOT NULL,
    key_id TEXT NOT NULL,
    salt TEXT NOT NULL,
    mask TEXT NOT NULL,
    next_salt TEXT NOT NULL,
    next_server_seed_hash TEXT NOT NULL,
    committed_at_micros BIGINT NOT NULL
);
