//! The administrators' lists, restricted to a period and to amounts: page by page, exactly the entries
//! that a filter over the whole list finds, in its order.

use std::fmt::Debug;
use std::time::Duration;

use glasshouse_casino::administration::{list, read_pending_work};
use glasshouse_casino::money::{WithdrawalRequest, request_withdrawal};
use glasshouse_casino::{
    AdminList, AlertEntry, AlertQuery, AllRoundsQuery, AmountRange, AuditQuery, DepositQuery,
    Period, UserOrder, UserQuery, WithdrawalOrder, WithdrawalQuery,
};
use glasshouse_domain::{AlertKind, Game, Money, Timestamp, UserId};
use glasshouse_games::dice::BetType;
use rstest_reuse::apply;

use crate::support::administration::administrator;
use crate::support::alerts::raise;
use crate::support::cashier_fixture::CashierFixture;
use crate::support::games::place_dice_bet;
use crate::support::{Fixture, bet, both_databases};

const ADDRESS: &str = "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2";

/// All pages of a list, of two entries each.
async fn pages<L: AdminList>(test: &Fixture, mut query: L) -> Vec<L::Entry> {
    let mut entries = Vec::new();
    loop {
        *query.bounds().limit = 2;
        let page = list(&test.house, query.clone()).await.unwrap();
        assert!(page.entries.len() <= 2);
        entries.extend(page.entries);
        if page.next.is_none() {
            return entries;
        }
        *query.bounds().after = page.next;
    }
}

/// Every period between two of the times, with the instants before and after them, and half-open ones.
fn periods(times: &[Timestamp]) -> Vec<Period> {
    let mut ends = vec![None];
    for at in times {
        ends.extend([0, 1].map(|micros| Some(Timestamp::from_micros(at.as_micros() + micros))));
    }
    ends.sort_unstable();
    ends.dedup();
    let from_each = |from: &Option<Timestamp>| {
        let from = *from;
        ends.clone().into_iter().map(move |to| Period { from, to })
    };
    ends.iter().flat_map(from_each).collect()
}

fn contains(period: Period, at: Timestamp) -> bool {
    period.from.is_none_or(|from| from <= at) && period.to.is_none_or(|to| at < to)
}

/// Compares the list in every period with the filtered list of all entries.
async fn assert_periods<L: AdminList, I: Debug + PartialEq>(
    test: &Fixture,
    with_period: impl Fn(Period) -> L,
    place: impl Fn(&L::Entry) -> (I, Timestamp),
) {
    let everything: Vec<_> = pages(test, with_period(Period::ALWAYS)).await;
    let everything: Vec<(I, Timestamp)> = everything.iter().map(&place).collect();
    let mut times: Vec<Timestamp> = everything.iter().map(|(_, at)| *at).collect();
    times.sort_unstable();
    times.dedup();
    assert!(
        times.len() >= 3,
        "the entries have too few times: {times:?}"
    );
    for period in periods(&times) {
        let found = pages(test, with_period(period)).await;
        let found: Vec<_> = found.iter().map(&place).collect();
        let expected = everything.iter().filter(|(_, at)| contains(period, *at));
        assert!(
            found.iter().eq(expected),
            "{period:?}: {found:?} of {everything:?}"
        );
    }
}

async fn request(test: &Fixture, player: UserId, amount: &str) {
    let request = WithdrawalRequest::parse(amount, "btc", ADDRESS).unwrap();
    request_withdrawal(&test.house, player, request, None)
        .await
        .unwrap();
}

#[apply(both_databases)]
async fn withdrawals_are_listed_by_period_in_every_order(#[case] test: &Fixture) {
    let player = test.player("asker", 100_000).await;
    for amount in ["20", "35", "20", "50", "28"] {
        request(test, player, amount).await;
        if amount != "35" {
            test.clock.advance(Duration::from_secs(1));
        }
    }
    for order in [
        WithdrawalOrder::Newest,
        WithdrawalOrder::Oldest,
        WithdrawalOrder::Risk,
        WithdrawalOrder::Amount,
    ] {
        let query = |period| WithdrawalQuery {
            period,
            order,
            ..<_>::default()
        };
        assert_periods(test, query, |entry| {
            (entry.withdrawal.id, entry.withdrawal.created_at)
        })
        .await;
    }
    let found = async |minimum, maximum| {
        let amounts = AmountRange {
            minimum: Some(Money::from_cents(minimum)),
            maximum: Some(Money::from_cents(maximum)),
        };
        let query = WithdrawalQuery {
            amounts,
            ..<_>::default()
        };
        let entries = pages(test, query).await.into_iter();
        let amounts: Vec<i64> = entries
            .map(|entry| entry.withdrawal.amount.cents())
            .collect();
        amounts
    };
    assert_eq!(found(2_000, 2_800).await, [2_800, 2_000, 2_000]);
    assert_eq!(found(2_801, 4_999).await, [3_500]);
    assert_eq!(found(5_001, 9_999).await, [0; 0]);
}

#[apply(both_databases)]
async fn deposits_are_listed_by_period_and_price(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    for number in 0..4 {
        // Only a few deposits may be unpaid at a time.
        let (_, invoice) = fixture.deposit().await;
        fixture.pay_percent(&invoice, 100).await;
        if number != 1 {
            test.clock.advance(Duration::from_secs(1));
        }
    }
    let query = |period| DepositQuery {
        period,
        ..<_>::default()
    };
    assert_periods(test, query, |entry| {
        (entry.deposit.id, entry.deposit.created_at)
    })
    .await;
    let all = pages(test, query(Period::ALWAYS)).await;
    let price = all[0].deposit.price;
    let of = async |minimum: Option<Money>, maximum: Option<Money>| {
        let amounts = AmountRange { minimum, maximum };
        let query = DepositQuery {
            amounts,
            ..<_>::default()
        };
        pages(test, query).await.len()
    };
    let less = Money::from_cents(price.cents() - 1);
    assert_eq!(of(Some(price), Some(price)).await, 4);
    assert_eq!(of(None, Some(less)).await, 0);
}

