-- Until when a one-time password can be used to sign in; null once its user has chosen one. Meanwhile the
-- user can do nothing else.
ALTER TABLE users ADD COLUMN one_time_password_until_micros INTEGER;
