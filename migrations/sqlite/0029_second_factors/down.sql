DROP INDEX security_events_failed;
CREATE INDEX security_events_failed ON security_events (user_id, created_at_micros)
    WHERE kind IN ('sign_in_failed', 'confirmation_failed');
DROP TABLE recovery_codes;
DROP TABLE authenticator_enrolments;
DROP TABLE authenticators;
ALTER TABLE users DROP COLUMN second_factor_changed_at_micros;
ALTER TABLE users DROP COLUMN has_second_factor;
