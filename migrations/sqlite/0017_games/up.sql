-- The games. The program adds a row with the status "announced" for each new game; the operator
-- decides when it opens.
CREATE TABLE games (
    name TEXT PRIMARY KEY NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('open', 'paused', 'announced'))
) STRICT, WITHOUT ROWID;

INSERT INTO games (name, status) VALUES
    ('dice', 'open'),
    ('crash', 'open'),
    ('stonks', 'open'),
    ('video_poker', 'open'),
    ('heads_up', 'open');

-- The two games named poker get separate names, and the result of a round is stored as such; the
-- text in the history is generated when it is read. The rounds themselves do not change. SQLite
-- cannot drop a CHECK constraint, so the tables are rebuilt, for the last time: a new game is a row
-- in the table above.
CREATE TABLE new_rounds (
    -- Handed out by the writer, so that a batch of rounds and their ledger entries is written at once.
    id INTEGER PRIMARY KEY NOT NULL,
    player_id INTEGER NOT NULL REFERENCES accounts (player_id),
    game TEXT NOT NULL REFERENCES games (name),
    state TEXT NOT NULL CHECK (state IN ('open', 'settled')),
    -- Who won; none while the round is open.
    result TEXT CHECK (result IN ('win', 'loss', 'push')),
    stake_cents INTEGER NOT NULL CHECK (stake_cents > 0),
    payout_cents INTEGER NOT NULL CHECK (payout_cents >= 0),
    -- What the player left with the stake times of, in games where one leaves.
    multiplier_thousandths INTEGER CHECK (multiplier_thousandths >= 0),
    -- The game's own inputs and results, as JSON.
    details TEXT NOT NULL CHECK (json_valid(details)),
    -- Which version of the games' rules the round is played and paid by.
    rules_version INTEGER NOT NULL DEFAULT 1 CHECK (rules_version >= 1),
    seed_pair_id INTEGER NOT NULL REFERENCES seed_pairs (id),
    nonce INTEGER NOT NULL CHECK (nonce >= 0),
    -- The idempotency key of the call that began the round, and of the one that ended it.
    idempotency_key TEXT,
    settlement_key TEXT,
    -- Balance and still unwagered deposits right after the round, for repeating its first answer.
    balance_after_cents INTEGER NOT NULL CHECK (balance_after_cents >= 0),
    unwagered_after_cents INTEGER NOT NULL CHECK (unwagered_after_cents >= 0),
    started_at_micros INTEGER NOT NULL,
    ended_at_micros INTEGER,
    -- When an open round ends by itself; a secret of the server.
    due_at_micros INTEGER,
    CHECK ((state = 'settled') = (ended_at_micros IS NOT NULL)),
    CHECK ((state = 'settled') = (result IS NOT NULL))
) STRICT;

INSERT INTO new_rounds
    (id, player_id, game, state, result, stake_cents, payout_cents, multiplier_thousandths, details,
     rules_version, seed_pair_id, nonce, idempotency_key, settlement_key, balance_after_cents,
     unwagered_after_cents, started_at_micros, ended_at_micros, due_at_micros)
SELECT id, player_id,
    CASE WHEN game <> 'poker' THEN game WHEN variant = 'heads_up' THEN 'heads_up' ELSE 'video_poker' END,
    state,
    CASE
        WHEN outcome = '' THEN NULL
        WHEN outcome LIKE 'win%' THEN 'win'
        WHEN outcome LIKE 'push%' THEN 'push'
        ELSE 'loss'
    END,
    stake_cents, payout_cents, multiplier_thousandths, details, rules_version, seed_pair_id, nonce,
    idempotency_key, settlement_key, balance_after_cents, unwagered_after_cents, started_at_micros,
    ended_at_micros, due_at_micros
FROM rounds;

-- A player's totals are split between the two games as well.
CREATE TABLE new_player_statistics (
    player_id INTEGER NOT NULL REFERENCES accounts (player_id),
    game TEXT NOT NULL REFERENCES games (name),
    rounds INTEGER NOT NULL CHECK (rounds >= 0),
    wins INTEGER NOT NULL CHECK (wins BETWEEN 0 AND rounds),
    staked_cents INTEGER NOT NULL CHECK (staked_cents >= 0),
    paid_cents INTEGER NOT NULL CHECK (paid_cents >= 0),
    -- The won round that paid most, and what it paid.
    biggest_win_round_id INTEGER REFERENCES new_rounds (id),
    biggest_win_cents INTEGER NOT NULL CHECK (biggest_win_cents >= 0),
    -- Rounds that were left, the sum of what they were left at, and the best.
    cash_outs INTEGER NOT NULL DEFAULT 0 CHECK (cash_outs >= 0),
    multiplier_thousandths_total INTEGER NOT NULL DEFAULT 0 CHECK (multiplier_thousandths_total >= 0),
    best_multiplier_thousandths INTEGER NOT NULL DEFAULT 0 CHECK (best_multiplier_thousandths >= 0),
    PRIMARY KEY (player_id, game),
    CHECK ((biggest_win_round_id IS NULL) = (wins = 0))
) STRICT, WITHOUT ROWID;

INSERT INTO new_player_statistics
SELECT player_id, game, rounds, wins, staked_cents, paid_cents, biggest_win_round_id, biggest_win_cents,
    cash_outs, multiplier_thousandths_total, best_multiplier_thousandths
