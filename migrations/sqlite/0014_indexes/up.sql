-- For counting administrators without reading all users.
CREATE INDEX users_administrators ON users (id) WHERE role = 'administrator';
