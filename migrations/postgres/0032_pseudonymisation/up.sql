-- When everything personal was removed from a closed account, which no longer has the user's name; null
-- before. Such an account stays closed.
ALTER TABLE users ADD COLUMN pseudonymised_at_micros BIGINT CHECK (
    pseudonymised_at_micros IS NULL
    OR (closed_at_micros IS NOT NULL AND pseudonymised_at_micros >= closed_at_micros)
);

-- The closed accounts that still have their names, the one that was closed first at the top.
CREATE INDEX users_to_pseudonymise ON users (closed_at_micros, id)
    WHERE closed_at_micros IS NOT NULL AND pseudonymised_at_micros IS NULL;
