//! Console output for the operator; everything else is logged.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "console output belongs in this module"
)]

/// Prints a line to standard output.
pub(crate) fn print_line(text: &str) {
    println!("{text}");
}

/// Prints to standard error why the program stops.
pub(crate) fn print_error(sentence: &str) {
    eprintln!("glasshouse: {sentence}");
}