FROM player_statistics WHERE game <> 'poker';

INSERT INTO new_player_statistics
SELECT totals.player_id, totals.game, totals.rounds, totals.wins, totals.staked_cents, totals.paid_cents,
    biggest.id, COALESCE(biggest.payout_cents, 0), 0, 0, 0
FROM (
    SELECT player_id, game, COUNT(*) AS rounds, COUNT(*) FILTER (WHERE result = 'win') AS wins,
        SUM(stake_cents) AS staked_cents, SUM(payout_cents) AS paid_cents
    FROM new_rounds WHERE state = 'settled' AND game IN ('video_poker', 'heads_up')
    GROUP BY player_id, game
) totals
LEFT JOIN (
    SELECT player_id, game, id, payout_cents,
        ROW_NUMBER() OVER (PARTITION BY player_id, game ORDER BY payout_cents DESC, id) AS place
    FROM new_rounds WHERE state = 'settled' AND result = 'win' AND game IN ('video_poker', 'heads_up')
) biggest ON biggest.player_id = totals.player_id AND biggest.game = totals.game AND biggest.place = 1;

DROP TABLE player_statistics;
DROP TABLE rounds;
ALTER TABLE new_rounds RENAME TO rounds;
ALTER TABLE new_player_statistics RENAME TO player_statistics;

-- Each nonce of a seed pair is used only once.
CREATE UNIQUE INDEX rounds_nonce ON rounds (seed_pair_id, nonce);
CREATE UNIQUE INDEX rounds_idempotency ON rounds (player_id, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE UNIQUE INDEX rounds_settlement_key ON rounds (player_id, settlement_key) WHERE settlement_key IS NOT NULL;
CREATE UNIQUE INDEX rounds_one_open ON rounds (player_id, game) WHERE state = 'open';
-- The open rounds by due time, without the settled ones.
CREATE INDEX rounds_due ON rounds (due_at_micros, id) WHERE state = 'open';
-- A page of the history, for all games or for one, is one index range, regardless of the history's
-- length.
CREATE INDEX rounds_history ON rounds (player_id, ended_at_micros, id);
CREATE INDEX rounds_history_of_game ON rounds (player_id, game, ended_at_micros, id);
-- A page of all players' rounds is one range of this index per game. The newest rounds of a game
-- are at one end of the index, so a bet inserts into pages that are cached in memory.
CREATE INDEX rounds_of_game ON rounds (game, ended_at_micros, id) WHERE ended_at_micros IS NOT NULL;

CREATE TRIGGER rounds_settle_once BEFORE UPDATE ON rounds
WHEN old.state = 'settled'
BEGIN
    SELECT RAISE(ABORT, 'a settled round never changes');
END;

CREATE TRIGGER rounds_keep_their_terms BEFORE UPDATE ON rounds
WHEN new.id IS NOT old.id
    OR new.player_id IS NOT old.player_id
    OR new.game IS NOT old.game
    OR new.seed_pair_id IS NOT old.seed_pair_id
    OR new.nonce IS NOT old.nonce
    OR new.idempotency_key IS NOT old.idempotency_key
    OR new.started_at_micros IS NOT old.started_at_micros
    OR new.due_at_micros IS NOT old.due_at_micros
BEGIN
    SELECT RAISE(ABORT, 'what a round was started with never changes');
END;

CREATE TRIGGER rounds_keep_their_rules BEFORE UPDATE ON rounds
WHEN new.rules_version IS NOT old.rules_version
BEGIN
    SELECT RAISE(ABORT, 'what a round was started with never changes');
END;

CREATE TRIGGER rounds_stay BEFORE DELETE ON rounds
BEGIN
    SELECT RAISE(ABORT, 'rounds are never deleted');
END;

CREATE TABLE new_house_totals (
    -- Days since 1970-01-01, UTC, of the rounds' ends.
    day INTEGER NOT NULL CHECK (day >= 0),
    game TEXT NOT NULL REFERENCES games (name),
    -- Which writer adds to the row: writers that shared one would wait for one another.
    shard INTEGER NOT NULL CHECK (shard >= 0),
    rounds INTEGER NOT NULL CHECK (rounds > 0),
    wins INTEGER NOT NULL CHECK (wins BETWEEN 0 AND rounds),
    staked_cents INTEGER NOT NULL CHECK (staked_cents >= 0),
    paid_cents INTEGER NOT NULL CHECK (paid_cents >= 0),
    -- What the rounds were expected to pay by the rules, and the variance of that. Statistics, not money.
    expected_cents REAL NOT NULL DEFAULT 0 CHECK (expected_cents >= 0),
    variance REAL NOT NULL DEFAULT 0 CHECK (variance >= 0),
    PRIMARY KEY (day, game, shard)
) STRICT, WITHOUT ROWID;

INSERT INTO new_house_totals
SELECT day,
    CASE WHEN game <> 'poker' THEN game WHEN variant = 'heads_up' THEN 'heads_up' ELSE 'video_poker' END,
    shard, rounds, wins, staked_cents, paid_cents, expected_cents, variance
FROM house_totals;
DROP TABLE house_totals;
ALTER TABLE new_house_totals RENAME TO house_totals;
