DROP INDEX users_to_pseudonymise;
ALTER TABLE users DROP COLUMN pseudonymised_at_micros;
