-- How many invoices a player has left unpaid is counted at each new one, and must not read all those
-- that were ever paid.
CREATE INDEX deposits_unpaid ON deposits (player_id) WHERE status IN ('requested', 'pending');
