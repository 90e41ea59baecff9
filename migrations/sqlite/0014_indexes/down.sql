DROP INDEX users_administrators;
