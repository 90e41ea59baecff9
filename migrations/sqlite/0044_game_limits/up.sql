-- What the owners allow besides the rules of a game; null if nothing else.
ALTER TABLE games ADD COLUMN maximum_stake_cents INTEGER CHECK (maximum_stake_cents > 0);
ALTER TABLE games ADD COLUMN maximum_profit_cents INTEGER CHECK (maximum_profit_cents > 0);
ALTER TABLE games ADD COLUMN maximum_exposure_cents INTEGER CHECK (maximum_exposure_cents > 0);

-- The most that a round that did not end when it started can win. Null for all others, and for rounds from before
-- this was recorded.
ALTER TABLE rounds ADD COLUMN exposure_cents INTEGER CHECK (exposure_cents >= 0);

-- The total of all rounds in play, a row for each game and writer. A row can be negative, because another writer may
-- end a round than the one that started it.
CREATE TABLE exposures (
    game TEXT NOT NULL REFERENCES games (name),
    shard INTEGER NOT NULL,
    exposure_cents INTEGER NOT NULL,
    PRIMARY KEY (game, shard)
) STRICT, WITHOUT ROWID;
