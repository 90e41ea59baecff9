//! Limits and exclusions of players, with short signatures for the tests.

use std::time::Duration;

use glasshouse_casino::limits::{
    Limits, RequestedLimit, confirm_limit_change, exclude, read_limits, set_limit,
};
use glasshouse_casino::{CasinoError, House, LimitRefusal, Refusal};
use glasshouse_domain::{
    Exclusion, ExclusionDuration, LimitKind, LimitPeriod, LimitReached, Timestamp, UserId,
};
use glasshouse_games::dice::BetType;

use super::games::{DiceRound, place_dice_bet};
use super::{Fixture, bet, key};

pub(crate) const DAY: Duration = Duration::from_hours(24);

/// The tests begin on Tuesday, 14 November 2023, at 22:13:20.
pub(crate) const FIRST_DAY: i64 = 19_675;

pub(crate) const fn of(player: UserId, kind: LimitKind, period: LimitPeriod) -> RequestedLimit {
    RequestedLimit {
        player,
        kind,
        period,
    }
}

/// The daily limit on stakes.
pub(crate) const fn daily_stake(player: UserId) -> RequestedLimit {
    of(player, LimitKind::Stake, LimitPeriod::Day)
}

pub(crate) async fn limit(test: &Fixture, requested: RequestedLimit, value: i64) -> Limits {
    set_limit(&test.house, requested, Some(value))
        .await
        .unwrap()
}

/// Limits that the player requests and confirms a day later.
pub(crate) async fn raise(test: &Fixture, requested: RequestedLimit, value: Option<i64>) -> Limits {
    set_limit(&test.house, requested, value).await.unwrap();
    test.clock.advance(DAY);
    confirm_limit_change(&test.house, requested).await.unwrap()
}

/// What is used of the player's only limit.
pub(crate) async fn used(test: &Fixture, player: UserId) -> i64 {
    let limits = read_limits(&test.house, player).await.unwrap().limits;
    assert_eq!(limits.len(), 1);
    limits[0].used
}

pub(crate) async fn exclude_for(
    test: &Fixture,
    player: UserId,
    duration: ExclusionDuration,
) -> Exclusion {
    exclude(&test.house, player, duration).await.unwrap()
}

/// A bet in dice that wins or loses about equally often.
pub(crate) async fn stake(
    house: &House,
    player: UserId,
    cents: i64,
) -> Result<DiceRound, CasinoError> {
    place_dice_bet(house, player, bet(cents, 50, BetType::Over), None).await
}

/// The same with an idempotency key.
pub(crate) async fn stake_with_key(
    house: &House,
    player: UserId,
    (cents, name): (i64, &str),
) -> Result<DiceRound, CasinoError> {
    let bet = bet(cents, 50, BetType::Over);
    place_dice_bet(house, player, bet, Some(key(name))).await
}

/// The refusal of what does not fit into a limit whose period ends on a day after the tests' first.
pub(crate) const fn reached(
    kind: LimitKind,
    period: LimitPeriod,
    (limit, days): (i64, i64),
) -> Refusal {
    Refusal::Limits(LimitRefusal::LimitReached(LimitReached {
        kind,
        period,
        limit,
        resets_at: Timestamp::start_of_day(FIRST_DAY + days),
    }))
}
