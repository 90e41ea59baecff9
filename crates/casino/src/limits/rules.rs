//! What is used of a player's limits, and the copy of the limits that bets are judged by.

use std::ops::Range;

use glasshouse_domain::{
    Allowance, Game, LimitKind, LimitPeriod, Money, PlayRules, Timestamp, UserId,
};
use glasshouse_games::game_round::GameRound as _;
use glasshouse_games::with_game;
use glasshouse_persistence::Transaction;
use glasshouse_persistence::accounts::Account;
use glasshouse_persistence::limits::LimitRecords;

use crate::error::CasinoError;

pub(crate) const MICROS_PER_MINUTE: i64 = 60_000_000;

/// The first day of all periods that contain `day`.
pub(crate) fn first_day_of_all(day: i64) -> i64 {
    let days = LimitPeriod::ALL.iter().map(|period| period.first_day(day));
    days.fold(day, i64::min)
}

/// What moves can still add to the stake of an open round.
pub(crate) fn maximum_added_stake(game: Game, opening: Money) -> Money {
    with_game!(game, Round => Round::maximum_added_stake(opening))
}

/// What was used of a kind of limit in some days: cents, or microseconds of session time.
pub(crate) fn used_in(records: &LimitRecords, kind: LimitKind, days: &Range<i64>) -> i64 {
    let totals = records.totals.iter();
    let totals = totals.filter(|total| days.contains(&total.day));
    let amounts: Vec<i64> = match kind {
        LimitKind::Deposit => totals.map(|total| total.deposited_cents).collect(),
        LimitKind::Stake => totals.map(|total| total.staked_cents).collect(),
        LimitKind::Loss => totals
            .map(|total| total.staked_cents.saturating_sub(total.paid_cents))
            .collect(),
        LimitKind::SessionTime => {
            let active = records.play_days.iter();
            let active = active.filter(|active| days.contains(&active.day));
            active.map(|active| active.active_micros).collect()
        }
    };
    amounts.into_iter().fold(0, i64::saturating_add)
}

/// The limit in the unit that is counted: cents, or microseconds of session time.
pub(crate) const fn counted_limit(kind: LimitKind, value: i64) -> i64 {
    match kind {
        LimitKind::SessionTime => value.saturating_mul(MICROS_PER_MINUTE),
        LimitKind::Deposit | LimitKind::Loss | LimitKind::Stake => value,
    }
}

/// The rules that follow from a player's records; `None` if there is neither a limit nor an
/// exclusion and the account is open and not blocked.
pub(crate) fn rules_of(records: &LimitRecords, now: Timestamp) -> Option<Box<PlayRules>> {
    // What takes effect just after midnight may be recorded before a request of just before it.
    let last_total = records.totals.iter().map(|total| total.day).max();
    let last_active = records.play_days.iter().map(|active| active.day).max();
    let recorded = last_total.max(last_active).unwrap_or(i64::MIN);
    let today = now.day().max(recorded);
    let mut rules = PlayRules {
        excluded_until: records.excluded_until,
        is_closed: records.is_closed,
        is_betting_blocked: records.is_betting_blocked,
        is_withdrawing_blocked: records.is_withdrawing_blocked,
        ..PlayRules::default()
    };
    for limit in &records.limits {
        let (kind, period) = (limit.kind, limit.period);
        if let Some(limits) = rules.limits_mut(kind) {
            let first_day = period.first_day(today);
            let days = first_day..period.next_first_day(today);
            *limits.of_mut(period) = Some(Allowance {
                limit: counted_limit(kind, limit.value),
                used: used_in(records, kind, &days),
                first_day,
            });
        }
    }
    for (game, stake) in &records.open_rounds {
        rules.reserve(maximum_added_stake(*game, *stake));
    }
    (!rules.is_empty()).then(|| Box::new(rules))
}

/// Rewrites the rules in the account's row after a change of the player's limits, exclusion or blocks. The
/// account is locked.
pub(crate) fn rewrite_rules(
    transaction: &mut Transaction<'_, '_>,
    player: UserId,
    now: Timestamp,
) -> Result<(), CasinoError> {
    let mut account: Account = transaction.account(player)?;
    let records = transaction.limit_records(player, first_day_of_all(now.day()))?;
    account.play_rules = rules_of(&records, now);
    transaction.save_account(account);
    Ok(())
}
