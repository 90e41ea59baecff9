-- The version of the rules under which a round is played and paid, so that it can be replayed after
-- the rules have changed. 1: payouts are rounded down to the cent. 2: the round's seeds decide
-- whether a fraction of a cent is rounded up or down. Existing rounds have version 1.
ALTER TABLE rounds ADD COLUMN rules_version INTEGER NOT NULL DEFAULT 1 CHECK (rules_version >= 1);

CREATE TRIGGER rounds_keep_their_rules BEFORE UPDATE ON rounds
WHEN new.rules_version IS NOT old.rules_version
BEGIN
    SELECT RAISE(ABORT, 'what a round was started with never changes');
END;
