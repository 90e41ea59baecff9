-- Rounds, and the ledger of their effects on balances.

-- Each writer reserves 100 IDs at a time.
CREATE SEQUENCE round_ids INCREMENT BY 100;

CREATE TABLE rounds (
    -- Assigned by the writer, so that a batch of rounds and their ledger entries can be written
    -- together.
    id BIGINT PRIMARY KEY,
    player_id BIGINT NOT NULL REFERENCES accounts (player_id),
    game TEXT NOT NULL CHECK (game IN ('dice', 'crash', 'stonks', 'poker')),
    state TEXT NOT NULL CHECK (state IN ('open', 'settled')),
    stake_cents BIGINT NOT NULL CHECK (stake_cents > 0),
    payout_cents BIGINT NOT NULL CHECK (payout_cents >= 0),
    -- The text in the history: win, loss, win (2.00x). Empty while the round is open.
    outcome TEXT NOT NULL,
    -- The game's own data, as JSON.
    details TEXT NOT NULL CHECK (details::json IS NOT NULL),
    seed_pair_id BIGINT NOT NULL REFERENCES seed_pairs (id),
    nonce BIGINT NOT NULL CHECK (nonce >= 0),
    idempotency_key TEXT,
    -- Balance and wagering requirement right after the round, for repeated calls.
    balance_after_cents BIGINT NOT NULL CHECK (balance_after_cents >= 0),
    unwagered_after_cents BIGINT NOT NULL CHECK (unwagered_after_cents >= 0),
    started_at_micros BIGINT NOT NULL,
    ended_at_micros BIGINT,
    CHECK ((state = 'settled') = (ended_at_micros IS NOT NULL)),
    CHECK ((state = 'settled') = (outcome <> ''))
);

-- Each nonce of a seed pair is used only once.
CREATE UNIQUE INDEX rounds_nonce ON rounds (seed_pair_id, nonce);
CREATE UNIQUE INDEX rounds_idempotency ON rounds (player_id, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE UNIQUE INDEX rounds_one_open ON rounds (player_id, game) WHERE state = 'open';
-- A page of the history, for all games or for one, is one index range, regardless of the history's
-- length.
CREATE INDEX rounds_history ON rounds (player_id, ended_at_micros, id);
CREATE INDEX rounds_history_of_game ON rounds (player_id, game, ended_at_micros, id);

CREATE TRIGGER rounds_settle_once BEFORE UPDATE ON rounds
FOR EACH ROW WHEN (old.state = 'settled')
EXECUTE FUNCTION refuse_change('a settled round never changes');

CREATE TRIGGER rounds_stay BEFORE DELETE OR TRUNCATE ON rounds
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('rounds are never deleted');

CREATE TABLE ledger_entries (
    player_id BIGINT NOT NULL REFERENCES accounts (player_id),
    -- The player's entries, numbered from 1 without gaps.
    sequence BIGINT NOT NULL CHECK (sequence > 0),
    kind TEXT NOT NULL,
    amount_cents BIGINT NOT NULL,
    balance_after_cents BIGINT NOT NULL CHECK (balance_after_cents >= 0),
    -- The cause of the entry, such as round:17. A cause moves money of one kind only once.
    reference TEXT NOT NULL,
    created_at_micros BIGINT NOT NULL,
    PRIMARY KEY (player_id, sequence),
    UNIQUE (kind, reference),
    CHECK (
        (kind IN ('stake', 'withdrawal') AND amount_cents < 0)
        OR (kind IN ('deposit', 'payout', 'withdrawal_returned') AND amount_cents > 0)
        OR (kind = 'adjustment' AND amount_cents <> 0)
    )
);

CREATE TRIGGER ledger_entries_never_change BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_entries
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('the ledger is append-only');

-- Totals of the settled rounds, updated with each round, so that the cost of statistics does not
-- depend on the number of rounds.
CREATE TABLE player_statistics (
    player_id BIGINT NOT NULL REFERENCES accounts (player_id),
    game TEXT NOT NULL CHECK (game IN ('dice', 'crash', 'stonks', 'poker')),
    rounds BIGINT NOT NULL CHECK (rounds >= 0),
    wins BIGINT NOT NULL CHECK (wins BETWEEN 0 AND rounds),
    staked_cents BIGINT NOT NULL CHECK (staked_cents >= 0),
    paid_cents BIGINT NOT NULL CHECK (paid_cents >= 0),
    -- The won round with the largest payout, and that payout.
    biggest_win_round_id BIGINT REFERENCES rounds (id),
    biggest_win_cents BIGINT NOT NULL CHECK (biggest_win_cents >= 0),
    PRIMARY KEY (player_id, game),
    CHECK ((biggest_win_round_id IS NULL) = (wins = 0))
) WITH (fillfactor = 70);
