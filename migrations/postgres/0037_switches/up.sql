-- What the operator switches on and off for the whole house: the current state, and what players are told.
-- The audit log has all changes.
CREATE TABLE switches (
    name TEXT PRIMARY KEY
        CHECK (name IN ('maintenance', 'deposits', 'withdrawals', 'registration')),
    is_on BIGINT NOT NULL CHECK (is_on IN (0, 1)),
    reason TEXT CHECK (length(reason) > 0),
    -- The administrator; null if it was the operator, or if the switch was never changed.
    changed_by BIGINT REFERENCES users (id),
    changed_at_micros BIGINT,
    CHECK ((reason IS NULL) = (changed_at_micros IS NULL))
);

INSERT INTO switches (name, is_on)
VALUES ('maintenance', 0), ('deposits', 1), ('withdrawals', 1), ('registration', 1);

-- Why a player may not bet or withdraw, which only administrators see; null if the player may.
ALTER TABLE users ADD COLUMN betting_block_reason TEXT CHECK (length(betting_block_reason) > 0);
ALTER TABLE users ADD COLUMN withdrawing_block_reason TEXT CHECK (length(withdrawing_block_reason) > 0);
CREATE INDEX users_blocked ON users (id)
    WHERE betting_block_reason IS NOT NULL OR withdrawing_block_reason IS NOT NULL;
