//! What a player is told about a limit or an exclusion of the player's own.

use glasshouse_domain::{LimitKind, LimitPeriod, LimitReached, Money, PERMANENT, Timestamp};

use crate::error::amount_text::dollars;

/// A time to the minute, such as `2026-11-24 00:00 UTC`. Parts of a minute count as a whole one, so
/// that the time is never too early.
pub(super) fn minute_text(at: Timestamp) -> String {
    const MICROS_PER_MINUTE: i64 = 60_000_000;
    let minutes = at.as_micros().saturating_add(MICROS_PER_MINUTE - 1) / MICROS_PER_MINUTE;
    jiff::Timestamp::from_second(minutes.saturating_mul(60))
        .map(|moment| moment.strftime("%Y-%m-%d %H:%M UTC").to_string())
        .unwrap_or_default()
}

pub(super) fn excluded_text(until: Timestamp) -> String {
    if until == PERMANENT {
        "You have excluded yourself from playing and depositing permanently".to_owned()
    } else {
        let until = minute_text(until);
        format!("You have excluded yourself from playing and depositing until {until}")
    }
}

pub(super) fn limit_text(reached: &LimitReached) -> String {
    let (period, next) = match reached.period {
        LimitPeriod::Day => ("a day", "The next day"),
        LimitPeriod::Week => ("a week", "The next week"),
        LimitPeriod::Month => ("a month", "The next month"),
    };
    let amount = dollars(Money::from_cents(reached.limit));
    let reason = match reached.kind {
        LimitKind::Deposit => format!(
            "With this deposit and your open ones you would exceed your deposit limit of {amount} \
             {period}."
        ),
        LimitKind::Loss => {
            format!("With this bet you could exceed your loss limit of {amount} {period}.")
        }
        LimitKind::Stake => {
            format!("With this bet you could exceed your stake limit of {amount} {period}.")
        }
        LimitKind::SessionTime => {
            let minutes = reached.limit;
            format!("You have used your playing time of {minutes} minutes {period}.")
        }
    };
    format!(
        "{reason} {next} begins at {}.",
        minute_text(reached.resets_at)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_rounded_up_to_the_minute() {
        let check = |micros, text| assert_eq!(minute_text(Timestamp::from_micros(micros)), text);
        check(1_699_999_980_000_000, "2023-11-14 22:13 UTC");
        check(1_699_999_980_000_001, "2023-11-14 22:14 UTC");
        check(1_700_006_400_000_000, "2023-11-15 00:00 UTC");
    }

    #[test]
    fn a_player_is_told_which_limit_and_until_when() {
        let text = |kind, period, limit| {
            limit_text(&LimitReached {
                kind,
                period,
                limit,
                resets_at: Timestamp::from_micros(1_700_006_400_000_000),
            })
        };
        assert_eq!(
            text(LimitKind::Stake, LimitPeriod::Day, 123_450),
            "With this bet you could exceed your stake limit of $1,234.50 a day. The next day begins \
             at 2023-11-15 00:00 UTC."
        );
        assert_eq!(
            text(LimitKind::SessionTime, LimitPeriod::Month, 90),
            "You have used your playing time of 90 minutes a month. The next month begins at \
             2023-11-15 00:00 UTC."
        );
    }
}
