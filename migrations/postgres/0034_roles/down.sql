-- Everybody with a role of the house becomes an administrator, as before.
ALTER TABLE users DROP CONSTRAINT users_role_check;
UPDATE users SET role = 'administrator' WHERE role <> 'player';
ALTER TABLE users ADD CONSTRAINT users_role_check CHECK (role IN ('player', 'administrator'));

DROP INDEX users_owners;
CREATE INDEX users_administrators ON users (id) WHERE role = 'administrator';
