-- Who takes care of an alert, and since when. Null as long as nobody does.
ALTER TABLE alerts
    ADD COLUMN acknowledged_at_micros BIGINT,
    ADD COLUMN acknowledged_by BIGINT REFERENCES users (id),
    ADD CONSTRAINT alerts_acknowledged CHECK ((acknowledged_by IS NULL) = (acknowledged_at_micros IS NULL));

DROP TRIGGER alerts_move_forward ON alerts;

CREATE TRIGGER alerts_move_forward BEFORE UPDATE ON alerts
FOR EACH ROW WHEN (
    new.id <> old.id
    OR new.kind <> old.kind
    OR new.key <> old.key
    OR new.user_id IS DISTINCT FROM old.user_id
    OR new.facts <> old.facts
    OR new.is_condition <> old.is_condition
    OR new.raised_at_micros <> old.raised_at_micros
    OR (old.resolved_at_micros IS NOT NULL AND new.resolved_at_micros IS DISTINCT FROM old.resolved_at_micros)
    OR (old.acknowledged_at_micros IS NOT NULL
        AND (new.acknowledged_at_micros IS DISTINCT FROM old.acknowledged_at_micros
            OR new.acknowledged_by IS DISTINCT FROM old.acknowledged_by))
)
EXECUTE FUNCTION refuse_change('an alert is resolved once and acknowledged once, and nothing else of it changes');

-- The panel's list: all of a kind, and those that nobody has acknowledged, which are also counted.
CREATE INDEX alerts_by_kind ON alerts (kind, id);
CREATE INDEX alerts_by_kind_and_time ON alerts (kind, raised_at_micros, id);
CREATE INDEX alerts_unacknowledged ON alerts (id) WHERE acknowledged_at_micros IS NULL;
CREATE INDEX alerts_unacknowledged_by_kind ON alerts (kind, id) WHERE acknowledged_at_micros IS NULL;
