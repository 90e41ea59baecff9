DROP TABLE player_statistics, ledger_entries, rounds;
DROP SEQUENCE round_ids;
