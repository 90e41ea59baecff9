-- What administrators and the operator did: append-only.

CREATE TABLE audit_log (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    -- Null when the operator acted from the command line.
    actor_id INTEGER REFERENCES users (id),
    action TEXT NOT NULL,
    target_user_id INTEGER REFERENCES users (id),
    old_value TEXT,
    new_value TEXT,
    -- The network address the request came from, where there was one.
    address TEXT,
    idempotency_key TEXT,
    created_at_micros INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX audit_log_idempotency ON audit_log (actor_id, idempotency_key) WHERE idempotency_key IS NOT NULL;

CREATE TRIGGER audit_log_never_changes BEFORE UPDATE ON audit_log
BEGIN
    SELECT RAISE(ABORT, 'the audit log is append-only');
END;

CREATE TRIGGER audit_log_stays BEFORE DELETE ON audit_log
BEGIN
    SELECT RAISE(ABORT, 'the audit log is append-only');
END;
