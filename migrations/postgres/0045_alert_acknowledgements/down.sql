DROP INDEX alerts_unacknowledged_by_kind;
DROP INDEX alerts_unacknowledged;
DROP INDEX alerts_by_kind_and_time;
DROP INDEX alerts_by_kind;
DROP TRIGGER alerts_move_forward ON alerts;
ALTER TABLE alerts
    DROP COLUMN acknowledged_by,
    DROP COLUMN acknowledged_at_micros;

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
)
EXECUTE FUNCTION refuse_change('an alert is resolved once, and nothing else of it changes');
