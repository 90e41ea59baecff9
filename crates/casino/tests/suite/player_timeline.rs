//! What the panel shows of one player: on the timeline everything that the tables have of the player, each thing
//! once and in order, and figures that agree with them.

use std::time::Duration;

use glasshouse_casino::administration::{
    BanState, Decision, TimelineQuery, adjust_balance, read_player, read_timeline, record_access,
    set_ban_state,
};
use glasshouse_casino::money::{WithdrawalRequest, request_withdrawal};
use glasshouse_casino::{Period, Refusal, TimelineEvent, TimelinePlace};
use glasshouse_domain::{ExclusionDuration, Money, TimelineKind, Timestamp, UserId, WithdrawalId};
use glasshouse_games::dice::BetType;
use rstest_reuse::apply;

use crate::support::administration::{
    APPROVAL, adjustment, administrator, context, decide_withdrawal, done,
};
use crate::support::cashier_fixture::CashierFixture;
use crate::support::games::place_dice_bet;
use crate::support::limits::{daily_stake, exclude_for, limit};
use crate::support::{Fixture, assert_refused, bet, both_databases};

/// All pages of a timeline.
async fn pages(test: &Fixture, query: TimelineQuery) -> Vec<TimelineEvent> {
    let mut query = query;
    let mut events = Vec::new();
    loop {
        let page = read_timeline(&test.house, query.clone()).await.unwrap();
        assert!(page.entries.len() <= query.limit);
        events.extend(page.entries);
        query.after = page.next;
        if query.after.is_none() {
            return events;
        }
        assert_eq!(events.len() % query.limit, 0, "only the last page is short");
    }
}

fn everything(player: UserId) -> TimelineQuery {
    TimelineQuery {
        player,
        kinds: TimelineKind::ALL.to_vec(),
        period: Period::ALWAYS,
        after: None,
        limit: 1_000,
    }
}

async fn places(test: &Fixture, query: TimelineQuery) -> Vec<TimelinePlace> {
    let events = pages(test, query).await;
    events.iter().map(TimelineEvent::place).collect()
}

/// What the timeline shows of each kind, with `$` for the player.
const STORED: [(TimelineKind, &str); 8] = [
    (
        TimelineKind::Security,
        "created_at_micros AS moment, id AS row_id FROM security_events WHERE user_id = $",
    ),
    (
        TimelineKind::Deposit,
        "created_at_micros AS moment, id AS row_id FROM deposits WHERE player_id = $",
    ),
    (
        TimelineKind::Withdrawal,
        "created_at_micros AS moment, id AS row_id FROM withdrawals WHERE player_id = $",
    ),
    (
        TimelineKind::Round,
        "ended_at_micros AS moment, id AS row_id FROM rounds
         WHERE player_id = $ AND state = 'settled'",
    ),
    (
        TimelineKind::Ledger,
        "created_at_micros AS moment, sequence AS row_id FROM ledger_entries
         WHERE player_id = $ AND kind <> 'stake' AND kind <> 'payout'",
    ),
    (
        TimelineKind::Limit,
        "at_micros AS moment, id AS row_id FROM limit_changes WHERE player_id = $",
    ),
    (
        TimelineKind::Exclusion,
        "since_micros AS moment, id AS row_id FROM exclusions WHERE player_id = $",
    ),
    (
        TimelineKind::Audit,
        "created_at_micros AS moment, id AS row_id FROM audit_log
         WHERE target_user_id = $ AND action <> 'personal_data_viewed'",
    ),
];

/// What the tables have of a player, newest first.
fn stored(test: &Fixture, player: UserId) -> Vec<TimelinePlace> {
    let rows = |(kind, rows): (TimelineKind, &str)| {
        let rows = rows.replace('$', &player.to_string());
        let query = format!(
            "SELECT CAST(moment AS TEXT) || ' ' || CAST(row_id AS TEXT) AS value
             FROM (SELECT {rows}) stored"
        );
        let place = move |text: String| {
            let (at, id) = text.split_once(' ').unwrap();
            TimelinePlace {
                at: Timestamp::from_micros(at.parse().unwrap()),
                kind,
                id: id.parse().unwrap(),
            }
        };
        test.texts(&query).into_iter().map(place)
    };
    let mut found: Vec<_> = STORED.into_iter().flat_map(rows).collect();
    found.sort_by(|one, other| other.cmp(one));
    found
}

async fn ask_for(test: &Fixture, player: UserId) -> WithdrawalId {
    let request = WithdrawalRequest::parse("20.00", "btc", crate::withdrawals::ADDRESS).unwrap();
    let asked = request_withdrawal(&test.house, player, request, None).await;
    asked.unwrap().withdrawal.id
}

/// Everything that can happen with a player. The clock stands still for most of it.
async fn live(fixture: &CashierFixture<'_>, player: UserId, keeper: UserId) {
    let test = fixture.test;
    let balance = adjustment(player, Money::from_cents(50_000));
    done(
        adjust_balance(&test.house, context(keeper), balance)
            .await
            .unwrap(),
    );
    for _ in 0..3 {
        let chosen = bet(100, 50, BetType::Over);
        place_dice_bet(&test.house, player, chosen, None)
            .await
            .unwrap();
    }
    let rejected = ask_for(test, player).await;
    let approved = ask_for(test, player).await;
    test.clock.advance(Duration::from_secs(1));
    let no = Decision::Reject("not today".to_owned());
    decide_withdrawal(&test.house, context(keeper), rejected, no)
        .await
        .unwrap();
    decide_withdrawal(&test.house, context(keeper), approved, APPROVAL)
        .await
        .unwrap();
    ask_for(test, player).await;
    for value in [9_000, 8_000] {
        limit(test, daily_stake(player), value).await;
    }
    let chosen = bet(100, 50, BetType::Under);
    place_dice_bet(&test.house, player, chosen, None)
        .await
        .unwrap();
    test.clock.advance(Duration::from_micros(1));
    for state in [BanState::Banned("a mistake".to_owned()), BanState::Active] {
        set_ban_state(&test.house, context(keeper), player, state)
            .await
            .unwrap();
    }
    record_access(&test.house, context(keeper), "users", Some(player))
        .await
        .unwrap();
}

