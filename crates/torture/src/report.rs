//! What is printed.

use std::io::Write as _;
use std::time::Duration;

use crate::house::Kind;
use crate::tally::Tally;
use crate::verify::Verified;

/// Prints a line, or several together, between which another house prints nothing.
pub(crate) fn line(text: &str) {
    // Without standard output there is nobody to tell.
    drop(writeln!(std::io::stdout(), "{text}"));
}

/// Prints the figures of a run that found nothing.
pub(crate) fn figures(
    kind: Kind,
    tally: &Tally,
    kills: u64,
    restarts: usize,
    verified: &Verified,
    elapsed: Duration,
) {
    let seconds = elapsed.as_secs().max(1);
    let mut lines = vec![format!("{kind}: nothing was lost or doubled.")];
    let rows = [
        ("seconds", seconds.to_string()),
        ("acknowledged operations", tally.operations().to_string()),
        (
            "operations per second",
            (tally.operations() / seconds).to_string(),
        ),
        (
            "attempts without an answer, repeated",
            tally.repeated().to_string(),
        ),
        ("calls sent twice or again", tally.replays().to_string()),
        ("kills of servers and databases", kills.to_string()),
        ("starts of servers", restarts.to_string()),
        (
            "longest time without an acknowledgement",
            format!("{:.1} s", tally.longest_pause().as_secs_f64()),
        ),
        ("rounds compared", verified.rounds.to_string()),
        ("deposits compared", verified.deposits.to_string()),
        ("withdrawals compared", verified.withdrawals.to_string()),
        (
            "withdrawals paid, once each",
            verified.paid_withdrawals.to_string(),
        ),
    ];
    for (name, value) in rows {
        lines.push(format!("  {name:<42} {value:>10}"));
    }
    let resumptions = tally.resumptions();
    if !resumptions.is_empty() {
        let seconds = resumptions
            .iter()
            .map(|time| format!("{:.1}", time.as_secs_f64()));
        let all = seconds.collect::<Vec<_>>().join(" ");
        lines.push(format!(
            "  longest seconds without an acknowledgement while a primary or a server was away: {all}"
        ));
    }
    for (name, count) in tally.counts() {
        lines.push(format!("  {name:<42} {count:>10}"));
    }
    line(&lines.join("\n"));
}
