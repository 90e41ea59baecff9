-- Rounds that run for a while: when they end, what they were left at, and how to repeat the answer
-- to leaving them.

-- When an open round ends by itself; a secret of the server.
ALTER TABLE rounds ADD COLUMN due_at_micros BIGINT;
-- What the player left with the stake times of, in games where one leaves.
ALTER TABLE rounds ADD COLUMN multiplier_thousandths BIGINT CHECK (multiplier_thousandths >= 0);
-- The idempotency key of the call that ended the round, if it was a call and sent one.
ALTER TABLE rounds ADD COLUMN settlement_key TEXT;

CREATE UNIQUE INDEX rounds_settlement_key ON rounds (player_id, settlement_key) WHERE settlement_key IS NOT NULL;
-- The rounds that are to end next, however many have ended.
CREATE INDEX rounds_due ON rounds (due_at_micros, id) WHERE state = 'open';

CREATE TRIGGER rounds_keep_their_terms BEFORE UPDATE ON rounds
FOR EACH ROW
WHEN (
    (new.id, new.player_id, new.game, new.seed_pair_id, new.nonce, new.idempotency_key, new.started_at_micros, new.due_at_micros)
        IS DISTINCT FROM
        (old.id, old.player_id, old.game, old.seed_pair_id, old.nonce, old.idempotency_key, old.started_at_micros, old.due_at_micros)
)
EXECUTE FUNCTION refuse_change('what a round was started with never changes');

-- Rounds that were left, the sum of what they were left at, and the best.
ALTER TABLE player_statistics ADD COLUMN cash_outs BIGINT NOT NULL DEFAULT 0 CHECK (cash_outs >= 0);
ALTER TABLE player_statistics ADD COLUMN multiplier_thousandths_total BIGINT NOT NULL DEFAULT 0 CHECK (multiplier_thousandths_total >= 0);
ALTER TABLE player_statistics ADD COLUMN best_multiplier_thousandths BIGINT NOT NULL DEFAULT 0 CHECK (best_multiplier_thousandths >= 0);

-- The moment that the house's clock must not go back behind, whatever the computer's clock says
-- after a restart.
CREATE TABLE house_clock (
    id BIGINT PRIMARY KEY CHECK (id = 1),
    not_before_micros BIGINT NOT NULL
);

INSERT INTO house_clock VALUES (1, 0);
