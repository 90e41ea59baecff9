//! The calls, one file for each group. A handler parses, calls one use case, and answers.

pub(crate) mod account;
pub(crate) mod admin;
pub(crate) mod fairness;
pub(crate) mod games;
pub(crate) mod health;
pub(crate) mod history;
pub(crate) mod security_contact;
pub(crate) mod wallet;
