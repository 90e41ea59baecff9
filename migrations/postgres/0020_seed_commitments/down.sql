-- Fails in a database with players: their seeds in use are no longer stored.
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

DROP TRIGGER seed_pairs_take_one_step ON seed_pairs;
DROP FUNCTION seed_pairs_take_one_step;
DROP TRIGGER seed_pairs_are_committed ON seed_pairs;
DROP TRIGGER seed_pairs_begin_as_next ON seed_pairs;
ALTER TABLE accounts
    ADD COLUMN server_seed TEXT NOT NULL,
    DROP COLUMN next_seed_pair_id,
    DROP COLUMN seed_key_id,
    DROP COLUMN seed_salt,
    DROP COLUMN seed_mask;
DROP INDEX seed_pairs_active, seed_pairs_next, seed_pairs_revealed, seed_pairs_keys;
ALTER TABLE seed_pairs
    DROP COLUMN key_id,
    DROP COLUMN salt,
    DROP COLUMN mask,
    DROP COLUMN client_seed_by,
    DROP COLUMN client_seed_at_micros,
    DROP COLUMN activated_at_micros,
    DROP CONSTRAINT seed_pairs_server_seed_of_revealed,
    ALTER COLUMN server_seed SET NOT NULL,
    ALTER COLUMN client_seed SET NOT NULL;
ALTER TABLE seed_pairs RENAME COLUMN committed_at_micros TO created_at_micros;

CREATE UNIQUE INDEX seed_pairs_in_use ON seed_pairs (player_id) WHERE revealed_at_micros IS NULL;

CREATE TRIGGER seed_pairs_are_committed BEFORE UPDATE ON seed_pairs
FOR EACH ROW
WHEN (
    old.revealed_at_micros IS NOT NULL
    OR new.revealed_at_micros IS NULL
    OR (new.id, new.player_id, new.server_seed, new.server_seed_hash, new.client_seed, new.created_at_micros)
        IS DISTINCT FROM
        (old.id, old.player_id, old.server_seed, old.server_seed_hash, old.client_seed, old.created_at_micros)
)
EXECUTE FUNCTION refuse_change('a seed pair can only be revealed, once');
