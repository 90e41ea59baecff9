-- The audit log is sealed with a key that is not in the database, so that write access to the
-- database is not enough to forge a chain that `glasshouse check` accepts.

-- The ID of the key that a record's hash was made with; null for records that predate the keys.
ALTER TABLE audit_log ADD COLUMN key_id TEXT CHECK (length(key_id) = 16);

-- The ID of the last record's key, and a MAC over the number and hash above: a truncated log has an
-- end without a valid MAC.
ALTER TABLE audit_head ADD COLUMN key_id TEXT CHECK (length(key_id) = 16);
ALTER TABLE audit_head ADD COLUMN seal TEXT CHECK (length(seal) = 64);

-- Refuses records without a hash and a key, which a server of an older version would write.
CREATE OR REPLACE FUNCTION audit_log_goes_on() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF new.hash IS NULL OR new.key_id IS NULL THEN
        RAISE EXCEPTION 'the audit log goes on where it ends';
    END IF;
    RETURN new;
END
$$;
