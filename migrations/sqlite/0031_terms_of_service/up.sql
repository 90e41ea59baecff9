-- The published versions of the Terms of Service, and who accepted which of them when. Both are
-- append-only.

CREATE TABLE terms_versions (
    version INTEGER PRIMARY KEY NOT NULL CHECK (version > 0),
    text TEXT NOT NULL,
    published_at_micros INTEGER NOT NULL
) STRICT;

CREATE TABLE terms_acceptances (
    user_id INTEGER NOT NULL REFERENCES users (id),
    version INTEGER NOT NULL REFERENCES terms_versions (version),
    accepted_at_micros INTEGER NOT NULL,
    PRIMARY KEY (user_id, version)
) STRICT, WITHOUT ROWID;

-- The newest version that the player has accepted, in the row that a bet reads anyway; 0 before the
-- first.
ALTER TABLE accounts ADD COLUMN terms_version INTEGER NOT NULL DEFAULT 0;

CREATE TRIGGER terms_versions_no_update BEFORE UPDATE ON terms_versions
BEGIN
    SELECT RAISE(ABORT, 'published terms never change');
END;
CREATE TRIGGER terms_versions_no_delete BEFORE DELETE ON terms_versions
BEGIN
    SELECT RAISE(ABORT, 'published terms never change');
END;
CREATE TRIGGER terms_acceptances_no_update BEFORE UPDATE ON terms_acceptances
BEGIN
    SELECT RAISE(ABORT, 'acceptances of the terms are append-only');
END;
CREATE TRIGGER terms_acceptances_no_delete BEFORE DELETE ON terms_acceptances
BEGIN
    SELECT RAISE(ABORT, 'acceptances of the terms are append-only');
END;
