DROP INDEX alerts_unacknowledged_by_kind;
DROP INDEX alerts_unacknowledged;
DROP INDEX alerts_by_kind_and_time;
DROP INDEX alerts_by_kind;
DROP TRIGGER alerts_move_forward;
ALTER TABLE alerts DROP COLUMN acknowledged_by;
ALTER TABLE alerts DROP COLUMN acknowledged_at_micros;

CREATE TRIGGER alerts_move_forward BEFORE UPDATE ON alerts
WHEN new.id IS NOT old.id
    OR new.kind IS NOT old.kind
    OR new.key IS NOT old.key
    OR new.user_id IS NOT old.user_id
    OR new.facts IS NOT old.facts
    OR new.is_condition IS NOT old.is_condition
    OR new.raised_at_micros IS NOT old.raised_at_micros
    OR (old.resolved_at_micros IS NOT NULL AND new.resolved_at_micros IS NOT old.resolved_at_micros)
BEGIN
    SELECT RAISE(ABORT, 'an alert is resolved once, and nothing else of it changes');
END;
