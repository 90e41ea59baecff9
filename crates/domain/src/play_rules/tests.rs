//! Admission and counting, with exact cases and any sequence of rounds.

use std::collections::BTreeMap;
use std::time::Duration;

use proptest::prelude::*;

use super::*;

/// Tuesday, 14 November 2023.
const DAY: i64 = 19_675;
const NOON: Timestamp = Timestamp::from_micros(DAY * 86_400_000_000 + 43_200_000_000);

const fn allowance(limit: i64, first_day: i64) -> Allowance {
    Allowance {
        limit,
        used: 0,
        first_day,
    }
}

fn limit_a_day(limit: i64) -> Allowances {
    Allowances {
        day: Some(allowance(limit, DAY)),
        ..Allowances::default()
    }
}

fn days_later(days: u64) -> Timestamp {
    NOON.saturating_add(Duration::from_hours(24 * days))
}

fn posting(kind: EntryKind, cents: i64) -> LedgerPosting {
    LedgerPosting {
        kind,
        amount: Money::from_cents(cents),
        balance_after: Money::ZERO,
    }
}

fn stake(rules: &mut PlayRules, cents: i64, at: Timestamp) -> Result<(), PlayRefusal> {
    rules.admit(Money::from_cents(cents), Money::ZERO, at)?;
    rules.count(&posting(EntryKind::Stake, -cents), at);
    Ok(())
}

fn reached(kind: LimitKind, period: LimitPeriod, limit: i64, day: i64) -> PlayRefusal {
    PlayRefusal::Limit(LimitReached {
        kind,
        period,
        limit,
        resets_at: Timestamp::start_of_day(day),
    })
}

/// GLI-19 2.5.5: a wager that would exceed the player's limit is not accepted.
#[test]
fn a_stake_fits_up_to_the_last_cent() {
    let mut rules = PlayRules {
        stake: limit_a_day(1_000),
        ..PlayRules::default()
    };
    assert_eq!(stake(&mut rules, 400, NOON), Ok(()));
    let refused = reached(LimitKind::Stake, LimitPeriod::Day, 1_000, DAY + 1);
    assert_eq!(stake(&mut rules, 601, NOON), Err(refused));
    // A payout makes no room under a limit on stakes.
    rules.count(&posting(EntryKind::Payout, 5_000), NOON);
    assert_eq!(stake(&mut rules, 601, NOON), Err(refused));
    assert_eq!(stake(&mut rules, 600, NOON), Ok(()));
    assert_eq!(stake(&mut rules, 1, NOON), Err(refused));
    assert_eq!(stake(&mut rules, 1_000, days_later(1)), Ok(()));
}

/// GLI-19 2.5.5: the net loss of the period counts.
#[test]
fn a_payout_makes_room_under_a_limit_on_losses() {
    let mut rules = PlayRules {
        loss: Allowances {
            week: Some(allowance(1_000, DAY - 1)),
            ..Allowances::default()
        },
        ..PlayRules::default()
    };
    assert_eq!(stake(&mut rules, 1_000, NOON), Ok(()));
    let refused = reached(LimitKind::Loss, LimitPeriod::Week, 1_000, DAY + 6);
    assert_eq!(stake(&mut rules, 1, NOON), Err(refused));
    rules.count(&posting(EntryKind::Payout, 1_500), days_later(1));
    assert_eq!(stake(&mut rules, 1_501, days_later(1)), Err(refused));
    assert_eq!(stake(&mut rules, 1_500, days_later(1)), Ok(()));
    // What is won in one week is not there to be lost in the next one.
    rules.count(&posting(EntryKind::Payout, 9_000), days_later(5));
    assert!(stake(&mut rules, 1_001, days_later(6)).is_err());
    assert_eq!(stake(&mut rules, 1_000, days_later(6)), Ok(()));
}

