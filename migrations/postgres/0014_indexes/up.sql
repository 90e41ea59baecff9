-- Indexes that leave the planner no choice that depends on how large a table was when it planned.

-- Counting the administrators must not read all users.
CREATE INDEX users_administrators ON users (id) WHERE role = 'administrator';

-- The rounds of all players. A player's own history does not say that its rounds are settled, so that
-- it is never read out of everybody's.
DROP INDEX rounds_of_game;
CREATE INDEX rounds_of_game ON rounds (game, ended_at_micros, id) WHERE state = 'settled';

-- Of indexes that look equally good, as all do while there are no rounds, the planner takes the
-- youngest. That must not be one of the history's.
DROP INDEX rounds_idempotency;
CREATE UNIQUE INDEX rounds_idempotency ON rounds (player_id, idempotency_key) WHERE idempotency_key IS NOT NULL;

-- What is still to be wagered is read out of the deposits that brought something in.
CREATE INDEX deposits_credited ON deposits (player_id, id) WHERE credited_cents > 0;
