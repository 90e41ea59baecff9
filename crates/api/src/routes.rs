//! The endpoints, grouped by file. A handler parses the request, calls one use case, and responds.

pub(crate) mod account;
pub(crate) mod admin;
pub(crate) mod bets;
pub(crate) mod csv_lines;
pub(crate) mod exports;
pub(crate) mod fairness;
pub(crate) mod games;
pub(crate) mod health;
pub(crate) mod history;
pub(crate) mod house;
pub(crate) mod limits;
pub(crate) mod mail_links;
pub(crate) mod password_strength;
pub(crate) mod public_log;
pub(crate) mod security_contact;
pub(crate) mod terms_of_service;
pub(crate) mod wallet;
