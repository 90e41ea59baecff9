DROP TABLE house_flows;
