//! The use cases against real databases: each test runs on SQLite and on PostgreSQL, each on a
//! database of its own.

#[path = "suite/accounts.rs"]
mod accounts;
#[path = "suite/bets.rs"]
mod bets;
#[path = "suite/books.rs"]
mod books;
#[path = "suite/faults.rs"]
mod faults;
#[path = "suite/history.rs"]
mod history;
#[path = "suite/support.rs"]
mod support;
