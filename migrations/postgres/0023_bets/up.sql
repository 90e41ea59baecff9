-- What players see of all bets, and totals that their statistics and statements are read from.

-- Whether other players see the name at the player's bets. Looked up when a bet is shown, so that a
-- change applies to earlier bets as well.
ALTER TABLE users ADD COLUMN shows_name BIGINT NOT NULL DEFAULT 0 CHECK (shows_name IN (0, 1));

-- The wins of at least 5.00, of each game and day, by profit. A bet with a smaller profit writes
-- nothing here.
CREATE INDEX rounds_high_wins ON rounds
    (game, (ended_at_micros / 86400000000), (payout_cents - stake_cents), id)
    WHERE state = 'settled' AND payout_cents - stake_cents >= 500;

-- Totals of a player's settled rounds by the hour in which they ended and by game, so that the cost of
-- a plot does not depend on the number of rounds.
CREATE TABLE hourly_statistics (
    player_id BIGINT NOT NULL REFERENCES accounts (player_id),
    -- Hours since 1970-01-01 in UTC.
    hour BIGINT NOT NULL CHECK (hour >= 0),
    game TEXT NOT NULL REFERENCES games (name),
    rounds BIGINT NOT NULL CHECK (rounds > 0),
    staked_cents BIGINT NOT NULL CHECK (staked_cents >= 0),
    paid_cents BIGINT NOT NULL CHECK (paid_cents >= 0),
    PRIMARY KEY (player_id, hour, game)
) WITH (fillfactor = 70);

INSERT INTO hourly_statistics (player_id, hour, game, rounds, staked_cents, paid_cents)
SELECT player_id, ended_at_micros / 3600000000, game, COUNT(*), SUM(stake_cents), SUM(payout_cents)
FROM rounds WHERE state = 'settled'
GROUP BY 1, 2, 3;

-- Totals of a player's ledger entries by the day on which they were made, and where they are in the
-- ledger.
CREATE TABLE daily_statements (
    player_id BIGINT NOT NULL REFERENCES accounts (player_id),
    -- Days since 1970-01-01 in UTC.
    day BIGINT NOT NULL CHECK (day >= 0),
    entries BIGINT NOT NULL CHECK (entries > 0),
    first_sequence BIGINT NOT NULL CHECK (first_sequence > 0),
    last_sequence BIGINT NOT NULL CHECK (last_sequence >= first_sequence),
    deposited_cents BIGINT NOT NULL,
    -- What was withdrawn less what was returned.
    withdrawn_cents BIGINT NOT NULL,
    adjusted_cents BIGINT NOT NULL,
    staked_cents BIGINT NOT NULL,
    paid_cents BIGINT NOT NULL,
    PRIMARY KEY (player_id, day)
) WITH (fillfactor = 70);

INSERT INTO daily_statements (player_id, day, entries, first_sequence, last_sequence,
    deposited_cents, withdrawn_cents, adjusted_cents, staked_cents, paid_cents)
SELECT player_id, created_at_micros / 86400000000, COUNT(*), MIN(sequence), MAX(sequence),
    SUM(CASE WHEN kind = 'deposit' THEN amount_cents ELSE 0 END),
    -SUM(CASE WHEN kind IN ('withdrawal', 'withdrawal_returned') THEN amount_cents ELSE 0 END),
    SUM(CASE WHEN kind = 'adjustment' THEN amount_cents ELSE 0 END),
    -SUM(CASE WHEN kind = 'stake' THEN amount_cents ELSE 0 END),
    SUM(CASE WHEN kind = 'payout' THEN amount_cents ELSE 0 END)
FROM ledger_entries
GROUP BY 1, 2;
