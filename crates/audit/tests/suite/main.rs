//! Audits of houses that are made up, evidence against them, and a witness: each over HTTP.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test panics when an expectation fails"
)]

mod answers;
mod continued;
mod cosigned;
mod evidence;
mod forged_house;
mod honest;
mod rounds;
mod served;
mod signed;
mod witness;
mod worked_example;
