-- A seed pair begins as a commitment without a client seed (next), is then used with one (active),
-- and is finally revealed. The server seed is in plain text only in revealed pairs.

DROP TRIGGER seed_pairs_are_committed ON seed_pairs;
DROP INDEX seed_pairs_in_use;

-- The commitment is the SHA-256 of the server seed's text and what the seed is derived from. The mask
-- is null except for seeds that were chosen before seeds were derived. Pairs that had been revealed
-- by then have neither key nor salt. The client seed is null while the pair is next, and the server
-- seed until the pair is revealed.
ALTER TABLE seed_pairs RENAME COLUMN created_at_micros TO committed_at_micros;
ALTER TABLE seed_pairs
    ALTER COLUMN server_seed DROP NOT NULL,
    ALTER COLUMN client_seed DROP NOT NULL,
    ADD COLUMN key_id TEXT CHECK (length(key_id) = 16),
    ADD COLUMN salt TEXT CHECK (length(salt) = 64),
    ADD COLUMN mask TEXT CHECK (length(mask) = 64),
    ADD COLUMN client_seed_by TEXT CHECK (client_seed_by IN ('player', 'house')),
    ADD COLUMN client_seed_at_micros BIGINT,
    ADD COLUMN activated_at_micros BIGINT;

-- Of these pairs nobody recorded who chose the client seed, and it was known before the server seed:
-- they prove no more than pairs with a client seed by the house.
UPDATE seed_pairs p SET
    key_id = c.key_id,
    salt = c.salt,
    mask = c.mask,
    client_seed_by = 'house',
    client_seed_at_micros = p.committed_at_micros,
    activated_at_micros = p.committed_at_micros,
    server_seed = CASE WHEN p.revealed_at_micros IS NOT NULL THEN p.server_seed END
FROM seed_pairs q LEFT JOIN seed_conversion c ON c.pair_id = q.id
WHERE q.id = p.id;

INSERT INTO seed_pairs (player_id, server_seed_hash, key_id, salt, committed_at_micros)
SELECT player_id, next_server_seed_hash, key_id, next_salt, committed_at_micros
FROM seed_conversion ORDER BY pair_id;

ALTER TABLE seed_pairs
    ADD CONSTRAINT seed_pairs_activated_after_commitment
        CHECK (activated_at_micros >= committed_at_micros),
    ADD CONSTRAINT seed_pairs_client_seed_after_activation
        CHECK (client_seed_at_micros >= activated_at_micros),
    ADD CONSTRAINT seed_pairs_salt_with_key CHECK ((salt IS NULL) = (key_id IS NULL)),
    ADD CONSTRAINT seed_pairs_salt_until_revealed
        CHECK (salt IS NOT NULL OR (mask IS NULL AND revealed_at_micros IS NOT NULL)),
    ADD CONSTRAINT seed_pairs_client_seed_of_active
        CHECK ((client_seed IS NULL) = (activated_at_micros IS NULL)),
    ADD CONSTRAINT seed_pairs_client_seed_by_of_active
        CHECK ((client_seed_by IS NULL) = (activated_at_micros IS NULL)),
    ADD CONSTRAINT seed_pairs_client_seed_at_of_active
        CHECK ((client_seed_at_micros IS NULL) = (activated_at_micros IS NULL)),
    -- The house never knows a player's client seed before it has committed to the server seed.
    ADD CONSTRAINT seed_pairs_player_after_commitment
        CHECK (client_seed_by = 'house' OR client_seed_at_micros > committed_at_micros),
    ADD CONSTRAINT seed_pairs_server_seed_of_revealed
        CHECK ((server_seed IS NULL) = (revealed_at_micros IS NULL)),
    ADD CONSTRAINT seed_pairs_revealed_after_active
        CHECK (revealed_at_micros IS NULL OR activated_at_micros IS NOT NULL);

-- The active seed pair, repeated here so that a bet reads one row, and the next one.
ALTER TABLE accounts
    ADD COLUMN next_seed_pair_id BIGINT,
    ADD COLUMN seed_key_id TEXT,
    ADD COLUMN seed_salt TEXT,
    ADD COLUMN seed_mask TEXT;
