DROP TABLE attempt_counters;
