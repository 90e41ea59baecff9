-- E-mail: the mails to be sent, users' verified addresses, and the links that wait to be followed.

-- The mails to be sent, written in the transaction of what they tell about.
CREATE TABLE mails (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    user_id INTEGER NOT NULL REFERENCES users (id),
    kind TEXT NOT NULL,
    recipient TEXT NOT NULL,
    -- What the text is made of, as JSON, such as the token of a link. Null once the mail was sent or
    -- given up.
    content TEXT,
    created_at_micros INTEGER NOT NULL,
    -- When it is given up.
    expires_at_micros INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    -- Null once the mail was sent or given up.
    next_attempt_at_micros INTEGER,
    sent_at_micros INTEGER,
    CHECK ((content IS NULL) = (next_attempt_at_micros IS NULL))
) STRICT;

CREATE INDEX mails_due ON mails (next_attempt_at_micros) WHERE next_attempt_at_micros IS NOT NULL;
CREATE INDEX mails_done ON mails (created_at_micros) WHERE next_attempt_at_micros IS NULL;

-- Verified addresses. Those that were removed or replaced are kept for a year, and for as long as
-- their user is excluded, so that nobody plays on with a second account.
CREATE TABLE email_addresses (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    user_id INTEGER NOT NULL REFERENCES users (id),
    -- As the user wrote it.
    address TEXT NOT NULL,
    -- The same for all spellings of one mailbox.
    address_key TEXT NOT NULL,
    verified_at_micros INTEGER NOT NULL,
    removed_at_micros INTEGER
) STRICT;

CREATE UNIQUE INDEX email_addresses_of_user ON email_addresses (user_id)
    WHERE removed_at_micros IS NULL;
CREATE UNIQUE INDEX email_addresses_in_use ON email_addresses (address_key)
    WHERE removed_at_micros IS NULL;
CREATE INDEX email_addresses_by_key ON email_addresses (address_key);
CREATE INDEX email_addresses_removed ON email_addresses (removed_at_micros)
    WHERE removed_at_micros IS NOT NULL;

-- The newest address that a user has asked to verify. Only the hash of the link's token is stored.
CREATE TABLE email_verifications (
    user_id INTEGER PRIMARY KEY NOT NULL REFERENCES users (id),
    address TEXT NOT NULL,
    address_key TEXT NOT NULL,
    token_hash TEXT NOT NULL UNIQUE,
    requested_at_micros INTEGER NOT NULL
) STRICT;

CREATE INDEX email_verifications_by_age ON email_verifications (requested_at_micros);

-- The newest link with which a user can choose a new password.
CREATE TABLE password_recoveries (
    user_id INTEGER PRIMARY KEY NOT NULL REFERENCES users (id),
    token_hash TEXT NOT NULL UNIQUE,
    requested_at_micros INTEGER NOT NULL
) STRICT;

CREATE INDEX password_recoveries_by_age ON password_recoveries (requested_at_micros);

-- The optional notices that a user does not want.
CREATE TABLE declined_notices (
    user_id INTEGER NOT NULL REFERENCES users (id),
    topic TEXT NOT NULL,
    PRIMARY KEY (user_id, topic)
) STRICT, WITHOUT ROWID;
