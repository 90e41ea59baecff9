-- What each witness has cosigned last (docs/operations.md#witnesses).
CREATE TABLE cosignatures (
    -- The verifier key of the witness.
    witness TEXT PRIMARY KEY NOT NULL,
    -- The size of the log.
    size INTEGER NOT NULL CHECK (size > 0),
    -- The line that is added to the signed checkpoint of this size.
    line TEXT NOT NULL,
    cosigned_at_micros INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
