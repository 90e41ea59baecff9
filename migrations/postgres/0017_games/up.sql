-- The games. The program adds a row with the status "announced" for each new game; the operator
-- decides when it opens.
CREATE TABLE games (
    name TEXT PRIMARY KEY,
    status TEXT NOT NULL CHECK (status IN ('open', 'paused', 'announced'))
);

INSERT INTO games (name, status) VALUES
    ('dice', 'open'),
    ('crash', 'open'),
    ('stonks', 'open'),
    ('video_poker', 'open'),
    ('heads_up', 'open');

-- The two games named poker get separate names, and the result of a round is stored as such; the
-- text in the history is generated when it is read. The rounds themselves do not change.
ALTER TABLE rounds DISABLE TRIGGER USER;
DROP TRIGGER rounds_keep_their_variant ON rounds;
ALTER TABLE rounds DROP CONSTRAINT rounds_game_check;
ALTER TABLE rounds ADD COLUMN result TEXT CHECK (result IN ('win', 'loss', 'push'));
UPDATE rounds SET
    game = CASE WHEN game <> 'poker' THEN game WHEN variant = 'heads_up' THEN 'heads_up' ELSE 'video_poker' END,
    result = CASE
        WHEN outcome = '' THEN NULL
        WHEN outcome LIKE 'win%' THEN 'win'
        WHEN outcome LIKE 'push%' THEN 'push'
        ELSE 'loss'
    END;
DROP INDEX rounds_one_open;
ALTER TABLE rounds DROP COLUMN outcome;
ALTER TABLE rounds DROP COLUMN variant;
ALTER TABLE rounds ADD CONSTRAINT rounds_game_fkey FOREIGN KEY (game) REFERENCES games (name);
ALTER TABLE rounds ADD CONSTRAINT rounds_result_of_settled CHECK ((state = 'settled') = (result IS NOT NULL));
CREATE UNIQUE INDEX rounds_one_open ON rounds (player_id, game) WHERE state = 'open';
ALTER TABLE rounds ENABLE TRIGGER USER;

-- A player's totals are split between the two games as well.
ALTER TABLE player_statistics DROP CONSTRAINT player_statistics_game_check;
DELETE FROM player_statistics WHERE game = 'poker';
INSERT INTO player_statistics
    (player_id, game, rounds, wins, staked_cents, paid_cents, biggest_win_round_id, biggest_win_cents,
     cash_outs, multiplier_thousandths_total, best_multiplier_thousandths)
SELECT totals.player_id, totals.game, rounds, wins, staked_cents, paid_cents, biggest.id,
    COALESCE(biggest.payout_cents, 0), 0, 0, 0
FROM (
    SELECT player_id, game, COUNT(*) AS rounds, COUNT(*) FILTER (WHERE result = 'win') AS wins,
        SUM(stake_cents) AS staked_cents, SUM(payout_cents) AS paid_cents
    FROM rounds WHERE state = 'settled' AND game IN ('video_poker', 'heads_up')
    GROUP BY player_id, game
) totals
LEFT JOIN (
    SELECT DISTINCT ON (player_id, game) player_id, game, id, payout_cents
    FROM rounds WHERE state = 'settled' AND result = 'win' AND game IN ('video_poker', 'heads_up')
    ORDER BY player_id, game, payout_cents DESC, id
) biggest ON biggest.player_id = totals.player_id AND biggest.game = totals.game;
ALTER TABLE player_statistics
    ADD CONSTRAINT player_statistics_game_fkey FOREIGN KEY (game) REFERENCES games (name);

ALTER TABLE house_totals DROP CONSTRAINT house_totals_pkey;
ALTER TABLE house_totals DROP CONSTRAINT house_totals_game_check;
UPDATE house_totals SET game = CASE WHEN variant = 'heads_up' THEN 'heads_up' ELSE 'video_poker' END
WHERE game = 'poker';
ALTER TABLE house_totals DROP COLUMN variant;
ALTER TABLE house_totals ADD PRIMARY KEY (day, game, shard);
ALTER TABLE house_totals ADD CONSTRAINT house_totals_game_fkey FOREIGN KEY (game) REFERENCES games (name);
