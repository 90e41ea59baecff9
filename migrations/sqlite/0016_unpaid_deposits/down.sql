DROP INDEX deposits_unpaid;
