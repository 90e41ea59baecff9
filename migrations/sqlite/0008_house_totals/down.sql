DROP INDEX users_banned;
DROP INDEX rounds_of_game;
DROP TABLE house_totals;
