-- Rounds, and the ledger of their effects on balances.

CREATE TABLE rounds (
    -- Handed out by the writer, so that a batch of rounds and their ledger entries is written at once.
    id INTEGER PRIMARY KEY NOT NULL,
    player_id INTEGER NOT NULL REFERENCES accounts (player_id),
    game TEXT NOT NULL CHECK (game IN ('dice', 'crash', 'stonks', 'poker')),
    state TEXT NOT NULL CHECK (state IN ('open', 'settled')),
    stake_cents INTEGER NOT NULL CHECK (stake_cents > 0),
    payout_cents INTEGER NOT NULL CHECK (payout_cents >= 0),
    -- The history's text: win, loss, win (2.00x). Empty while the round is open.
    outcome TEXT NOT NULL,
    -- The game's own inputs and results, as JSON.
    details TEXT NOT NULL CHECK (json_valid(details)),
    seed_pair_id INTEGER NOT NULL REFERENCES seed_pairs (id),
    nonce INTEGER NOT NULL CHECK (nonce >= 0),
    idempotency_key TEXT,
    -- Balance and still unwagered deposits right after the round, for repeating its first answer.
    balance_after_cents INTEGER NOT NULL CHECK (balance_after_cents >= 0),
    unwagered_after_cents INTEGER NOT NULL CHECK (unwagered_after_cents >= 0),
    started_at_micros INTEGER NOT NULL,
    ended_at_micros INTEGER,
    CHECK ((state = 'settled') = (ended_at_micros IS NOT NULL)),
    CHECK ((state = 'settled') = (outcome <> ''))
) STRICT;

-- Each nonce of a seed pair is used only once.
CREATE UNIQUE INDEX rounds_nonce ON rounds (seed_pair_id, nonce);
CREATE UNIQUE INDEX rounds_idempotency ON rounds (player_id, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE UNIQUE INDEX rounds_one_open ON rounds (player_id, game) WHERE state = 'open';
-- A page of the history, for all games or for one, is one index range, regardless of the history's
-- length.
CREATE INDEX rounds_history ON rounds (player_id, ended_at_micros, id);
CREATE INDEX rounds_history_of_game ON rounds (player_id, game, ended_at_micros, id);

CREATE TRIGGER rounds_settle_once BEFORE UPDATE ON rounds
WHEN old.state = 'settled'
BEGIN
    SELECT RAISE(ABORT, 'a settled round never changes');
END;

CREATE TRIGGER rounds_stay BEFORE DELETE ON rounds
BEGIN
    SELECT RAISE(ABORT, 'rounds are never deleted');
END;

CREATE TABLE ledger_entries (
    player_id INTEGER NOT NULL REFERENCES accounts (player_id),
    -- 1, 2, 3 … of the player, without gaps.
    sequence INTEGER NOT NULL CHECK (sequence > 0),
    kind TEXT NOT NULL,
    amount_cents INTEGER NOT NULL,
    balance_after_cents INTEGER NOT NULL CHECK (balance_after_cents >= 0),
    -- What the entry is for, such as round:17. One thing moves money of a kind once.
    reference TEXT NOT NULL,
    created_at_micros INTEGER NOT NULL,
    PRIMARY KEY (player_id, sequence),
    UNIQUE (kind, reference),
    CHECK (
        (kind IN ('stake', 'withdrawal') AND amount_cents < 0)
        OR (kind IN ('deposit', 'payout', 'withdrawal_returned') AND amount_cents > 0)
        OR (kind = 'adjustment' AND amount_cents <> 0)
    )
) STRICT, WITHOUT ROWID;

CREATE TRIGGER ledger_entries_never_change BEFORE UPDATE ON ledger_entries
BEGIN
    SELECT RAISE(ABORT, 'the ledger is append-only');
END;

CREATE TRIGGER ledger_entries_stay BEFORE DELETE ON ledger_entries
BEGIN
    SELECT RAISE(ABORT, 'the ledger is append-only');
END;

-- Totals of the settled rounds, updated with each round, so that the cost of statistics does not
-- depend on the number of rounds.
CREATE TABLE player_statistics (
    player_id INTEGER NOT NULL REFERENCES accounts (player_id),
    game TEXT NOT NULL CHECK (game IN ('dice', 'crash', 'stonks', 'poker')),
    rounds INTEGER NOT NULL CHECK (rounds >= 0),
    wins INTEGER NOT NULL CHECK (wins BETWEEN 0 AND rounds),
    staked_cents INTEGER NOT NULL CHECK (staked_cents >= 0),
    paid_cents INTEGER NOT NULL CHECK (paid_cents >= 0),
    -- The won round that paid most, and what it paid.
    biggest_win_round_id INTEGER REFERENCES rounds (id),
    biggest_win_cents INTEGER NOT NULL CHECK (biggest_win_cents >= 0),
    PRIMARY KEY (player_id, game),
    CHECK ((biggest_win_round_id IS NULL) = (wins = 0))
) STRICT, WITHOUT ROWID;
