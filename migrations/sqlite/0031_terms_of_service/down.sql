DROP TABLE terms_acceptances;
DROP TABLE terms_versions;
ALTER TABLE accounts DROP COLUMN terms_version;
