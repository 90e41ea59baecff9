DROP INDEX security_events_refused;
DROP TABLE alert_watch;
DROP TABLE large_wins;
DROP TABLE alert_deliveries;
DROP TABLE alerts;
