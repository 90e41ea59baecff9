-- What each witness has cosigned last (docs/operations.md#witnesses).
CREATE TABLE cosignatures (
    -- The verifier key of the witness.
    witness TEXT PRIMARY KEY,
    -- The size of the log.
    size BIGINT NOT NULL CHECK (size > 0),
    -- The line that is added to the signed checkpoint of this size.
    line TEXT NOT NULL,
    cosigned_at_micros BIGINT NOT NULL
);
