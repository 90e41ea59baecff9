DROP INDEX security_events_failed;
CREATE INDEX security_events_failed ON security_events (user_id, created_at_micros)
    WHERE kind IN ('sign_in_failed', 'confirmation_failed', 'second_factor_failed', 'confirmation_code_failed');
-- Users who have only passkeys have no second factor without them.
DELETE FROM recovery_codes WHERE user_id NOT IN (SELECT user_id FROM authenticators);
UPDATE users SET has_second_factor = 0
    WHERE has_second_factor = 1 AND id NOT IN (SELECT user_id FROM authenticators);
DROP TABLE passkey_ceremonies;
DROP TABLE passkeys;
