-- When the user closed the account; null while it is open.
ALTER TABLE users ADD COLUMN closed_at_micros INTEGER;

-- What is stored about a user is read for the data export, user by user.
CREATE INDEX mails_of_user ON mails (user_id, id);
CREATE INDEX email_addresses_by_user ON email_addresses (user_id, id);
