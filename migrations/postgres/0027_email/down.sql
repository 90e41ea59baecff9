DROP TABLE declined_notices;
DROP TABLE password_recoveries;
DROP TABLE email_verifications;
DROP TABLE email_addresses;
DROP TABLE mails;
