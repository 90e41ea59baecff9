DROP TABLE seed_conversion;
