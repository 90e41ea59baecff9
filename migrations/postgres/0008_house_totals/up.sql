-- Totals of all settled rounds, so that the cost of the house's report does not depend on the
-- number of rounds, and an index for listing the rounds of all players.

CREATE TABLE house_totals (
    -- The day on which the rounds ended, as days since 1970-01-01 in UTC.
    day BIGINT NOT NULL CHECK (day >= 0),
    game TEXT NOT NULL CHECK (game IN ('dice', 'crash', 'stonks', 'poker')),
    variant TEXT NOT NULL CHECK (variant IN ('', 'heads_up')),
    -- The writer that updates the row: writers sharing a row would wait for each other.
    shard BIGINT NOT NULL CHECK (shard >= 0),
    rounds BIGINT NOT NULL CHECK (rounds > 0),
    wins BIGINT NOT NULL CHECK (wins BETWEEN 0 AND rounds),
    staked_cents BIGINT NOT NULL CHECK (staked_cents >= 0),
    paid_cents BIGINT NOT NULL CHECK (paid_cents >= 0),
    -- Sums of staked², paid² and staked × paid over the rounds, in cents. Not money, but the basis
    -- of the measured return's confidence interval.
    staked_squares DOUBLE PRECISION NOT NULL CHECK (staked_squares >= 0),
    paid_squares DOUBLE PRECISION NOT NULL CHECK (paid_squares >= 0),
    cross_products DOUBLE PRECISION NOT NULL CHECK (cross_products >= 0),
    PRIMARY KEY (day, game, variant, shard)
) WITH (fillfactor = 70);

INSERT INTO house_totals
SELECT ended_at_micros / 86400000000, game, variant, 0, COUNT(*),
    SUM(CASE WHEN outcome LIKE 'win%' THEN 1 ELSE 0 END),
    SUM(stake_cents), SUM(payout_cents),
    SUM(CAST(stake_cents AS DOUBLE PRECISION) * stake_cents),
    SUM(CAST(payout_cents AS DOUBLE PRECISION) * payout_cents),
    SUM(CAST(stake_cents AS DOUBLE PRECISION) * payout_cents)
FROM rounds WHERE state = 'settled'
GROUP BY 1, 2, 3;

-- A page of all players' rounds is one range of this index per game. The newest rounds of a game
-- are at one end of the index, so a bet inserts into pages that are cached in memory.
CREATE INDEX rounds_of_game ON rounds (game, ended_at_micros, id) WHERE ended_at_micros IS NOT NULL;
-- For counting banned users without reading all users.
CREATE INDEX users_banned ON users (id) WHERE ban_reason IS NOT NULL;
