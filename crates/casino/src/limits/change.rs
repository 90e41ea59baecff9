//! Sets, lowers, raises and removes a player's limits.

use glasshouse_domain::{
    LimitChange, LimitKind, LimitPeriod, Money, PlayerLimit, Timestamp, UserId,
};
use glasshouse_persistence::limits::{ChangeAction, RecordedChange};
use glasshouse_persistence::{Scope, Transaction};

use crate::error::{CasinoError, LimitRefusal, Refusal};
use crate::house::House;
use crate::limits::overview::{Limits, read_limits};
use crate::limits::rules::rewrite_rules;

/// The limit that a request is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RequestedLimit {
    /// The player.
    pub player: UserId,
    /// What the limit bounds.
    pub kind: LimitKind,
    /// Its period.
    pub period: LimitPeriod,
}

/// Parses a limit as a player enters it: dollars, or whole minutes of session time.
///
/// # Errors
/// [`Refusal::Amount`] or [`LimitRefusal::LimitMinutes`].
pub fn parse_limit_value(kind: LimitKind, period: LimitPeriod, text: &str) -> Result<i64, Refusal> {
    if kind != LimitKind::SessionTime {
        return Ok(Money::parse(text)?.cents());
    }
    let maximum = period.maximum_minutes();
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let minutes = text.parse().ok().filter(|_| is_number);
    minutes
        .filter(|minutes| (1..=maximum).contains(minutes))
        .ok_or(Refusal::Limits(LimitRefusal::LimitMinutes(maximum)))
}

/// Changes a limit to `value`, in cents or minutes; `None` removes it. A first limit and a lower one
/// are in force at once, and what was used of them since the start of the period counts. A higher one,
/// and none, wait for a confirmation. Returns the player's limits.
///
/// # Errors
/// [`LimitRefusal::NoLimit`] if there is no limit to remove, or a fault.
pub async fn set_limit(
    house: &House,
    requested: RequestedLimit,
    value: Option<i64>,
) -> Result<Limits, CasinoError> {
    let now = house.now();
    house
        .database
        .write(Scope::player(requested.player), move |transaction| {
            set_now(transaction, requested, value, now)
        })
        .await?;
    read_limits(house, requested.player).await
}

fn set_now(
    transaction: &mut Transaction<'_, '_>,
    requested: RequestedLimit,
    value: Option<i64>,
    now: Timestamp,
) -> Result<(), CasinoError> {
    let RequestedLimit {
        player,
        kind,
        period,
    } = requested;
    let current = find_limit(transaction, requested)?;
    let change = match (current, value) {
        (None, None) => return Err(LimitRefusal::NoLimit.into()),
        (None, Some(value)) => LimitChange::InForce(PlayerLimit::first(kind, period, value, now)),
        (Some(current), value) => current.changed(value, now),
    };
    let old_value = current.map(|limit| limit.value);
    let (limit, action) = match change {
        LimitChange::Unchanged(_) => return Ok(()),
        LimitChange::Pending(limit) => (limit, ChangeAction::Requested),
        LimitChange::InForce(limit) if old_value == value => (limit, ChangeAction::Withdrawn),
        LimitChange::InForce(limit) => (limit, ChangeAction::Set),
    };
    transaction.save_limit(player, &limit)?;
    record(transaction, requested, action, (old_value, value), now)
}

/// Confirms a pending raise or removal, which is then in force. Returns the player's limits.
///
/// # Errors
/// [`LimitRefusal::NoPendingChange`], also if the request has lapsed;
/// [`LimitRefusal::NotYetConfirmable`]; or a fault.
pub async fn confirm_limit_change(
    house: &House,
    requested: RequestedLimit,
) -> Result<Limits, CasinoError> {
    let now = house.now();
    house
        .database
        .write(Scope::player(requested.player), move |transaction| {
            confirm_now(transaction, requested, now)
        })
        .await?;
    read_limits(house, requested.player).await
}

