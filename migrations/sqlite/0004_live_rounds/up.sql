-- Timed rounds: when they end, the multiplier at which they were left, and the idempotency key of
-- leaving them.

-- When an open round ends by itself. Secret while the round is open.
ALTER TABLE rounds ADD COLUMN due_at_micros INTEGER;
-- The multiplier that the player left with, in games that can be left.
ALTER TABLE rounds ADD COLUMN multiplier_thousandths INTEGER CHECK (multiplier_thousandths >= 0);
-- The idempotency key of the call that ended the round, if a call did and sent one.
ALTER TABLE rounds ADD COLUMN settlement_key TEXT;

CREATE UNIQUE INDEX rounds_settlement_key ON rounds (player_id, settlement_key) WHERE settlement_key IS NOT NULL;
-- The open rounds by due time, without the settled ones.
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

-- The number of rounds that were left, and the sum and maximum of their multipliers.
ALTER TABLE player_statistics ADD COLUMN cash_outs INTEGER NOT NULL DEFAULT 0 CHECK (cash_outs >= 0);
ALTER TABLE player_statistics ADD COLUMN multiplier_thousandths_total INTEGER NOT NULL DEFAULT 0 CHECK (multiplier_thousandths_total >= 0);
ALTER TABLE player_statistics ADD COLUMN best_multiplier_thousandths INTEGER NOT NULL DEFAULT 0 CHECK (best_multiplier_thousandths >= 0);

-- The floor of the house's clock, even if the computer's clock is earlier after a restart.
CREATE TABLE house_clock (
    id INTEGER PRIMARY KEY NOT NULL CHECK (id = 1),
    not_before_micros INTEGER NOT NULL
) STRICT;

INSERT INTO house_clock VALUES (1, 0);
