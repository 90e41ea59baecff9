-- For searching for a part of a text: every end of the text, cut off after 12 characters, in one index. A part of the
-- text is the beginning of one of its ends. The users, deposits, withdrawals and payments that are found are then
-- compared with all that was searched for.
CREATE TABLE search_suffixes (
    subject TEXT NOT NULL CHECK (subject IN ('user', 'deposit', 'withdrawal', 'payment')),
    suffix TEXT COLLATE "C" NOT NULL CHECK (length(suffix) BETWEEN 1 AND 12),
    -- The ID of the user, deposit, withdrawal or payment.
    record_id TEXT NOT NULL,
    PRIMARY KEY (subject, suffix, record_id)
);

CREATE FUNCTION suffixes_of(text_to_find TEXT) RETURNS SETOF TEXT LANGUAGE sql IMMUTABLE AS $$
    SELECT substr(lower(text_to_find), start, 12) FROM generate_series(1, length(text_to_find)) AS start
$$;

-- With the name of the subject and that of the column with the text.
CREATE FUNCTION keep_search_suffixes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    new_text TEXT := to_jsonb(new) ->> TG_ARGV[1];
    old_text TEXT := CASE WHEN TG_OP = 'UPDATE' THEN to_jsonb(old) ->> TG_ARGV[1] END;
    old_suffix TEXT;
BEGIN
    IF new_text IS NOT DISTINCT FROM old_text THEN
        RETURN NULL;
    END IF;
    -- One by one, so that each is found by the whole key, whatever the planner knows of the table.
    FOR old_suffix IN SELECT suffixes_of(old_text) LOOP
        DELETE FROM search_suffixes
        WHERE subject = TG_ARGV[0] AND suffix = old_suffix AND record_id = old.id::text;
    END LOOP;
    INSERT INTO search_suffixes (subject, suffix, record_id)
    SELECT TG_ARGV[0], suffix, new.id FROM suffixes_of(new_text) AS suffix
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;

CREATE TRIGGER users_are_found_by_name AFTER INSERT OR UPDATE OF username_key ON users
FOR EACH ROW EXECUTE FUNCTION keep_search_suffixes('user', 'username_key');
CREATE TRIGGER deposits_are_found_by_order AFTER INSERT OR UPDATE OF order_id ON deposits
FOR EACH ROW EXECUTE FUNCTION keep_search_suffixes('deposit', 'order_id');
CREATE TRIGGER deposits_are_found_by_invoice AFTER INSERT OR UPDATE OF invoice_id ON deposits
FOR EACH ROW EXECUTE FUNCTION keep_search_suffixes('deposit', 'invoice_id');
CREATE TRIGGER withdrawals_are_found_by_address AFTER INSERT OR UPDATE OF address ON withdrawals
FOR EACH ROW EXECUTE FUNCTION keep_search_suffixes('withdrawal', 'address');
CREATE TRIGGER payments_are_found_by_id AFTER INSERT OR UPDATE OF id ON payments
FOR EACH ROW EXECUTE FUNCTION keep_search_suffixes('payment', 'id');

INSERT INTO search_suffixes (subject, suffix, record_id)
    SELECT 'user', suffixes_of(username_key), id::text FROM users
    UNION SELECT 'deposit', suffixes_of(order_id), id::text FROM deposits
    UNION SELECT 'deposit', suffixes_of(invoice_id), id::text FROM deposits WHERE invoice_id IS NOT NULL
    UNION SELECT 'withdrawal', suffixes_of(address), id::text FROM withdrawals
    UNION SELECT 'payment', suffixes_of(id), id FROM payments;

-- For what users who are found by a part of their names have done, and what was done to them. The conditions leave
-- the indexes to the queries that name them.
CREATE INDEX audit_log_of_actor ON audit_log (actor_id) WHERE actor_id IS NOT NULL AND action <> '';
CREATE INDEX audit_log_of_target ON audit_log (target_user_id) WHERE target_user_id IS NOT NULL AND action <> '';
