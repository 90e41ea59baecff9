-- The published versions of the Terms of Service, and who accepted which of them when. Both are
-- append-only.

CREATE TABLE terms_versions (
    version BIGINT PRIMARY KEY CHECK (version > 0),
    text TEXT NOT NULL,
    published_at_micros BIGINT NOT NULL
);

CREATE TABLE terms_acceptances (
    user_id BIGINT NOT NULL REFERENCES users (id),
    version BIGINT NOT NULL REFERENCES terms_versions (version),
    accepted_at_micros BIGINT NOT NULL,
    PRIMARY KEY (user_id, version)
);

-- The newest version that the player has accepted, in the row that a bet reads anyway; 0 before the
-- first.
ALTER TABLE accounts ADD COLUMN terms_version BIGINT NOT NULL DEFAULT 0;

CREATE TRIGGER terms_versions_never_change BEFORE UPDATE OR DELETE OR TRUNCATE ON terms_versions
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('published terms never change');
CREATE TRIGGER terms_acceptances_never_change BEFORE UPDATE OR DELETE OR TRUNCATE ON terms_acceptances
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('acceptances of the terms are append-only');
