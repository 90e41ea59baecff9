CREATE OR REPLACE FUNCTION audit_log_goes_on() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF new.hash IS NULL THEN
        RAISE EXCEPTION 'the audit log goes on where it ends';
    END IF;
    RETURN new;
END
$$;

ALTER TABLE audit_head DROP COLUMN seal;
ALTER TABLE audit_head DROP COLUMN key_id;
ALTER TABLE audit_log DROP COLUMN key_id;
