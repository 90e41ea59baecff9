//! The one place that prints, so that all chores speak alike.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "the chores talk to the person at the terminal"
)]

use std::{io::IsTerminal as _, time::Duration};

/// Announces a piece of work that takes a while.
pub(crate) fn heading(text: &str) {
    println!("\n{}", styled("1;36", &format!("==> {text}")));
}

/// Says what has been done, found or decided.
pub(crate) fn line(text: &str) {
    println!("{text}");
}

/// Shows a command that is about to run.
pub(crate) fn command(text: &str) {
    println!("{}", styled("2", &format!("$ {text}")));
}

/// Says what went wrong.
pub(crate) fn problem(text: &str) {
    eprintln!("{text}");
}

/// A duration as people say it: `0.4 s`, `2 min 07 s`.
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
    fn durations_read_well() {
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