#[test]
fn what_moves_can_add_is_reserved() {
    let mut rules = PlayRules {
        loss: Allowances {
            month: Some(allowance(3_000, DAY - 13)),
            ..Allowances::default()
        },
        ..PlayRules::default()
    };
    assert!(
        rules
            .admit(Money::from_cents(3_001), Money::ZERO, NOON)
            .is_err()
    );
    assert_eq!(
        rules.admit(Money::from_cents(3_000), Money::ZERO, NOON),
        Ok(())
    );
    rules.count(&posting(EntryKind::Stake, -1_000), NOON);
    rules.reserve(Money::from_cents(2_000));
    assert!(stake(&mut rules, 1, NOON).is_err());
    // The raise and the end of the round.
    rules.count(&posting(EntryKind::Stake, -1_000), NOON);
    rules.release(Money::from_cents(2_000));
    assert_eq!(stake(&mut rules, 1_000, NOON), Ok(()));
    assert!(stake(&mut rules, 1, NOON).is_err());
}

/// GLI-19 A.3.8: no wager is accepted from an excluded player.
#[test]
fn an_excluded_player_may_not_start_a_round_until_the_last_moment() {
    let until = days_later(1);
    let rules = PlayRules {
        excluded_until: Some(until),
        ..PlayRules::default()
    };
    let cent = Money::from_cents(1);
    assert_eq!(
        rules.admit(cent, Money::ZERO, NOON),
        Err(PlayRefusal::Excluded(until))
    );
    let last = Timestamp::from_micros(until.as_micros() - 1);
    assert_eq!(
        rules.admit(cent, Money::ZERO, last),
        Err(PlayRefusal::Excluded(until))
    );
    assert_eq!(rules.admit(cent, Money::ZERO, until), Ok(()));
}

/// GLI-19 2.5.5: no play once the player's time is used.
#[test]
fn time_is_used_up_by_activity_and_not_by_bets() {
    let mut rules = PlayRules {
        session_time: limit_a_day(2 * MICROS_PER_MINUTE),
        ..PlayRules::default()
    };
    assert_eq!(stake(&mut rules, 100, NOON), Ok(()));
    rules.count_active_micros(2 * MICROS_PER_MINUTE - 1, DAY);
    assert_eq!(stake(&mut rules, 100, NOON), Ok(()));
    rules.count_active_micros(1, DAY);
    let refused = reached(LimitKind::SessionTime, LimitPeriod::Day, 2, DAY + 1);
    assert_eq!(stake(&mut rules, 100, NOON), Err(refused));
    assert_eq!(stake(&mut rules, 100, days_later(1)), Ok(()));
}

#[test]
fn a_late_request_counts_for_the_period_that_has_begun() {
    let mut rules = PlayRules {
        stake: limit_a_day(1_000),
        ..PlayRules::default()
    };
    assert_eq!(stake(&mut rules, 100, days_later(1)), Ok(()));
    assert_eq!(rules.round_time(NOON), Timestamp::start_of_day(DAY + 1));
    assert_eq!(rules.round_time(days_later(1)), days_later(1));
    // A payout of the day before is counted there, which is over.
    let before = rules.clone();
    rules.count(&posting(EntryKind::Stake, -50), NOON);
    assert_eq!(rules, before);
    assert_eq!(PlayRules::default().round_time(NOON), NOON);
}

#[test]
fn an_interval_is_split_at_midnight() {
    let midnight = Timestamp::start_of_day(DAY + 1);
    let from = midnight.saturating_sub(Duration::from_micros(3));
    let to = midnight.saturating_add(Duration::from_micros(5));
    assert_eq!(active_parts(from, to), [(DAY, 3), (DAY + 1, 5)]);
    assert_eq!(active_parts(from, midnight), [(DAY, 3)]);
    assert_eq!(active_parts(midnight, to), [(DAY + 1, 5)]);
    assert_eq!(active_parts(to, from), []);
}

