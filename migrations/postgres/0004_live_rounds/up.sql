-- Timed rounds: when they end, the multiplier at which they were left, and the idempotency key of
-- leaving them.

-- When an open round ends by itself. Secret while the round is open.
ALTER TABLE rounds ADD COLUMN due_at_micros BIGINT;
-- The multiplier that the player left with, in games that can be left.
ALTER TABLE rounds ADD COLUMN multiplier_thousandths BIGINT CHECK (multiplier_thousandths >= 0);
-- The idempotency key of the call that ended the round, if a call did and sent one.
ALTER TABLE rounds ADD COLUMN settlement_key TEXT;

CREATE UNIQUE INDEX rounds_settlement_key ON rounds (player_id, settlement_key) WHERE settlement_key IS NOT NULL;
-- The open rounds by due time, without the settled ones.
CREATE INDEX rounds_due ON rounds (due_at_micros, id) WHERE state = 'open';

CREATE TRIGGER rounds_keep_their_terms BEFORE UPDATE ON rounds
FOR EACH ROW
WHEN (
    (new.id, new.player_id, new.game, new.seed_pair_id, new.nonce, new.idempotency_key, new.started_at_micros, new.due_at_micros)
        IS DISTINCT FROM
        (old.id, old.player_id, old.game, old.seed_pair_id, old.nonce, old.idempotency_key, old.started_at_micros, old.due_at_micros)
)
EXECUTE FUNCTION refuse_change('what a round was started with never changes');

-- The number of rounds that were left, and the sum and maximum of their multipliers.
ALTER TABLE player_statistics ADD COLUMN cash_outs BIGINT NOT NULL DEFAULT 0 CHECK (cash_outs >= 0);
ALTER TABLE player_statistics ADD COLUMN multiplier_thousandths_total BIGINT NOT NULL DEFAULT 0 CHECK (multiplier_thousandths_total >= 0);
ALTER TABLE player_statistics ADD COLUMN best_multiplier_thousandths BIGINT NOT NULL DEFAULT 0 CHECK (best_multiplier_thousandths >= 0);

-- The floor of the house's clock, even if the computer's clock is earlier after a restart.
CREATE TABLE house_clock (
    id BIGINT PRIMARY KEY CHECK (id = 1),
    not_before_micros BIGINT NOT NULL
);

INSERT INTO house_clock VALUES (1, 0);
