-- Everybody with a role of the house becomes an administrator, as before.
CREATE TABLE new_users (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    username TEXT NOT NULL CHECK (length(username) BETWEEN 3 AND 32),
    -- The username in lower case: unique regardless of case, on both databases alike.
    username_key TEXT NOT NULL UNIQUE CHECK (username_key = lower(username)),
    password_hash TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('player', 'administrator')),
    -- A banned user has a reason; an active one has none.
    ban_reason TEXT CHECK (length(ban_reason) > 0),
    created_at_micros INTEGER NOT NULL,
    shows_name INTEGER NOT NULL DEFAULT 0 CHECK (shows_name IN (0, 1)),
    password_changed_at_micros INTEGER,
    one_time_password_until_micros INTEGER,
    has_second_factor INTEGER NOT NULL DEFAULT 0 CHECK (has_second_factor IN (0, 1)),
    second_factor_changed_at_micros INTEGER,
    closed_at_micros INTEGER,
    pseudonymised_at_micros INTEGER CHECK (
        pseudonymised_at_micros IS NULL
        OR (closed_at_micros IS NOT NULL AND pseudonymised_at_micros >= closed_at_micros)
    )
) STRICT;

INSERT INTO new_users (id, username, username_key, password_hash, role, ban_reason, created_at_micros,
    shows_name, password_changed_at_micros, one_time_password_until_micros, has_second_factor,
    second_factor_changed_at_micros, closed_at_micros, pseudonymised_at_micros)
SELECT id, username, username_key, password_hash,
    CASE role WHEN 'player' THEN role ELSE 'administrator' END, ban_reason, created_at_micros,
    shows_name, password_changed_at_micros, one_time_password_until_micros, has_second_factor,
    second_factor_changed_at_micros, closed_at_micros, pseudonymised_at_micros
FROM users;

DROP TABLE users;
ALTER TABLE new_users RENAME TO users;

CREATE INDEX users_banned ON users (id) WHERE ban_reason IS NOT NULL;
CREATE INDEX users_administrators ON users (id) WHERE role = 'administrator';
CREATE INDEX users_to_pseudonymise ON users (closed_at_micros, id)
    WHERE closed_at_micros IS NOT NULL AND pseudonymised_at_micros IS NULL;
