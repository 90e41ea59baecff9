-- What each witness has cosigned last of each log (docs/operations.md#witnesses).
CREATE TABLE cosignatures (
    log_id INTEGER NOT NULL REFERENCES log_state (id),
    -- The verifier key of the witness.
    witness TEXT NOT NULL,
    -- The size of the log.
    size INTEGER NOT NULL CHECK (size > 0),
    -- The line that is added to the signed checkpoint of this size.
    line TEXT NOT NULL,
    cosigned_at_micros INTEGER NOT NULL,
    PRIMARY KEY (log_id, witness)
) STRICT, WITHOUT ROWID;
