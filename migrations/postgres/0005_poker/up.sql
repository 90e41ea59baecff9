-- Poker comprises two games: video poker, and heads-up hold'em against the house. A player may have
-- a hand of each in play.
ALTER TABLE rounds ADD COLUMN variant TEXT NOT NULL DEFAULT '' CHECK (variant IN ('', 'heads_up'));

DROP INDEX rounds_one_open;
CREATE UNIQUE INDEX rounds_one_open ON rounds (player_id, game, variant) WHERE state = 'open';

CREATE TRIGGER rounds_keep_their_variant BEFORE UPDATE ON rounds
FOR EACH ROW WHEN (new.variant IS DISTINCT FROM old.variant)
EXECUTE FUNCTION refuse_change('what a round was started with never changes');
