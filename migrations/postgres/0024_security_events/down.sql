DROP TABLE security_events;
ALTER TABLE sessions DROP COLUMN address;
ALTER TABLE sessions DROP COLUMN device;
ALTER TABLE users DROP COLUMN password_changed_at_micros;
DROP INDEX sessions_of_user;
CREATE INDEX sessions_of_user ON sessions (user_id);
