-- Passkeys: public keys whose private keys stay on the users' devices.

CREATE TABLE passkeys (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    user_id INTEGER NOT NULL REFERENCES users (id),
    -- What the user is called on the device: 16 random bytes, the same for all passkeys of a user.
    user_handle TEXT NOT NULL CHECK (length(user_handle) = 32),
    -- What the passkey is called on the device.
    credential_id TEXT NOT NULL UNIQUE CHECK (length(credential_id) > 0),
    -- What its user calls it.
    name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 64),
    -- The public key and what else a signature is checked against, in the form of the library.
    public_key TEXT NOT NULL,
    created_at_micros INTEGER NOT NULL,
    -- Null until it is used for the first time after it was added.
    last_used_at_micros INTEGER
) STRICT;

CREATE INDEX passkeys_of_user ON passkeys (user_id);

-- Ceremonies: what a device was asked to sign, until it has, or for five minutes.
CREATE TABLE passkey_ceremonies (
    -- SHA-256 of the random key that the browser answers with.
    key_hash TEXT PRIMARY KEY NOT NULL CHECK (length(key_hash) = 64),
    purpose TEXT NOT NULL CHECK (purpose IN ('sign_in', 'confirmation', 'addition')),
    -- Null for signing in: the answer says who it is.
    user_id INTEGER REFERENCES users (id),
    -- What the answer is checked against, in the form of the library.
    state TEXT NOT NULL,
    created_at_micros INTEGER NOT NULL,
    CHECK ((purpose = 'sign_in') = (user_id IS NULL))
) STRICT;

CREATE INDEX passkey_ceremonies_of_user ON passkey_ceremonies (user_id);
CREATE INDEX passkey_ceremonies_by_age ON passkey_ceremonies (created_at_micros);

-- The failed attempts, to which refused passkeys are added.
DROP INDEX security_events_failed;
CREATE INDEX security_events_failed ON security_events (user_id, created_at_micros)
    WHERE kind IN ('sign_in_failed', 'confirmation_failed', 'second_factor_failed', 'confirmation_code_failed',
        'passkey_failed');
