DROP INDEX deposits_credited;
DROP INDEX rounds_of_game;
CREATE INDEX rounds_of_game ON rounds (game, ended_at_micros, id) WHERE ended_at_micros IS NOT NULL;
DROP INDEX users_administrators;
