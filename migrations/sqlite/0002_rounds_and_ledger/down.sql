DROP TABLE player_statistics;
DROP TABLE ledger_entries;
DROP TABLE rounds;
