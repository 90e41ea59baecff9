-- Counting the administrators must not read all users.
CREATE INDEX users_administrators ON users (id) WHERE role = 'administrator';
