DROP INDEX users_with_roles;
DROP TABLE money_acts;
DROP TABLE proposals;
DROP TABLE approval_thresholds;