/// The cashier's player with everything that can happen, and another one with the same.
async fn busy_players(fixture: &CashierFixture<'_>) -> UserId {
    let test = fixture.test;
    let keeper = administrator(test, "keeper").await;
    let other = test.player("another", 1_000).await;
    let player = fixture.player;
    let (_, invoice) = fixture.deposit().await;
    fixture.pay_percent(&invoice, 100).await;
    live(fixture, other, keeper).await;
    live(fixture, player, keeper).await;
    let now = test.house.now().as_micros();
    for (user, at) in [
        (player, now),
        (other, now),
        (player, now),
        (player, now + 1),
    ] {
        test.sql(&format!(
            "INSERT INTO security_events (user_id, kind, is_new_device, created_at_micros)
             VALUES ({user}, 'signed_in', 0, {at})"
        ))
        .unwrap();
    }
    for one in [player, other] {
        exclude_for(test, one, ExclusionDuration::Day).await;
    }
    player
}

#[apply(both_databases)]
async fn everything_is_on_the_timeline_once_and_in_order(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let player = busy_players(&fixture).await;
    let expected = stored(test, player);
    for kind in TimelineKind::ALL {
        let count = expected.iter().filter(|place| place.kind == *kind).count();
        assert!(count > 0, "nothing of {kind:?}");
    }
    let repeated = expected.windows(2).filter(|two| two[0].at == two[1].at);
    assert!(repeated.count() > 5, "too few events at the same time");
    for limit in 1..=expected.len() + 1 {
        let query = TimelineQuery {
            limit,
            ..everything(player)
        };
        assert_eq!(places(test, query).await, expected, "pages of {limit}");
    }
    let nobody = everything(UserId::new(9_999));
    assert_refused(read_timeline(&test.house, nobody).await, &Refusal::NotFound);
}

#[apply(both_databases)]
async fn kinds_and_periods_select_exactly_what_they_say(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let player = busy_players(&fixture).await;
    let all = stored(test, player);
    for kind in TimelineKind::ALL {
        let query = TimelineQuery {
            kinds: vec![*kind],
            limit: 2,
            ..everything(player)
        };
        let expected: Vec<_> = all.iter().filter(|place| place.kind == *kind).collect();
        assert!(places(test, query).await.iter().eq(expected), "{kind:?}");
    }
    let mut ends = vec![None];
    for place in &all {
        ends.extend([0, 1].map(|later| Some(place.at.as_micros() + later)));
    }
    ends.sort_unstable();
    ends.dedup();
    let at = |micros: Option<i64>| micros.map(Timestamp::from_micros);
    for from in &ends {
        for to in &ends {
            let period = Period {
                from: at(*from),
                to: at(*to),
            };
            let query = TimelineQuery {
                period,
                limit: 3,
                ..everything(player)
            };
            let expected = all.iter().filter(|place| {
                period.from.is_none_or(|from| from <= place.at)
                    && period.to.is_none_or(|to| place.at < to)
            });
            assert!(places(test, query).await.iter().eq(expected), "{period:?}");
        }
    }
}

#[apply(both_databases)]
async fn the_figures_are_those_of_the_player(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let player = busy_players(&fixture).await;
    let overview = read_player(&test.house, player).await.unwrap();
    let sum = |query: &str| -> i64 {
        let query = query.replace('$', &player.to_string());
        test.texts(&query)[0].parse().unwrap()
    };
    let balance =
        sum("SELECT CAST(balance_cents AS TEXT) AS value FROM accounts WHERE player_id = $");
    assert_eq!(overview.entry.wallet.balance().cents(), balance);
    assert_eq!(overview.entry.user.id, player);
    let totals = overview.figures.totals;
    let staked =
        sum("SELECT CAST(SUM(stake_cents) AS TEXT) AS value FROM rounds WHERE player_id = $");
    let paid =
        sum("SELECT CAST(SUM(payout_cents) AS TEXT) AS value FROM rounds WHERE player_id = $");
    assert_eq!(
        (totals.wagered.cents(), totals.paid.cents()),
        (staked, paid)
    );
    // One of the three was returned.
    assert_eq!(totals.withdrawn, Money::from_cents(4_000));
    assert_eq!(overview.figures.pending_withdrawals, 1);
    assert_eq!(overview.figures.pending_amount, Money::from_cents(2_000));
    assert_eq!(overview.limits.limits.len(), 1);
    assert!(overview.limits.exclusion.is_some());
    let signed_in = "SELECT CAST(MAX(created_at_micros) AS TEXT) AS value FROM security_events
        WHERE user_id = $ AND kind = 'signed_in'";
    let last = overview.figures.last_sign_in_at.unwrap();
    assert_eq!(last.as_micros(), sum(signed_in));
    let nobody = read_player(&test.house, UserId::new(9_999)).await;
    assert_refused(nobody, &Refusal::NotFound);
}
