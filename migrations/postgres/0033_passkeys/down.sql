DROP INDEX security_events_failed;
CREATE INDEX security_events_failed ON security_events (user_id, created_at_micros)
    WHERE kind IN ('sign_in_failed', 'confirmation_failed', 'second_factor_failed', 'confirmation_code_failed');
DROP TABLE passkey_ceremonies;
DROP TABLE passkeys;
