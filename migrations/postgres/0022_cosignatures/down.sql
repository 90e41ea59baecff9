DROP TABLE cosignatures;
