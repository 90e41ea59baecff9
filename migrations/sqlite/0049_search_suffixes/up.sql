-- For searching for a part of a text: every end of the text, cut off after 12 characters, in one index. A part of the
-- text is the beginning of one of its ends. The users, deposits, withdrawals and payments that are found are then
-- compared with all that was searched for.
CREATE TABLE search_suffixes (
    subject TEXT NOT NULL CHECK (subject IN ('user', 'deposit', 'withdrawal', 'payment')),
    suffix TEXT NOT NULL CHECK (length(suffix) BETWEEN 1 AND 12),
    -- The ID of the user, deposit, withdrawal or payment.
    record_id TEXT NOT NULL,
    PRIMARY KEY (subject, suffix, record_id)
) STRICT, WITHOUT ROWID;

-- Where ends of a text can begin. A trigger cannot count by itself. No text is longer.
CREATE VIEW suffix_starts AS
WITH RECURSIVE starts (start) AS (SELECT 1 UNION ALL SELECT start + 1 FROM starts WHERE start < 256)
SELECT start FROM starts;

CREATE TRIGGER users_are_found_by_name AFTER INSERT ON users
BEGIN
    INSERT OR IGNORE INTO search_suffixes (subject, suffix, record_id)
    SELECT 'user', substr(lower(new.username_key), start, 12), new.id FROM suffix_starts WHERE start <= length(new.username_key);
END;
CREATE TRIGGER users_are_found_by_new_name AFTER UPDATE OF username_key ON users
WHEN new.username_key IS NOT old.username_key
BEGIN
    DELETE FROM search_suffixes WHERE subject = 'user' AND record_id = CAST(old.id AS TEXT) AND suffix IN (
        SELECT substr(lower(old.username_key), start, 12) FROM suffix_starts WHERE start <= length(old.username_key)
    );
    INSERT OR IGNORE INTO search_suffixes (subject, suffix, record_id)
    SELECT 'user', substr(lower(new.username_key), start, 12), new.id FROM suffix_starts WHERE start <= length(new.username_key);
END;

CREATE TRIGGER deposits_are_found_by_order AFTER INSERT ON deposits
BEGIN
    INSERT OR IGNORE INTO search_suffixes (subject, suffix, record_id)
    SELECT 'deposit', substr(lower(new.order_id), start, 12), new.id FROM suffix_starts WHERE start <= length(new.order_id);
END;
CREATE TRIGGER deposits_are_found_by_new_order AFTER UPDATE OF order_id ON deposits
WHEN new.order_id IS NOT old.order_id
BEGIN
    DELETE FROM search_suffixes WHERE subject = 'deposit' AND record_id = CAST(old.id AS TEXT) AND suffix IN (
        SELECT substr(lower(old.order_id), start, 12) FROM suffix_starts WHERE start <= length(old.order_id)
    );
    INSERT OR IGNORE INTO search_suffixes (subject, suffix, record_id)
    SELECT 'deposit', substr(lower(new.order_id), start, 12), new.id FROM suffix_starts WHERE start <= length(new.order_id);
END;

CREATE TRIGGER deposits_are_found_by_invoice AFTER INSERT ON deposits
BEGIN
    INSERT OR IGNORE INTO search_suffixes (subject, suffix, record_id)
    SELECT 'deposit', substr(lower(new.invoice_id), start, 12), new.id FROM suffix_starts WHERE start <= length(new.invoice_id);
END;
CREATE TRIGGER deposits_are_found_by_new_invoice AFTER UPDATE OF invoice_id ON deposits
WHEN new.invoice_id IS NOT old.invoice_id
BEGIN
    DELETE FROM search_suffixes WHERE subject = 'deposit' AND record_id = CAST(old.id AS TEXT) AND suffix IN (
        SELECT substr(lower(old.invoice_id), start, 12) FROM suffix_starts WHERE start <= length(old.invoice_id)
    );
    INSERT OR IGNORE INTO search_suffixes (subject, suffix, record_id)
    SELECT 'deposit', substr(lower(new.invoice_id), start, 12), new.id FROM suffix_starts WHERE start <= length(new.invoice_id);
END;

CREATE TRIGGER withdrawals_are_found_by_address AFTER INSERT ON withdrawals
BEGIN
    INSERT OR IGNORE INTO search_suffixes (subject, suffix, record_id)
    SELECT 'withdrawal', substr(lower(new.address), start, 12), new.id FROM suffix_starts WHERE start <= length(new.address);
END;
CREATE TRIGGER withdrawals_are_found_by_new_address AFTER UPDATE OF address ON withdrawals
WHEN new.address IS NOT old.address
BEGIN
    DELETE FROM search_suffixes WHERE subject = 'withdrawal' AND record_id = CAST(old.id AS TEXT) AND suffix IN (
        SELECT substr(lower(old.address), start, 12) FROM suffix_starts WHERE start <= length(old.address)
    );
    INSERT OR IGNORE INTO search_suffixes (subject, suffix, record_id)
    SELECT 'withdrawal', substr(lower(new.address), start, 12), new.id FROM suffix_starts WHERE start <= length(new.address);
END;

CREATE TRIGGER payments_are_found_by_id AFTER INSERT ON payments
BEGIN
    INSERT OR IGNORE INTO search_suffixes (subject, suffix, record_id)
    SELECT 'payment', substr(lower(new.id), start, 12), new.id FROM suffix_starts WHERE start <= length(new.id);
END;

INSERT INTO search_suffixes (subject, suffix, record_id)
    SELECT 'user', substr(lower(username_key), start, 12), id FROM users, suffix_starts WHERE start <= length(username_key)
    UNION SELECT 'deposit', substr(lower(order_id), start, 12), id FROM deposits, suffix_starts WHERE start <= length(order_id)
    UNION SELECT 'deposit', substr(lower(invoice_id), start, 12), id FROM deposits, suffix_starts WHERE start <= length(invoice_id)
    UNION SELECT 'withdrawal', substr(lower(address), start, 12), id FROM withdrawals, suffix_starts WHERE start <= length(address)
    UNION SELECT 'payment', substr(lower(id), start, 12), id FROM payments, suffix_starts WHERE start <= length(id);

-- For what users who are found by a part of their names have done, and what was done to them. The conditions leave
-- the indexes to the queries that name them.
CREATE INDEX audit_log_of_actor ON audit_log (actor_id) WHERE actor_id IS NOT NULL AND action <> '';
CREATE INDEX audit_log_of_target ON audit_log (target_user_id) WHERE target_user_id IS NOT NULL AND action <> '';
