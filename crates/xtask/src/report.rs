//! Prints the output of all commands, for a consistent format.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "the commands print to the terminal"
)]

use std::{io::IsTerminal as _, time::Duration};

/// Prints a heading before a longer step.
pub(crate) fn heading(text: &str) {
    println!("\n{}", styled("1;36", &format!("==> {text}")));
}

/// Prints a line about progress or a result.
pub(crate) fn line(text: &str) {
    println!("{text}");
}

/// Prints a command before it runs.
pub(crate) fn command(text: &str) {
    println!("{}", styled("2", &format!("$ {text}")));
}

/// Prints an error message to standard error.
pub(crate) fn problem(text: &str) {
    eprintln!("{text}");
}

/// A duration in a readable format: `0.4 s`, `2 min 07 s`.
pub(crate) fn duration(duration: Duration) -> String {
    let seconds = duration.as_secs();
    if seconds < 60 {
        format!("{seconds}.{} s", duration.subsec_millis() / 100)
    } else {
        format!("{} min {:02} s", seconds / 60, seconds % 60)
    }
}

fn styled(style: &str, text: &str) -> String {
    if std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none() {
        format!("\x1b[{style}m{text}\x1b[0m")
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_formatted() {
        let check = |milliseconds, expected| {
            assert_eq!(duration(Duration::from_millis(milliseconds)), expected);
        };
        check(0, "0.0 s");
        check(1_999, "1.9 s");
        check(59_999, "59.9 s");
        check(60_000, "1 min 00 s");
        check(127_400, "2 min 07 s");
    }
}
