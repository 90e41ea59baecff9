//! What the program says to the person who started it; everything else is logged.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "this is where it is printed"
)]

/// Says something on standard output.
pub(crate) fn print_line(text: &str) {
    println!("{text}");
}

/// Says on standard error why the program stops.
pub(crate) fn print_error(sentence: &str) {
    eprintln!("glasshouse: {sentence}");
}