fn confirm_now(
    transaction: &mut Transaction<'_, '_>,
    requested: RequestedLimit,
    now: Timestamp,
) -> Result<(), CasinoError> {
    let RequestedLimit {
        player,
        kind,
        period,
    } = requested;
    let current = find_limit(transaction, requested)?.ok_or(LimitRefusal::NoPendingChange)?;
    let pending = current
        .pending_at(now)
        .ok_or(LimitRefusal::NoPendingChange)?;
    if now < pending.confirmable_at() {
        return Err(LimitRefusal::NotYetConfirmable(pending.confirmable_at()).into());
    }
    match pending.value {
        Some(value) => {
            let limit = PlayerLimit::first(kind, period, value, now);
            transaction.save_limit(player, &limit)?;
        }
        None => transaction.remove_limit(player, kind, period)?,
    }
    let values = (Some(current.value), pending.value);
    record(transaction, requested, ChangeAction::Confirmed, values, now)
}

/// Withdraws a pending raise or removal. Returns the player's limits.
///
/// # Errors
/// [`LimitRefusal::NoPendingChange`], or a fault.
pub async fn withdraw_limit_change(
    house: &House,
    requested: RequestedLimit,
) -> Result<Limits, CasinoError> {
    let now = house.now();
    house
        .database
        .write::<_, CasinoError, _>(Scope::player(requested.player), move |transaction| {
            let current =
                find_limit(transaction, requested)?.ok_or(LimitRefusal::NoPendingChange)?;
            current
                .pending_at(now)
                .ok_or(LimitRefusal::NoPendingChange)?;
            let limit = PlayerLimit {
                pending: None,
                ..current
            };
            transaction.save_limit(requested.player, &limit)?;
            let values = (Some(limit.value), Some(limit.value));
            record(transaction, requested, ChangeAction::Withdrawn, values, now)
        })
        .await?;
    read_limits(house, requested.player).await
}

fn find_limit(
    transaction: &mut Transaction<'_, '_>,
    requested: RequestedLimit,
) -> Result<Option<PlayerLimit>, CasinoError> {
    let limits = transaction.limits_of(requested.player)?;
    Ok(limits
        .into_iter()
        .find(|limit| limit.kind == requested.kind && limit.period == requested.period))
}

/// Adds a change to the history, and rewrites the copy in the account's row.
fn record(
    transaction: &mut Transaction<'_, '_>,
    requested: RequestedLimit,
    action: ChangeAction,
    (old_value, new_value): (Option<i64>, Option<i64>),
    now: Timestamp,
) -> Result<(), CasinoError> {
    let change = RecordedChange {
        kind: requested.kind,
        period: requested.period,
        action,
        old_value,
        new_value,
        at: now,
    };
    transaction.add_limit_change(requested.player, &change)?;
    rewrite_rules(transaction, requested.player, now)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_dollars_or_whole_minutes() {
        let check = |kind, period, text, expected| {
            assert_eq!(parse_limit_value(kind, period, text), expected, "{text}");
        };
        check(LimitKind::Stake, LimitPeriod::Day, "12.5", Ok(1_250));
        check(LimitKind::Deposit, LimitPeriod::Month, "0", Ok(0));
        let time = LimitKind::SessionTime;
        check(time, LimitPeriod::Day, "1", Ok(1));
        check(time, LimitPeriod::Day, "1440", Ok(1_440));
        check(time, LimitPeriod::Week, "10080", Ok(10_080));
        check(time, LimitPeriod::Month, "44640", Ok(44_640));
        for text in [
            "",
            "0",
            "1441",
            "1.5",
            "-1",
            "+5",
            "١",
            "99999999999999999999",
        ] {
            check(
                time,
                LimitPeriod::Day,
                text,
                Err(Refusal::Limits(LimitRefusal::LimitMinutes(1_440))),
            );
        }
        assert!(parse_limit_value(LimitKind::Loss, LimitPeriod::Day, "-1").is_err());
    }
}
