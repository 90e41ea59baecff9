-- Dual control: what moves much money is proposed by one administrator and approved by another.

-- Up to which amounts one person may act alone. Each row is a version; the newest one is in force for what
-- is recorded in the audit log after the record that introduced it. The first one is that of a new house.
CREATE TABLE approval_thresholds (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    adjustment_cents INTEGER NOT NULL CHECK (adjustment_cents >= 0),
    confirmation_cents INTEGER NOT NULL CHECK (confirmation_cents >= 0),
    withdrawal_cents INTEGER NOT NULL CHECK (withdrawal_cents >= 0),
    person_per_day_cents INTEGER NOT NULL CHECK (person_per_day_cents >= 0),
    house_per_day_cents INTEGER NOT NULL CHECK (house_per_day_cents >= 0),
    audit_record_id INTEGER NOT NULL UNIQUE,
    set_at_micros INTEGER
) STRICT;

INSERT INTO approval_thresholds (adjustment_cents, confirmation_cents, withdrawal_cents,
    person_per_day_cents, house_per_day_cents, audit_record_id)
SELECT 10000, 50000, 100000, 200000, 1000000, COALESCE(MAX(id), 0) FROM audit_log;

CREATE TABLE proposals (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN (
        'adjust_balance', 'confirm_payment', 'approve_withdrawal', 'change_role', 'change_thresholds'
    )),
    -- What is proposed, in full.
    act TEXT NOT NULL,
    -- The user whom it concerns.
    user_id INTEGER REFERENCES users (id),
    reason TEXT CHECK (length(reason) > 0),
    -- Why a second person is needed.
    cause TEXT NOT NULL,
    proposed_by INTEGER NOT NULL REFERENCES users (id),
    proposed_at_micros INTEGER NOT NULL,
    expires_at_micros INTEGER NOT NULL,
    state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'approved', 'refused', 'withdrawn')),
    decided_by INTEGER REFERENCES users (id),
    decided_at_micros INTEGER,
    decision_reason TEXT CHECK (length(decision_reason) > 0),
    CHECK ((user_id IS NULL) = (kind = 'change_thresholds')),
    -- Nobody proposes or approves anything for themselves.
    CHECK (user_id IS NULL OR user_id <> proposed_by),
    CHECK (state <> 'approved' OR user_id IS NULL OR user_id <> decided_by),
    CHECK ((state = 'open') = (decided_by IS NULL)),
    CHECK ((decided_by IS NULL) = (decided_at_micros IS NULL)),
    -- It takes two.
    CHECK (state NOT IN ('approved', 'refused') OR decided_by <> proposed_by),
    CHECK (state <> 'withdrawn' OR decided_by = proposed_by),
    CHECK ((state = 'refused') = (decision_reason IS NOT NULL))
) STRICT;

CREATE INDEX proposals_open ON proposals (id) WHERE state = 'open';
CREATE INDEX proposals_by_state ON proposals (state, id);

-- Every act of an administrator that moves money, with the audit record that describes it. Those without a
-- proposal were done by one person alone.
CREATE TABLE money_acts (
    audit_record_id INTEGER PRIMARY KEY NOT NULL,
    day INTEGER NOT NULL,
    administrator_id INTEGER NOT NULL REFERENCES users (id),
    player_id INTEGER NOT NULL REFERENCES users (id),
    kind TEXT NOT NULL CHECK (kind IN ('adjustment', 'confirmation', 'withdrawal')),
    -- Negative if it was taken from a balance.
    amount_cents INTEGER NOT NULL,
    proposal_id INTEGER UNIQUE REFERENCES proposals (id),
    CHECK (administrator_id <> player_id)
) STRICT;

CREATE INDEX money_acts_alone ON money_acts (day, administrator_id, amount_cents)
    WHERE proposal_id IS NULL;
CREATE INDEX money_acts_of_player ON money_acts (player_id, day);

-- For finding a second person without reading all users.
CREATE INDEX users_with_roles ON users (id) WHERE role <> 'player';

CREATE TRIGGER approval_thresholds_no_update BEFORE UPDATE ON approval_thresholds
BEGIN
    SELECT RAISE(ABORT, 'approval thresholds are append-only');
END;
CREATE TRIGGER approval_thresholds_no_delete BEFORE DELETE ON approval_thresholds
BEGIN
    SELECT RAISE(ABORT, 'approval thresholds are append-only');
END;
CREATE TRIGGER proposals_are_decided_once BEFORE UPDATE ON proposals
WHEN OLD.state <> 'open' OR NEW.id <> OLD.id OR NEW.kind <> OLD.kind OR NEW.act <> OLD.act
    OR NEW.user_id IS NOT OLD.user_id OR NEW.reason IS NOT OLD.reason OR NEW.cause <> OLD.cause
    OR NEW.proposed_by <> OLD.proposed_by OR NEW.proposed_at_micros <> OLD.proposed_at_micros
    OR NEW.expires_at_micros <> OLD.expires_at_micros
BEGIN
    SELECT RAISE(ABORT, 'a proposal never changes and is decided once');
END;
CREATE TRIGGER proposals_no_delete BEFORE DELETE ON proposals
BEGIN
    SELECT RAISE(ABORT, 'a proposal never changes and is decided once');
END;
CREATE TRIGGER money_acts_no_update BEFORE UPDATE ON money_acts
BEGIN
    SELECT RAISE(ABORT, 'acts that move money are append-only');
END;
CREATE TRIGGER money_acts_no_delete BEFORE DELETE ON money_acts
BEGIN
    SELECT RAISE(ABORT, 'acts that move money are append-only');
END;
