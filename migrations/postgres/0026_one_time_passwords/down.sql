ALTER TABLE users DROP COLUMN one_time_password_until_micros;
