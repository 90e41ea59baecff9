DROP TRIGGER audit_log_goes_on;
CREATE TRIGGER audit_log_goes_on BEFORE INSERT ON audit_log
WHEN new.hash IS NULL
    OR EXISTS (SELECT 1 FROM audit_log WHERE id = new.id)
    OR EXISTS (SELECT 1 FROM audit_log
        WHERE actor_id = new.actor_id AND idempotency_key = new.idempotency_key)
BEGIN
    SELECT RAISE(ABORT, 'the audit log goes on where it ends');
END;

ALTER TABLE audit_head DROP COLUMN seal;
ALTER TABLE audit_head DROP COLUMN key_id;
ALTER TABLE audit_log DROP COLUMN key_id;