UPDATE accounts a SET
    next_seed_pair_id = n.id,
    seed_key_id = c.key_id,
    seed_salt = c.salt,
    seed_mask = c.mask
FROM seed_conversion c JOIN seed_pairs n ON n.server_seed_hash = c.next_server_seed_hash
WHERE c.pair_id = a.seed_pair_id;
ALTER TABLE accounts
    ALTER COLUMN next_seed_pair_id SET NOT NULL,
    ALTER COLUMN seed_key_id SET NOT NULL,
    ALTER COLUMN seed_salt SET NOT NULL,
    ADD CONSTRAINT accounts_next_seed_pair_id_key UNIQUE (next_seed_pair_id),
    ADD CONSTRAINT accounts_next_seed_pair_id_fkey
        FOREIGN KEY (next_seed_pair_id) REFERENCES seed_pairs (id),
    DROP COLUMN server_seed;
DROP TABLE seed_conversion;

-- A player has at most one active and one next pair.
CREATE UNIQUE INDEX seed_pairs_active ON seed_pairs (player_id)
WHERE activated_at_micros IS NOT NULL AND revealed_at_micros IS NULL;
CREATE UNIQUE INDEX seed_pairs_next ON seed_pairs (player_id) WHERE activated_at_micros IS NULL;
-- A page of a player's former pairs is one range of this index.
CREATE INDEX seed_pairs_revealed ON seed_pairs (player_id, id) WHERE revealed_at_micros IS NOT NULL;
-- The keys in use are found without reading the pairs.
CREATE INDEX seed_pairs_keys ON seed_pairs (key_id) WHERE revealed_at_micros IS NULL;

CREATE TRIGGER seed_pairs_begin_as_next BEFORE INSERT ON seed_pairs
FOR EACH ROW
WHEN (new.salt IS NULL OR new.mask IS NOT NULL OR new.activated_at_micros IS NOT NULL)
EXECUTE FUNCTION refuse_change('a seed pair begins as a commitment without a client seed');

CREATE TRIGGER seed_pairs_are_committed BEFORE UPDATE ON seed_pairs
FOR EACH ROW
WHEN (
    (new.id, new.player_id, new.server_seed_hash, new.key_id, new.salt, new.mask, new.committed_at_micros)
        IS DISTINCT FROM
        (old.id, old.player_id, old.server_seed_hash, old.key_id, old.salt, old.mask, old.committed_at_micros)
    OR (old.activated_at_micros IS NOT NULL
        AND new.activated_at_micros IS DISTINCT FROM old.activated_at_micros)
)
EXECUTE FUNCTION refuse_change('a commitment to a server seed never changes');

-- The allowed steps: a next pair becomes active; the player replaces the client seed of an active
-- pair that no round was played with; an active pair is revealed.
CREATE FUNCTION seed_pairs_take_one_step() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF old.activated_at_micros IS NULL THEN
        IF new.activated_at_micros IS NOT NULL AND new.revealed_at_micros IS NULL THEN
            RETURN new;
        END IF;
    ELSIF old.revealed_at_micros IS NULL AND new.revealed_at_micros IS NULL THEN
        IF new.client_seed_by IS NOT DISTINCT FROM 'player'
            AND NOT EXISTS (SELECT 1 FROM rounds WHERE seed_pair_id = old.id)
        THEN
            RETURN new;
        END IF;
    ELSIF old.revealed_at_micros IS NULL
        AND (new.client_seed, new.client_seed_by, new.client_seed_at_micros)
            IS NOT DISTINCT FROM (old.client_seed, old.client_seed_by, old.client_seed_at_micros)
    THEN
        RETURN new;
    END IF;
    RAISE EXCEPTION 'a seed pair becomes active once and is revealed once'
        USING ERRCODE = 'restrict_violation';
END;
$$;
CREATE TRIGGER seed_pairs_take_one_step BEFORE UPDATE ON seed_pairs
FOR EACH ROW EXECUTE FUNCTION seed_pairs_take_one_step();
