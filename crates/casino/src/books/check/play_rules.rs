//! Checks the copies of players' limits and exclusions that bets are judged by.

use glasshouse_domain::{Allowance, LimitKind, LimitPeriod, Money, PlayRules, UserId};
use glasshouse_persistence::limits::{LimitRecords, PlayRulesToCheck};
use glasshouse_persistence::{DatabaseError, Snapshot, queries};

use crate::books::check::chunks::ROWS_PER_CHUNK;
use crate::books::check::report::{CheckReport, Finding};
use crate::limits::rules::{counted_limit, maximum_added_stake, used_in};

/// What was found in the copies.
struct RulesFindings {
    copies: Finding,
    used: Finding,
}

/// Compares every copy with the limits, exclusions and open rounds that it repeats, and its counters
/// with the daily statements and playing times.
pub(crate) fn check_play_rules(
    snapshot: &mut Snapshot,
    report: &mut CheckReport,
) -> Result<(), DatabaseError> {
    let mut findings = RulesFindings {
        copies: Finding::new(
            "every account repeats the limits, the exclusion and the restrictions of its player",
        ),
        used: Finding::new("what is used of every limit is the total of its period"),
    };
    let mut last = UserId::new(0);
    loop {
        let players = snapshot
            .read(|connection| queries::play_rules_after(connection, last, ROWS_PER_CHUNK))?;
        let Some(newest) = players.last() else {
            break;
        };
        last = newest.player;
        for player in players {
            findings.add(player);
        }
    }
    report.invariants.extend([findings.copies, findings.used]);
    Ok(())
}

impl RulesFindings {
    fn add(&mut self, checked: PlayRulesToCheck) {
        let player = checked.player;
        let (rules, records) = match (checked.rules, checked.records) {
            (Ok(rules), Ok(records)) => (rules, records),
            (Err(error), _) | (_, Err(error)) => {
                self.copies.add(format!("player {player}: {error}"));
                return;
            }
        };
        let mut rules = rules.map_or_else(PlayRules::default, |rules| *rules);
        if rules.excluded_until != records.excluded_until {
            self.copies.add(format!("player {player}: the exclusion"));
        }
        if rules.is_closed != records.is_closed {
            self.copies
                .add(format!("player {player}: whether the account is closed"));
        }
        if rules.is_betting_blocked != records.is_betting_blocked
            || rules.is_withdrawing_blocked != records.is_withdrawing_blocked
        {
            let what = "whether betting or withdrawing is blocked";
            self.copies.add(format!("player {player}: {what}"));
        }
        for kind in LimitKind::ALL {
            for period in LimitPeriod::ALL {
                let Some(limits) = rules.limits_mut(*kind) else {
                    continue;
                };
                let allowance = *limits.of_mut(*period);
                let named = || {
                    let (kind, period) = (kind.as_str(), period.as_str());
                    format!("player {player}: the {kind} limit per {period}")
                };
                if allowance.map(|allowance| allowance.limit) != limit_of(&records, *kind, *period)
                {
                    self.copies.add(named());
                }
                if allowance
                    .is_some_and(|allowance| !is_right(&allowance, &records, *kind, *period))
                {
                    self.used.add(named());
                }
            }
        }
        if !rules.is_empty() && rules.reserved.cents() != reserved(&records) {
            self.used
                .add(format!("player {player}: the stakes that moves can add"));
        }
    }
}

fn limit_of(records: &LimitRecords, kind: LimitKind, period: LimitPeriod) -> Option<i64> {
    let mut limits = records.limits.iter();
    let limit = limits.find(|limit| limit.kind == kind && limit.period == period)?;
    Some(counted_limit(kind, limit.value))
}

/// Whether a counter is the total of its period, and nothing was used after it.
fn is_right(
    allowance: &Allowance,
    records: &LimitRecords,
    kind: LimitKind,
    period: LimitPeriod,
) -> bool {
    let first_day = allowance.first_day;
    let next_day = period.next_first_day(first_day);
    let later_totals = records.totals.iter().filter(|total| total.day >= next_day);
    let mut later_play = records.play_days.iter().filter(|day| day.day >= next_day);
    let is_used_later = match kind {
        LimitKind::SessionTime => later_play.any(|day| day.active_micros != 0),
        LimitKind::Stake => later_totals
            .into_iter()
            .any(|total| total.staked_cents != 0),
        LimitKind::Deposit | LimitKind::Loss => later_totals
            .into_iter()
            .any(|total| total.staked_cents != 0 || total.paid_cents != 0),
    };
    period.first_day(first_day) == first_day
        && allowance.used == used_in(records, kind, &(first_day..next_day))
        && !is_used_later
}

/// What moves can still add to the stakes of the open rounds.
fn reserved(records: &LimitRecords) -> i64 {
    let rounds = records.open_rounds.iter();
    let added = rounds.map(|(game, stake): &(_, Money)| maximum_added_stake(*game, *stake).cents());
    added.fold(0, i64::saturating_add)
}
