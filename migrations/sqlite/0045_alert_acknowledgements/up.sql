-- Who takes care of an alert, and since when. Null as long as nobody does.
ALTER TABLE alerts ADD COLUMN acknowledged_at_micros INTEGER;
ALTER TABLE alerts ADD COLUMN acknowledged_by INTEGER REFERENCES users (id)
    CHECK ((acknowledged_by IS NULL) = (acknowledged_at_micros IS NULL));

DROP TRIGGER alerts_move_forward;

CREATE TRIGGER alerts_move_forward BEFORE UPDATE ON alerts
WHEN new.id IS NOT old.id
    OR new.kind IS NOT old.kind
    OR new.key IS NOT old.key
    OR new.user_id IS NOT old.user_id
    OR new.facts IS NOT old.facts
    OR new.is_condition IS NOT old.is_condition
    OR new.raised_at_micros IS NOT old.raised_at_micros
    OR (old.resolved_at_micros IS NOT NULL AND new.resolved_at_micros IS NOT old.resolved_at_micros)
    OR (old.acknowledged_at_micros IS NOT NULL AND (new.acknowledged_at_micros IS NOT old.acknowledged_at_micros
        OR new.acknowledged_by IS NOT old.acknowledged_by))
BEGIN
    SELECT RAISE(ABORT, 'an alert is resolved once and acknowledged once, and nothing else of it changes');
END;

-- The panel's list: all of a kind, and those that nobody has acknowledged, which are also counted. The condition of a
-- partial index alone would not be preferred to the IDs.
CREATE INDEX alerts_by_kind ON alerts (kind, id);
CREATE INDEX alerts_by_kind_and_time ON alerts (kind, raised_at_micros, id);
CREATE INDEX alerts_unacknowledged ON alerts (acknowledged_at_micros, id) WHERE acknowledged_at_micros IS NULL;
CREATE INDEX alerts_unacknowledged_by_kind ON alerts (kind, acknowledged_at_micros, id)
    WHERE acknowledged_at_micros IS NULL;
