-- Administrators have one of five roles, each with its own permissions. Those who could do everything are
-- owners.
ALTER TABLE users DROP CONSTRAINT users_role_check;
UPDATE users SET role = 'owner' WHERE role = 'administrator';
ALTER TABLE users ADD CONSTRAINT users_role_check
    CHECK (role IN ('player', 'owner', 'finance', 'cashier', 'support', 'auditor'));

DROP INDEX users_administrators;
-- For counting owners without reading all users.
CREATE INDEX users_owners ON users (id) WHERE role = 'owner';
