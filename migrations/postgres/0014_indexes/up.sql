-- Indexes for which the planner has only one choice, regardless of the size of the tables when it
-- plans.

-- For counting administrators without reading all users.
CREATE INDEX users_administrators ON users (id) WHERE role = 'administrator';

-- The rounds of all players. Queries of a player's history have no condition on the state, so the
-- planner never uses this index for them.
DROP INDEX rounds_of_game;
CREATE INDEX rounds_of_game ON rounds (game, ended_at_micros, id) WHERE state = 'settled';

-- Among indexes of equal cost, which all are while there are no rounds, the planner chooses the
-- newest. It must not be one of the history's.
DROP INDEX rounds_idempotency;
CREATE UNIQUE INDEX rounds_idempotency ON rounds (player_id, idempotency_key) WHERE idempotency_key IS NOT NULL;

-- The wagering progress is read from the deposits that have credits.
CREATE INDEX deposits_credited ON deposits (player_id, id) WHERE credited_cents > 0;
