//! Why and until when a withdrawal is delayed.

use std::time::Duration;

use strum::{EnumString, IntoStaticStr, VariantArray};

use crate::Timestamp;
use crate::stored_names::stored_names;

/// What delays a withdrawal: signs that somebody else may have taken the account over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum DelayReason {
    /// The address is new.
    NewAddress,
    /// The password was changed or reset.
    PasswordChanged,
    /// The second factor was changed.
    SecondFactorChanged,
}

stored_names!(DelayReason);

/// The reasons of a delay, at least one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DelayReasons(Vec<DelayReason>);

impl DelayReasons {
    /// The reasons.
    #[must_use]
    pub fn as_slice(&self) -> &[DelayReason] {
        &self.0
    }

    /// The text in the database: the names, separated by commas.
    #[must_use]
    pub fn to_text(&self) -> String {
        let names: Vec<_> = self.0.iter().map(|reason| reason.as_str()).collect();
        names.join(",")
    }

    /// Parses the text in the database.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        text.split(',')
            .map(DelayReason::parse)
            .collect::<Option<Vec<_>>>()
            .map(Self)
    }
}

/// Why and until when a withdrawal cannot be approved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WithdrawalDelay {
    /// From when it can be approved.
    pub payable_from: Timestamp,
    /// What delays it.
    pub reasons: DelayReasons,
}

/// What can delay a withdrawal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WithdrawalRisks {
    /// From when the address no longer delays withdrawals; `None` if it is not known yet.
    pub address_usable_from: Option<Timestamp>,
    /// When the password was last changed or reset.
    pub password_changed_at: Option<Timestamp>,
    /// When the second factor was last changed.
    pub second_factor_changed_at: Option<Timestamp>,
}

impl WithdrawalRisks {
    /// The delay of a withdrawal that is requested now; `delay` is how long each risk delays it. It ends
    /// when the last of its reasons does. `None` if the withdrawal is not delayed.
    #[must_use]
    pub fn delay(&self, delay: Duration, now: Timestamp) -> Option<WithdrawalDelay> {
        if delay.is_zero() {
            return None;
        }
        let after = |moment: Option<Timestamp>| moment.map(|moment| moment.saturating_add(delay));
        let usable_from = self
            .address_usable_from
            .unwrap_or_else(|| now.saturating_add(delay));
        let ends = [
            (DelayReason::NewAddress, Some(usable_from)),
            (
                DelayReason::PasswordChanged,
                after(self.password_changed_at),
            ),
            (
                DelayReason::SecondFactorChanged,
                after(self.second_factor_changed_at),
            ),
        ];
        let in_force: Vec<_> = ends
            .into_iter()
            .filter_map(|(reason, end)| Some((reason, end.filter(|end| *end > now)?)))
            .collect();
        let payable_from = in_force.iter().map(|(_, end)| *end).max()?;
        Some(WithdrawalDelay {
            payable_from,
            reasons: DelayReasons(in_force.into_iter().map(|(reason, _)| reason).collect()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: Duration = Duration::from_hours(24);
    const NOW: Timestamp = Timestamp::from_micros(1_700_000_000_000_000);

    fn hours(hours: i64) -> Timestamp {
        Timestamp::from_micros(NOW.as_micros() + hours * 3_600_000_000)
    }

    fn check(risks: [Option<i64>; 3], delay: Duration, expected: Option<(i64, &str)>) {
        let [
            address_usable_from,
            password_changed_at,
            second_factor_changed_at,
        ] = risks.map(|risk| risk.map(hours));
        let risks = WithdrawalRisks {
            address_usable_from,
            password_changed_at,
            second_factor_changed_at,
        };
        let found = risks.delay(delay, NOW);
        let found = found.map(|delay| (delay.payable_from, delay.reasons.to_text()));
        let expected = expected.map(|(end, reasons)| (hours(end), reasons.to_owned()));
        assert_eq!(found, expected, "{risks:?}");
    }

    #[test]
    fn a_withdrawal_is_delayed_until_the_last_reason_ends() {
        check([Some(-1), None, None], DAY, None);
        check([Some(0), Some(-24), Some(-24)], DAY, None);
        check([None, None, None], DAY, Some((24, "new_address")));
        check([Some(5), None, None], DAY, Some((5, "new_address")));
        check(
            [Some(-1), Some(-23), None],
            DAY,
            Some((1, "password_changed")),
        );
        check(
            [Some(-1), None, Some(-2)],
            DAY,
            Some((22, "second_factor_changed")),
        );
        check(
            [Some(5), Some(-20), Some(0)],
            DAY,
            Some((24, "new_address,password_changed,second_factor_changed")),
        );
        check([None, Some(-1), Some(-1)], Duration::ZERO, None);
        check([Some(5), None, None], Duration::ZERO, None);
    }

    #[test]
    fn reasons_are_parsed_from_their_text() {
        for text in ["new_address", "new_address,second_factor_changed"] {
            let parsed = DelayReasons::parse(text);
            assert_eq!(
                parsed.map(|reasons| reasons.to_text()).as_deref(),
                Some(text)
            );
        }
        for wrong in ["", ",", "new_address,", "other"] {
            assert_eq!(DelayReasons::parse(wrong), None, "{wrong}");
        }
    }
}
