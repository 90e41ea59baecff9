DROP INDEX email_addresses_by_user;
DROP INDEX mails_of_user;
ALTER TABLE users DROP COLUMN closed_at_micros;
