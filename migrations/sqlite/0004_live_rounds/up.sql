-- Rounds that run for a while: when they end, what they were left at, and how to repeat the answer
-- to leaving them.

-- When an open round ends by itself; a secret of the server.
ALTER TABLE rounds ADD COLUMN due_at_micros INTEGER;
-- What the player left with the stake times of, in games where one leaves.
ALTER TABLE rounds ADD COLUMN multiplier_thousandths INTEGER CHECK (multiplier_thousandths >= 0);
-- The idempotency key of the call that ended the round, if it was a call and sent one.
ALTER TABLE rounds ADD COLUMN settlement_key TEXT;

CREATE UNIQUE INDEX rounds_settlement_key ON rounds (player_id, settlement_key) WHERE settlement_key IS NOT NULL;
-- The rounds that are to end next, however many have ended.
CREATE INDEX rounds_due ON rounds (due_at_micros, id) WHERE state = 'open';

CREATE TRIGGER rounds_keep_their_terms BEFORE UPDATE ON rounds
WHEN new.id IS NOT old.id
    OR new.player_id IS NOT old.player_id
    OR new.game IS NOT old.game
    OR new.seed_pair_id IS NOT old.seed_pair_id
    OR new.nonce IS NOT old.nonce
    OR new.idempotency_key IS NOT old.idempotency_key
    OR new.started_at_micros IS NOT old.started_at_micros
    OR new.due_at_micros IS NOT old.due_at_micros
BEGIN
    SELECT RAISE(ABORT, 'what a round was started with never changes');
END;

-- Rounds that were left, the sum of what they were left at, and the best.
ALTER TABLE player_statistics ADD COLUMN cash_outs INTEGER NOT NULL DEFAULT 0 CHECK (cash_outs >= 0);
ALTER TABLE player_statistics ADD COLUMN multiplier_thousandths_total INTEGER NOT NULL DEFAULT 0 CHECK (multiplier_thousandths_total >= 0);
ALTER TABLE player_statistics ADD COLUMN best_multiplier_thousandths INTEGER NOT NULL DEFAULT 0 CHECK (best_multiplier_thousandths >= 0);

-- The moment that the house's clock must not go back behind, whatever the computer's clock says
-- after a restart.
CREATE TABLE house_clock (
    id INTEGER PRIMARY KEY NOT NULL CHECK (id = 1),
    not_before_micros INTEGER NOT NULL
) STRICT;

INSERT INTO house_clock VALUES (1, 0);