/// GLI-19 2.5.5: a move may come in the next period, where the win of the one before makes no room for it.
#[test]
fn moves_fit_into_a_period_in_which_nothing_was_won() {
    let mut rules = PlayRules {
        loss: limit_a_day(1_000),
        ..PlayRules::default()
    };
    rules.count(&posting(EntryKind::Payout, 5_000), NOON);
    let refused = reached(LimitKind::Loss, LimitPeriod::Day, 1_000, DAY + 1);
    let admit = |rules: &PlayRules, stake: i64, added: i64| {
        rules.admit(Money::from_cents(stake), Money::from_cents(added), NOON)
    };
    assert_eq!(admit(&rules, 6_000, 0), Ok(()));
    assert_eq!(admit(&rules, 6_001, 0), Err(refused));
    assert_eq!(admit(&rules, 500, 1_001), Err(refused));
    assert_eq!(admit(&rules, 500, 1_000), Ok(()));
    // The moves of rounds that are open already count as well.
    rules.reserve(Money::from_cents(600));
    assert_eq!(admit(&rules, 500, 401), Err(refused));
    assert_eq!(admit(&rules, 500, 400), Ok(()));
}

/// The totals of an exact record of everything, to compare the counters with.
#[derive(Default)]
struct Record {
    staked: BTreeMap<i64, i64>,
    paid: BTreeMap<i64, i64>,
}

impl Record {
    fn sum(totals: &BTreeMap<i64, i64>, period: LimitPeriod, day: i64) -> i64 {
        let days = period.first_day(day)..period.next_first_day(day);
        totals.range(days).map(|(_, cents)| cents).sum()
    }

    fn check(&self, rules: &PlayRules, day: i64) -> Result<(), TestCaseError> {
        for (period, allowance) in rules.stake.iter() {
            let staked = Self::sum(&self.staked, period, day);
            prop_assert!(staked <= allowance.limit);
            prop_assert_eq!(allowance.used_on(period, day), staked);
        }
        for (period, allowance) in rules.loss.iter() {
            let staked = Self::sum(&self.staked, period, day);
            let lost = staked - Self::sum(&self.paid, period, day);
            prop_assert!(lost <= allowance.limit);
            prop_assert_eq!(allowance.used_on(period, day), lost);
        }
        Ok(())
    }
}

proptest! {
    /// GLI-19 2.5.5: whatever is staked, raised and paid, in whatever order and over whatever
    /// time, no limit is ever exceeded.
    #[test]
    fn no_sequence_of_rounds_exceeds_a_limit(
        limits in prop::array::uniform6(0..5_000_i64),
        steps in prop::collection::vec(
            (0..3_u8, 1..1_500_i64, 0..3_i64, 0..3_000_i64, 0..100_u64),
            1..120,
        ),
    ) {
        let of = |limits: &[i64]| Allowances {
            day: Some(allowance(limits[0], DAY)),
            week: Some(allowance(limits[1], LimitPeriod::Week.first_day(DAY))),
            month: Some(allowance(limits[2], LimitPeriod::Month.first_day(DAY))),
        };
        let mut rules = PlayRules {
            stake: of(&limits[..3]),
            loss: of(&limits[3..]),
            ..PlayRules::default()
        };
        let (mut record, mut now, mut open) = (Record::default(), NOON, None);
        for (step, cents, raises, payout, hours) in steps {
            let spend = |rules: &mut PlayRules, record: &mut Record, cents: i64, now: Timestamp| {
                rules.count(&posting(EntryKind::Stake, -cents), now);
                *record.staked.entry(now.day()).or_default() += cents;
            };
            match (step, open) {
                (0, None) => {
                    let (stake, added) = (Money::from_cents(cents), Money::from_cents(2 * cents));
                    if rules.admit(stake, added, now).is_ok() {
                        spend(&mut rules, &mut record, cents, now);
                        rules.reserve(Money::from_cents(2 * cents));
                        open = Some(cents);
                    }
                }
                (1, Some(opening)) => {
                    if raises > 0 {
                        spend(&mut rules, &mut record, opening * raises, now);
                    }
                    rules.release(Money::from_cents(2 * opening));
                    if payout > 0 {
                        rules.count(&posting(EntryKind::Payout, payout), now);
                        *record.paid.entry(now.day()).or_default() += payout;
                    }
                    open = None;
                }
                (2, _) => now = now.saturating_add(Duration::from_hours(hours)),
                _ => {
                    if rules.admit(Money::from_cents(cents), Money::ZERO, now).is_ok() {
                        spend(&mut rules, &mut record, cents, now);
                    }
                }
            }
            record.check(&rules, now.day())?;
        }
    }
}
