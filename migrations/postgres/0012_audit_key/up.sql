-- The audit log is sealed with a key that is not in the database: whoever can write here cannot
-- write a chain that `glasshouse check` takes for the log's.

-- Which key a record's hash was made with; null for records from before there was one.
ALTER TABLE audit_log ADD COLUMN key_id TEXT CHECK (length(key_id) = 16);

-- The key of the last record, and a MAC over number and hash above: a log that was cut short has an
-- end that carries none.
ALTER TABLE audit_head ADD COLUMN key_id TEXT CHECK (length(key_id) = 16);
ALTER TABLE audit_head ADD COLUMN seal TEXT CHECK (length(seal) = 64);

-- No record without a hash and a key, as a server of an older version would write it.
CREATE OR REPLACE FUNCTION audit_log_goes_on() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF new.hash IS NULL OR new.key_id IS NULL THEN
        RAISE EXCEPTION 'the audit log goes on where it ends';
    END IF;
    RETURN new;
END
$$;
