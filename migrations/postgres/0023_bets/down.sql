DROP TABLE daily_statements;
DROP TABLE hourly_statistics;
DROP INDEX rounds_high_wins;
ALTER TABLE users DROP COLUMN shows_name;
