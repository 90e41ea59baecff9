-- A player's unpaid invoices are counted for each new one, which must not read the paid ones.
CREATE INDEX deposits_unpaid ON deposits (player_id) WHERE status IN ('requested', 'pending');
