-- Which version of the games' rules a round is played and paid by, so that it comes out again when
-- the rules have changed. 1: a payout is rounded down to the cent. 2: the round's seeds decide
-- whether a fraction of a cent becomes a whole one. All rounds from before are of version 1.
ALTER TABLE rounds ADD COLUMN rules_version BIGINT NOT NULL DEFAULT 1 CHECK (rules_version >= 1);

CREATE TRIGGER rounds_keep_their_rules BEFORE UPDATE ON rounds
FOR EACH ROW WHEN (new.rules_version IS DISTINCT FROM old.rules_version)
EXECUTE FUNCTION refuse_change('what a round was started with never changes');
