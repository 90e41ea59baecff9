-- For the richest users. An index on the balance would be written with every bet; the band of a balance changes
-- seldom: its number of digits, then the first digit. The list sorts those of one band. Of a generated column, SQLite
-- would write the index with every bet as well.
ALTER TABLE accounts ADD COLUMN balance_band INTEGER NOT NULL DEFAULT 10;
UPDATE accounts SET balance_band = length(balance_cents) * 10 + substr(balance_cents, 1, 1) WHERE balance_cents > 0;
CREATE INDEX accounts_by_balance_band ON accounts (balance_band);
CREATE TRIGGER accounts_begin_in_a_band AFTER INSERT ON accounts
WHEN NEW.balance_band <> length(NEW.balance_cents) * 10 + substr(NEW.balance_cents, 1, 1)
BEGIN
    UPDATE accounts SET balance_band = length(NEW.balance_cents) * 10 + substr(NEW.balance_cents, 1, 1)
    WHERE player_id = NEW.player_id;
END;
CREATE TRIGGER accounts_change_their_band AFTER UPDATE OF balance_cents ON accounts
WHEN NEW.balance_band <> length(NEW.balance_cents) * 10 + substr(NEW.balance_cents, 1, 1)
BEGIN
    UPDATE accounts SET balance_band = length(NEW.balance_cents) * 10 + substr(NEW.balance_cents, 1, 1)
    WHERE player_id = NEW.player_id;
END;
