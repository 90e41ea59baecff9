//! Writes the filter of breached passwords from a list with one password a line. Run by
//! `cargo xtask breached-passwords`.
//!
//! This is an example of this crate rather than a part of xtask, so that the server and the
//! generator cannot disagree about the form of a password, and xtask still compiles in seconds.
#![expect(
    clippy::print_stdout,
    reason = "a program that reports what it has written"
)]

use std::error::Error;
use std::fs;

use glasshouse_casino::accounts::breached_password_filter;
use glasshouse_domain::NewPassword;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [list, filter] = arguments.as_slice() else {
        return Err("the arguments are the list and the file to write".into());
    };
    let text = fs::read_to_string(list)?;
    // A password that nobody can choose, because it is too short, needs no place in the filter.
    let passwords = text
        .lines()
        .filter_map(|line| NewPassword::parse(line.to_owned()).ok());
    let (bytes, count) = breached_password_filter(passwords)?;
    fs::write(filter, &bytes)?;
    println!("Wrote {count} passwords as {} bytes.", bytes.len());
    Ok(())
}
