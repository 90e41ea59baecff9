//! A player's limits and exclusion as JSON in the account's row: short, because it is written with
//! every bet of a player who has any.

use glasshouse_domain::{Allowance, Allowances, Money, PlayRules, Timestamp};
use serde::{Deserialize, Serialize};

use crate::error::DatabaseError;

/// The limit, what is used of it, and the first day of the period.
type StoredAllowance = (i64, i64, i64);

#[derive(Serialize, Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct StoredAllowances {
    #[serde(skip_serializing_if = "Option::is_none")]
    day: Option<StoredAllowance>,
    #[serde(skip_serializing_if = "Option::is_none")]
    week: Option<StoredAllowance>,
    #[serde(skip_serializing_if = "Option::is_none")]
    month: Option<StoredAllowance>,
}

#[derive(Serialize, Deserialize, Default)]
#[serde(deny_unknown_fields, default, rename_all = "camelCase")]
struct StoredRules {
    #[serde(skip_serializing_if = "Option::is_none")]
    stake: Option<StoredAllowances>,
    #[serde(skip_serializing_if = "Option::is_none")]
    loss: Option<StoredAllowances>,
    #[serde(skip_serializing_if = "Option::is_none")]
    session_time: Option<StoredAllowances>,
    #[serde(skip_serializing_if = "is_zero")]
    reserved: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    excluded_until: Option<i64>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_closed: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_betting_blocked: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_withdrawing_blocked: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "required by serde")]
const fn is_zero(number: &i64) -> bool {
    *number == 0
}

fn stored(limits: &Allowances) -> Option<StoredAllowances> {
    let each = |allowance: Option<Allowance>| {
        allowance.map(|allowance| (allowance.limit, allowance.used, allowance.first_day))
    };
    limits.iter().next().map(|_| StoredAllowances {
        day: each(limits.day),
        week: each(limits.week),
        month: each(limits.month),
    })
}

fn restored(stored: Option<StoredAllowances>) -> Allowances {
    let each = |stored: Option<StoredAllowance>| {
        stored.map(|(limit, used, first_day)| Allowance {
            limit,
            used,
            first_day,
        })
    };
    let StoredAllowances { day, week, month } = stored.unwrap_or_default();
    Allowances {
        day: each(day),
        week: each(week),
        month: each(month),
    }
}

/// An account's rules as they are stored.
pub(crate) fn text(rules: Option<&PlayRules>) -> Result<Option<String>, DatabaseError> {
    let Some(rules) = rules else {
        return Ok(None);
    };
    let stored = StoredRules {
        stake: stored(&rules.stake),
        loss: stored(&rules.loss),
        session_time: stored(&rules.session_time),
        reserved: rules.reserved.cents(),
        excluded_until: rules.excluded_until.map(Timestamp::as_micros),
        is_closed: rules.is_closed,
        is_betting_blocked: rules.is_betting_blocked,
        is_withdrawing_blocked: rules.is_withdrawing_blocked,
    };
    serde_json::to_string(&stored)
        .map(Some)
        .map_err(|error| DatabaseError::corrupt(format!("play rules: {error}")))
}

/// The stored rules of an account.
pub(crate) fn parse(
    player: i64,
    text: Option<&str>,
) -> Result<Option<Box<PlayRules>>, DatabaseError> {
    let Some(text) = text else {
        return Ok(None);
    };
    let stored: StoredRules = serde_json::from_str(text).map_err(|error| {
        DatabaseError::corrupt(format!("play rules of account {player}: {error}"))
    })?;
    Ok(Some(Box::new(PlayRules {
        stake: restored(stored.stake),
        loss: restored(stored.loss),
        session_time: restored(stored.session_time),
        reserved: Money::from_cents(stored.reserved),
        excluded_until: stored.excluded_until.map(Timestamp::from_micros),
        is_closed: stored.is_closed,
        is_betting_blocked: stored.is_betting_blocked,
        is_withdrawing_blocked: stored.is_withdrawing_blocked,
    })))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(json: &str, rules: &PlayRules) {
        let parsed = parse(1, Some(json)).unwrap().unwrap();
        assert_eq!(&*parsed, rules);
        let again = serde_json::to_string(&StoredRules {
            stake: stored(&parsed.stake),
            loss: stored(&parsed.loss),
            session_time: stored(&parsed.session_time),
            reserved: parsed.reserved.cents(),
            excluded_until: parsed.excluded_until.map(Timestamp::as_micros),
            is_closed: parsed.is_closed,
            is_betting_blocked: parsed.is_betting_blocked,
            is_withdrawing_blocked: parsed.is_withdrawing_blocked,
        });
        assert_eq!(again.unwrap(), json);
    }

    #[test]
    fn rules_are_stored_briefly_and_restored() {
        check("{}", &PlayRules::default());
        let allowance = |limit, used| {
            Some(Allowance {
                limit,
                used,
                first_day: 19_675,
            })
        };
        check(
            r#"{"stake":{"day":[1000,400,19675]},"loss":{"week":[5,-7,19675]},"sessionTime":{"month":[60,0,19675]},"reserved":8,"excludedUntil":9,"isClosed":true,"isBettingBlocked":true,"isWithdrawingBlocked":true}"#,
            &PlayRules {
                stake: Allowances {
                    day: allowance(1_000, 400),
                    ..Allowances::default()
                },
                loss: Allowances {
                    week: allowance(5, -7),
                    ..Allowances::default()
                },
                session_time: Allowances {
                    month: allowance(60, 0),
                    ..Allowances::default()
                },
                reserved: Money::from_cents(8),
                excluded_until: Some(Timestamp::from_micros(9)),
                is_closed: true,
                is_betting_blocked: true,
                is_withdrawing_blocked: true,
            },
        );
    }

    #[test]
    fn other_texts_are_corrupt() {
        assert!(parse(1, None).unwrap().is_none());
        for text in ["", "null", r#"{"stakes":{}}"#, r#"{"stake":{"day":[1,2]}}"#] {
            assert!(parse(1, Some(text)).is_err(), "{text}");
        }
    }
}
