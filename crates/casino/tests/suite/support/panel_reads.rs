//! What administrators read, and the background tasks, for the tests that count the rows read.

use std::sync::Arc;
use std::time::Duration;

use glasshouse_casino::accounts::{purge_security_events, purge_sessions, read_security_events};
use glasshouse_casino::administration::{
    TimelineQuery, list, read_payment, read_pending_work, read_player, read_timeline, read_user,
    read_withdrawal,
};
use glasshouse_casino::alerts::{AlertOptions, deliver_due_alerts, try_alerts, watch_once};
use glasshouse_casino::money::read_withdrawals;
use glasshouse_casino::privacy::pseudonymise_accounts;
use glasshouse_casino::{
    ActivePaymentQuery, AlertQuery, AllRoundsQuery, AuditQuery, DepositQuery, House, Period,
    ReviewQuery, UserOrder, UserQuery, WithdrawalOrder, WithdrawalQuery,
};
use glasshouse_domain::{AlertKind, Game, TimelineKind, Timestamp, UserId};
use glasshouse_mail::Mailer;
use glasshouse_testing::TestSmtpServer;

use crate::support::Fixture;
use crate::support::email::email;
use crate::support::workload::read_reports;

/// The list of users by balance: from the highest, and from $5 on.
pub(crate) async fn list_the_richest(house: &House, id: UserId) {
    for after in [None, Some(("500".to_owned(), id))] {
        let query = UserQuery {
            order: UserOrder::Balance,
            after,
            limit: 20,
            ..UserQuery::default()
        };
        list(house, query).await.unwrap();
    }
}

/// The administrators' other lists, and the background tasks.
pub(crate) async fn administer(house: &House, id: UserId) {
    let limit = 20;
    // An old period: nothing may be read from the newest entry on.
    let period = Period {
        from: Some(Timestamp::from_micros(0)),
        to: Some(Timestamp::from_micros(1)),
    };
    for games in [vec![], vec![Game::Dice]] {
        for player in [None, Some(id)] {
            for period in [Period::ALWAYS, period] {
                let query = AllRoundsQuery {
                    games: games.clone(),
                    player,
                    period,
                    limit,
                    ..AllRoundsQuery::default()
                };
                list(house, query).await.unwrap();
            }
        }
    }
    for order in [UserOrder::Newest, UserOrder::Username] {
        let query = UserQuery {
            order,
            limit,
            ..UserQuery::default()
        };
        list(house, query).await.unwrap();
    }
    read_user(house, id).await.unwrap();
    read_pages_of_money(house, id).await;
    read_page_of_player(house, id, period).await;
    // A part of no text, and one of few of the texts with which the tables are filled.
    for search in [None, Some("nobody-here"), Some("led1777")] {
        read_lists_by_time(house, period, search).await;
    }
    read_alerts(house, period).await;
    read_pending_work(house).await.unwrap();
    let reviews = ReviewQuery {
        limit,
        ..<_>::default()
    };
    list(house, reviews).await.unwrap();
    read_security_events(house, id, None, 20).await.unwrap();
    purge_sessions(house).await.unwrap();
    purge_security_events(house).await.unwrap();
    // Of the accounts with which the tables are filled, those of a few passes.
    let impatient = house.clone().keeping_closed_accounts_for(Duration::ZERO);
    let mut last = None;
    for _ in 0..3 {
        let pass = pseudonymise_accounts(&impatient, last).await.unwrap();
        last = pass.next;
    }
    read_reports(house).await;
}

/// The page of one player, with the first pages of the timeline.
async fn read_page_of_player(house: &House, id: UserId, old: Period) {
    read_player(house, id).await.unwrap();
    for period in [Period::ALWAYS, old] {
        let mut query = TimelineQuery {
            player: id,
            kinds: TimelineKind::ALL.to_vec(),
            period,
            after: None,
            limit: 20,
        };
        for _ in 0..2 {
            let page = read_timeline(house, query.clone()).await.unwrap();
            query.after = page.next;
        }
    }
}

/// The pages of a player's newest withdrawal, and of the payments of the newest deposits.
async fn read_pages_of_money(house: &House, id: UserId) {
    let newest = read_withdrawals(house, id, None, 1).await.unwrap();
    for paid in newest.entries {
        read_withdrawal(house, paid.withdrawal.id).await.unwrap();
    }
    let deposits = DepositQuery {
        limit: 20,
        ..<_>::default()
    };
    let deposits = list(house, deposits).await.unwrap().entries;
    for payment in deposits.iter().flat_map(|entry| &entry.payments) {
        read_payment(house, payment).await.unwrap();
    }
}

/// The lists that can be searched, with and without the restriction to a period if they have it.
async fn read_lists_by_time(house: &House, period: Period, search: Option<&str>) {
    let (limit, search) = (20, search.map(str::to_owned));
    for period in [Period::ALWAYS, period] {
        let audit = AuditQuery {
            period,
            limit,
            search: search.clone(),
            ..<_>::default()
        };
        list(house, audit).await.unwrap();
        let deposits = DepositQuery {
            period,
            limit,
            search: search.clone(),
            ..<_>::default()
        };
        list(house, deposits).await.unwrap();
        let users = UserQuery {
            period,
            limit,
            search: search.clone(),
            ..<_>::default()
        };
        list(house, users).await.unwrap();
        for order in [WithdrawalOrder::Newest, WithdrawalOrder::Oldest] {
            let withdrawals = WithdrawalQuery {
                period,
                order,
                limit,
                search: search.clone(),
                ..<_>::default()
            };
            list(house, withdrawals).await.unwrap();
        }
    }
    let payments = ActivePaymentQuery {
        limit,
        search,
        ..<_>::default()
    };
    list(house, payments).await.unwrap();
}

/// The list of alerts with each of its filters.
async fn read_alerts(house: &House, old: Period) {
    for period in [Period::ALWAYS, old] {
        for kind in [None, Some(AlertKind::LargeWin)] {
            for is_acknowledged in [None, Some(false)] {
                let alerts = AlertQuery {
                    kind,
                    is_acknowledged,
                    period,
                    limit: 20,
                    ..<_>::default()
                };
                list(house, alerts).await.unwrap();
            }
        }
    }
}

/// The watch of the house, and the delivery of alerts, at once and by the background task.
pub(crate) async fn watch_and_tell(test: &Fixture, house: &House) {
    let smtp = TestSmtpServer::start();
    let url = format!("smtp://{}", smtp.address);
    let mailer = Arc::new(Mailer::over_smtp(&url, "casino@example.com").unwrap());
    let options = AlertOptions {
        mail_to: vec![email("ops@example.com")],
        ..AlertOptions::default()
    };
    for _ in 0..2 {
        // The next look at the house.
        test.clock.advance(Duration::from_secs(31));
        watch_once(house, &options).await.unwrap();
        let trials = try_alerts(house, &options, Arc::clone(&mailer))
            .await
            .unwrap();
        assert_eq!(trials.len(), 1);
        // As if the receiver had not got it. Those with which the table is filled have larger IDs.
        test.sql(
            "UPDATE alert_deliveries SET delivered_at_micros = NULL, next_attempt_at_micros = 0
             WHERE id = (SELECT MAX(id) FROM alert_deliveries WHERE id < 1000000)",
        )
        .unwrap();
        let told = deliver_due_alerts(house, &options, Arc::clone(&mailer)).await;
        assert!(told.unwrap() >= 1);
    }
}
