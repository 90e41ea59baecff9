//! Judges new deposits by the player's limits and exclusion.

use glasshouse_domain::{LimitKind, LimitReached, Money, Timestamp, UserId};
use glasshouse_persistence::Transaction;

use crate::accounts::terms_of_service::require_terms;
use crate::error::{AccountRefusal, CasinoError, LimitRefusal, OperatingRefusal};
use crate::limits::rules::{first_day_of_all, used_in};

/// Refuses a new deposit to a closed account, of a player who may not bet, of a player who has not accepted the Terms of Service in force
/// or is excluded, or one that could exceed a limit. What was credited in the period counts, and what can
/// still be paid for open invoices, including those of earlier periods: they would be credited in this one.
/// The account is locked.
pub(crate) fn admit_deposit(
    transaction: &mut Transaction<'_, '_>,
    (player, amount): (UserId, Money),
    terms_version: i64,
    now: Timestamp,
    requested_since: Timestamp,
) -> Result<(), CasinoError> {
    let account = transaction.account(player)?;
    require_terms(&account, terms_version)?;
    let rules = account.play_rules.as_deref();
    if rules.is_some_and(|rules| rules.is_closed) {
        return Err(AccountRefusal::Closed.into());
    }
    if rules.is_some_and(|rules| rules.is_betting_blocked) {
        // It could not be wagered, and thus not be withdrawn.
        return Err(OperatingRefusal::BettingBlocked.into());
    }
    if let Some(until) = rules.and_then(|rules| rules.exclusion_at(now)) {
        return Err(LimitRefusal::Excluded(until).into());
    }
    let limits = transaction.limits_of(player)?;
    if limits.iter().all(|limit| limit.kind != LimitKind::Deposit) {
        return Ok(());
    }
    let today = now.day();
    let records = transaction.limit_records(player, first_day_of_all(today))?;
    let open = transaction.open_deposits(player, requested_since)?;
    let added = open.cents().saturating_add(amount.cents());
    for limit in limits {
        let (kind, period) = (limit.kind, limit.period);
        let days = period.first_day(today)..period.next_first_day(today);
        let used = used_in(&records, kind, &days);
        if kind == LimitKind::Deposit && used.saturating_add(added) > limit.value {
            let reached = LimitReached {
                kind,
                period,
                limit: limit.value,
                resets_at: period.ends_at(today),
            };
            return Err(LimitRefusal::LimitReached(reached).into());
        }
    }
    Ok(())
}