#[apply(both_databases)]
async fn users_and_records_are_listed_by_period(#[case] test: &Fixture) {
    for name in ["one", "two", "three", "four"] {
        test.player(name, 100).await;
        if name != "two" {
            test.clock.advance(Duration::from_secs(1));
        }
    }
    for order in [UserOrder::Newest, UserOrder::Username, UserOrder::Balance] {
        let query = |period| UserQuery {
            period,
            order,
            ..<_>::default()
        };
        assert_periods(test, query, |entry| (entry.user.id, entry.user.created_at)).await;
    }
    let query = |period| AuditQuery {
        period,
        ..<_>::default()
    };
    assert_periods(test, query, |entry| {
        let at = Timestamp::from_micros(entry.record.created_at_micros);
        (entry.record.id, at)
    })
    .await;
}

#[apply(both_databases)]
async fn rounds_are_listed_by_period_and_stake(#[case] test: &Fixture) {
    let players = [
        test.player("Alice", 100_000).await,
        test.player("Bob", 100_000).await,
    ];
    for (number, stake) in [100, 200, 100, 300, 200].into_iter().enumerate() {
        for player in players {
            let chosen = bet(stake, 50, BetType::Over);
            place_dice_bet(&test.house, player, chosen, None)
                .await
                .unwrap();
        }
        if number != 2 {
            test.clock.advance(Duration::from_secs(1));
        }
    }
    for player in [None, Some(players[0])] {
        for games in [vec![], vec![Game::Dice]] {
            let query = |period| AllRoundsQuery {
                games: games.clone(),
                player,
                period,
                ..<_>::default()
            };
            assert_periods(test, query, |played| {
                (played.round.id, played.round.ended_at.unwrap())
            })
            .await;
        }
        let stakes = AmountRange {
            minimum: Some(Money::from_cents(200)),
            maximum: Some(Money::from_cents(200)),
        };
        let query = AllRoundsQuery {
            player,
            stakes,
            ..<_>::default()
        };
        let found = pages(test, query).await;
        assert_eq!(found.len(), if player.is_some() { 2 } else { 4 });
        assert!(found.iter().all(|played| played.round.stake.cents() == 200));
    }
    let one = pages(test, AllRoundsQuery::default()).await.remove(0).round;
    let by_id = async |period| {
        let query = AllRoundsQuery {
            id: Some(one.id),
            period,
            ..<_>::default()
        };
        pages(test, query).await.len()
    };
    let ended_at = one.ended_at;
    assert_eq!(by_id(Period::ALWAYS).await, 1);
    let until = Period {
        from: None,
        to: ended_at,
    };
    let from = Period {
        from: ended_at,
        to: None,
    };
    assert_eq!((by_id(until).await, by_id(from).await), (0, 1));
}

#[apply(both_databases)]
async fn pending_work_is_counted(#[case] test: &Fixture) {
    let nothing = read_pending_work(&test.house).await.unwrap();
    assert_eq!((nothing.withdrawals, nothing.reviews), (0, 0));
    assert_eq!(nothing.oldest_withdrawal_at, None);
    assert_eq!(nothing.newest_withdrawal, None);
    let player = test.player("asker", 100_000).await;
    let first = test.house.now();
    request(test, player, "20").await;
    test.clock.advance(Duration::from_secs(1));
    request(test, player, "30").await;
    let pending = read_pending_work(&test.house).await.unwrap();
    assert_eq!(pending.withdrawals, 2);
    assert_eq!(pending.oldest_withdrawal_at, Some(first));
    assert!(pending.newest_withdrawal.is_some());
    assert_eq!((pending.payouts_to_send, pending.failed_payouts), (0, 0));
    assert_eq!((pending.reviews, pending.proposals), (0, 0));
}

#[apply(both_databases)]
async fn alerts_are_listed_by_period_whatever_else_they_are_filtered_by(#[case] test: &Fixture) {
    for (kind, is_later) in [
        ("review", true),
        ("queue", false),
        ("review", true),
        ("test", true),
        ("review", true),
    ] {
        raise(test, kind);
        if is_later {
            test.clock.advance(Duration::from_secs(1));
        }
    }
    let boss = administrator(test, "boss").await;
    test.sql(&format!(
        "UPDATE alerts SET acknowledged_at_micros = 1, acknowledged_by = {boss} WHERE id = 4"
    ))
    .unwrap();
    let place = |entry: &AlertEntry| (entry.alert.id, entry.alert.raised_at);
    for (kind, is_acknowledged) in [
        (None, None),
        (None, Some(false)),
        (Some(AlertKind::Review), None),
        (Some(AlertKind::Review), Some(false)),
    ] {
        let query = |period| AlertQuery {
            kind,
            is_acknowledged,
            period,
            ..<_>::default()
        };
        assert_periods(test, query, place).await;
    }
    let acknowledged = AlertQuery {
        is_acknowledged: Some(true),
        ..<_>::default()
    };
    let found = pages(test, acknowledged).await;
    let ids: Vec<i64> = found.iter().map(|entry| entry.alert.id.get()).collect();
    assert_eq!(ids, [4]);
}
