//! The e-mail address and the links of an account that is closed.

use std::time::Duration;

use glasshouse_casino::accounts::{SignIn, sign_in};
use glasshouse_casino::email::{purge_email, read_email, request_email, request_recovery};
use glasshouse_casino::limits::read_limits;
use glasshouse_casino::privacy::reopen_account;
use glasshouse_casino::{AccountRefusal, CasinoError, LimitRefusal, Refusal, RequestOrigin};
use glasshouse_domain::{ExclusionDuration, TypedPassword};
use rstest_reuse::apply;

use crate::closures::close;
use crate::email_recovery::{NEW, recover, requested};
use crate::support::cashier_fixture::at_once;
use crate::support::email::{NOT_ADDED, UNUSABLE, email, follow, link, player_with_email};
use crate::support::limits::{exclude_for, stake};
use crate::support::mailbox::Mailbox;
use crate::support::{Fixture, assert_refused, both_databases};

const ADDRESS: &str = "alice@example.com";
const OTHER: &str = "other@example.com";
const YEAR: Duration = Duration::from_hours(24 * 365);

#[apply(both_databases)]
async fn the_address_is_told_and_removed_and_no_link_works(#[case] test: &Fixture) {
    let mailbox = Mailbox::new();
    let house = &test.house;
    let alice = player_with_email(test, &mailbox, ("alice", ADDRESS)).await;
    player_with_email(test, &mailbox, ("bob", OTHER)).await;
    let recovery = requested(test, &mailbox, ADDRESS).await.token();
    let verification = link(test, &mailbox, alice, "new@example.com").await;
    close(house, alice, None).await.unwrap();
    let mail = mailbox.receive_one(house).await;
    assert_eq!(
        (&*mail.to, &*mail.subject),
        (ADDRESS, "Your account was closed")
    );
    assert!(!mail.text.contains("/forgot-password"), "{}", mail.text);
    assert_refused(recover(house, &recovery, NEW).await, &UNUSABLE);
    assert_refused(follow(test, &verification).await, &UNUSABLE);
    // Requests are answered as for an unknown address. A known one afterwards is the only one with a mail.
    request_recovery(house, email(ADDRESS), None).await.unwrap();
    assert_eq!(requested(test, &mailbox, OTHER).await.to, OTHER);
    assert!(mailbox.receive(house).await.is_empty());
    test.assert_clean().await;

    // The address is free for another account, and the closed one does not get it back.
    let again = test.player("again", 0).await;
    let token = link(test, &mailbox, again, ADDRESS).await;
    follow(test, &token).await.unwrap();
    reopen_account(house, "alice").await.unwrap();
    assert_eq!(read_email(house, alice).await.unwrap().address, None);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn mails_with_links_that_wait_are_not_sent(#[case] test: &Fixture) {
    let mailbox = Mailbox::new();
    let house = &test.house;
    let alice = player_with_email(test, &mailbox, ("alice", ADDRESS)).await;
    request_email(house, alice, email("new@example.com"))
        .await
        .unwrap();
    close(house, alice, None).await.unwrap();
    assert_eq!(mailbox.subjects(house).await, ["Your account was closed"]);
    let waiting = "SELECT content AS value FROM mails WHERE content IS NOT NULL";
    assert!(test.texts(waiting).is_empty());
}

/// Links that were requested while the account was being closed are as worthless as those before.
#[apply(both_databases)]
async fn a_link_that_is_followed_at_the_same_time_opens_nothing(#[case] test: &Fixture) {
    let mailbox = Mailbox::new();
    let alice = player_with_email(test, &mailbox, ("alice", ADDRESS)).await;
    let token = requested(test, &mailbox, ADDRESS).await.token();
    let houses = [test.house.clone(), test.another_house()];
    let outcomes = at_once(6, |number| {
        let (house, token) = (houses[number % 2].clone(), token.clone());
        async move {
            match number {
                0 => close(&house, alice, None).await,
                1..4 => recover(&house, &token, NEW).await,
                _ => request_recovery(&house, email(ADDRESS), None).await,
            }
        }
    })
    .await;
    let mut outcomes = outcomes.into_iter();
    outcomes.next().unwrap().unwrap();
    for outcome in outcomes.filter(Result::is_err) {
        assert_refused(outcome, &UNUSABLE);
    }
    assert_refused(recover(&test.house, &token, NEW).await, &UNUSABLE);
    let mut closed = 0;
    for password in [NEW, "tr4vel-lamp"] {
        let attempt = SignIn {
            username: "alice".to_owned(),
            password: TypedPassword::new(password.to_owned()),
            origin: RequestOrigin::default(),
        };
        let outcome = sign_in(&test.house, attempt, None).await;
        assert!(outcome.is_err());
        let is_closed = matches!(
            outcome,
            Err(CasinoError::Refused(Refusal::Account(
                AccountRefusal::Closed
            )))
        );
        closed += i32::from(is_closed);
    }
    assert_eq!(closed, 1, "one of the passwords is right");
    test.assert_clean().await;
}

/// Who excludes themselves, closes the account and registers again, is still excluded.
#[apply(both_databases)]
async fn an_exclusion_stays_bound_to_the_address(#[case] test: &Fixture) {
    let mailbox = Mailbox::new();
    let house = &test.house;
    let alice = player_with_email(test, &mailbox, ("alice", ADDRESS)).await;
    let exclusion = exclude_for(test, alice, ExclusionDuration::FiveYears).await;
    close(house, alice, None).await.unwrap();
    mailbox.receive(house).await;
    test.clock.advance(YEAR + YEAR);
    purge_email(house).await.unwrap();
    let again = test.player("again", 10_000).await;
    let token = link(test, &mailbox, again, "Alice+2@example.com").await;
    assert_refused(follow(test, &token).await, &NOT_ADDED);
    let limits = read_limits(house, again).await.unwrap();
    assert_eq!(limits.exclusion.unwrap().until, exclusion.until);
    let refused = stake(house, again, 100).await;
    assert_refused(refused, &LimitRefusal::Excluded(exclusion.until).into());
    test.assert_clean().await;
}
