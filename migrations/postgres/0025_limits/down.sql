ALTER TABLE sessions DROP COLUMN paid_before_cents;
ALTER TABLE sessions DROP COLUMN staked_before_cents;
ALTER TABLE sessions DROP COLUMN active_micros;
DROP TABLE reality_checks;
DROP TABLE daily_play_time;
DROP TABLE exclusions;
DROP TABLE limit_changes;
DROP TABLE player_limits;
ALTER TABLE accounts DROP COLUMN play_rules;
