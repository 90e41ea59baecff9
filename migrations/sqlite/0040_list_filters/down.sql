DROP INDEX audit_log_by_time;
DROP INDEX users_by_time;
DROP INDEX withdrawals_by_time;
DROP INDEX deposits_by_time;
