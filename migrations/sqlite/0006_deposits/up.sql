-- Deposits: the orders, the payments as reported by the provider, and their credits.

CREATE TABLE deposits (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    player_id INTEGER NOT NULL REFERENCES accounts (player_id),
    -- Our own random id, written before the provider is asked for an invoice.
    order_id TEXT NOT NULL UNIQUE,
    currency TEXT NOT NULL,
    price_cents INTEGER NOT NULL CHECK (price_cents > 0),
    status TEXT NOT NULL CHECK (status IN ('requested', 'pending', 'completed', 'failed', 'expired')),
    -- The provider's word for the payment that tells most.
    external_status TEXT,
    credited_cents INTEGER NOT NULL CHECK (credited_cents >= 0),
    invoice_id TEXT UNIQUE,
    invoice_url TEXT,
    idempotency_key TEXT,
    created_at_micros INTEGER NOT NULL,
    updated_at_micros INTEGER NOT NULL,
    completed_at_micros INTEGER,
    -- When the provider is asked next whether the callbacks have told all; null once they have.
    next_check_at_micros INTEGER,
    CHECK ((status = 'completed') = (completed_at_micros IS NOT NULL))
) STRICT;

CREATE UNIQUE INDEX deposits_idempotency ON deposits (player_id, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX deposits_of_player ON deposits (player_id, id);
CREATE INDEX deposits_to_check ON deposits (next_check_at_micros) WHERE next_check_at_micros IS NOT NULL;

CREATE TRIGGER deposits_keep_their_terms BEFORE UPDATE ON deposits
WHEN new.id IS NOT old.id
    OR new.player_id IS NOT old.player_id
    OR new.order_id IS NOT old.order_id
    OR new.currency IS NOT old.currency
    OR new.price_cents IS NOT old.price_cents
    OR (old.invoice_id IS NOT NULL AND new.invoice_id IS NOT old.invoice_id)
    OR new.idempotency_key IS NOT old.idempotency_key
    OR new.created_at_micros IS NOT old.created_at_micros
    OR new.credited_cents < old.credited_cents
BEGIN
    SELECT RAISE(ABORT, 'the terms of a deposit never change');
END;

CREATE TRIGGER deposits_stay BEFORE DELETE ON deposits
BEGIN
    SELECT RAISE(ABORT, 'deposits are never deleted');
END;

CREATE TABLE payments (
    -- The provider's.
    id TEXT PRIMARY KEY NOT NULL,
    -- Null for an orphan: the provider knows it, no order of ours does.
    deposit_id INTEGER REFERENCES deposits (id),
    -- The payment that it was sent after.
    parent_id TEXT,
    standing TEXT NOT NULL CHECK (standing IN ('tracked', 'quarantined', 'orphan')),
    status TEXT NOT NULL,
    pay_currency TEXT,
    -- Amounts of coins, as literal digits.
    pay_amount TEXT,
    actually_paid TEXT,
    -- What the whole price was asked for in, for its children.
    rate_amount TEXT,
    rate_currency TEXT,
    credited_cents INTEGER NOT NULL CHECK (credited_cents >= 0),
    credits INTEGER NOT NULL CHECK (credits >= 0),
    -- The whole of it as the provider last told it.
    details TEXT NOT NULL,
    first_seen_at_micros INTEGER NOT NULL,
    updated_at_micros INTEGER NOT NULL,
    CHECK ((credits = 0) = (credited_cents = 0)),
    CHECK ((standing = 'orphan') = (deposit_id IS NULL))
) STRICT, WITHOUT ROWID;

CREATE INDEX payments_of_deposit ON payments (deposit_id, id);

CREATE TRIGGER payments_stay BEFORE DELETE ON payments
BEGIN
    SELECT RAISE(ABORT, 'payments are never deleted');
END;

CREATE TRIGGER payments_never_lose_a_credit BEFORE UPDATE ON payments
WHEN new.id IS NOT old.id
    OR new.credited_cents < old.credited_cents
    OR new.credits < old.credits
    OR (old.deposit_id IS NOT NULL AND new.deposit_id IS NOT old.deposit_id)
BEGIN
    SELECT RAISE(ABORT, 'what was credited stays credited');
END;

-- The credits of payments. The primary key prevents crediting twice.
CREATE TABLE payment_credits (
    payment_id TEXT NOT NULL REFERENCES payments (id),
    number INTEGER NOT NULL CHECK (number > 0),
    player_id INTEGER NOT NULL REFERENCES accounts (player_id),
    amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
    created_at_micros INTEGER NOT NULL,
    PRIMARY KEY (payment_id, number)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER payment_credits_never_change BEFORE UPDATE ON payment_credits
BEGIN
    SELECT RAISE(ABORT, 'credits are append-only');
END;

CREATE TRIGGER payment_credits_stay BEFORE DELETE ON payment_credits
BEGIN
    SELECT RAISE(ABORT, 'credits are append-only');
END;

-- Payments that the provider sent a callback for and that could not be fetched yet.
CREATE TABLE payment_hints (
    payment_id TEXT PRIMARY KEY NOT NULL,
    -- The payment that it was sent after, if a callback said so.
    parent_id TEXT,
    -- How often the provider has called back about it: a hint that was heard again meanwhile stays.
    version INTEGER NOT NULL CHECK (version > 0),
    heard_at_micros INTEGER NOT NULL,
    next_attempt_at_micros INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX payment_hints_by_attempt ON payment_hints (next_attempt_at_micros);

-- Payments that need manual review.
CREATE TABLE reviews (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    payment_id TEXT NOT NULL,
    deposit_id INTEGER REFERENCES deposits (id),
    kind TEXT NOT NULL,
    -- The money in question, where it is known.
    amount_cents INTEGER,
    details TEXT NOT NULL,
    opened_at_micros INTEGER NOT NULL,
    resolved_at_micros INTEGER,
    resolved_by INTEGER REFERENCES users (id),
    resolution TEXT,
    CHECK ((resolved_at_micros IS NULL) = (resolution IS NULL))
) STRICT;

-- A payment has at most one open review of each kind.
CREATE UNIQUE INDEX reviews_open ON reviews (payment_id, kind) WHERE resolved_at_micros IS NULL;
CREATE INDEX reviews_of_deposit ON reviews (deposit_id);

CREATE TRIGGER reviews_stay BEFORE DELETE ON reviews
BEGIN
    SELECT RAISE(ABORT, 'reviews are never deleted');
END;
