//! A forgotten password: the link from the mail works once, for half an hour, and only the newest.

use std::net::IpAddr;
use std::time::Duration;

use glasshouse_casino::accounts::{
    Client, SessionKeyHash, SignIn, find_session, open_session, read_security_events, sign_in,
};
use glasshouse_casino::administration::reset_password;
use glasshouse_casino::email::{purge_email, recover_password, remove_email, request_recovery};
use glasshouse_casino::{AccountRefusal, CasinoError, House, Refusal, RequestOrigin};
use glasshouse_domain::{NewPassword, SecurityEventKind, TypedPassword};
use rstest_reuse::apply;

use crate::support::administration::administrator;
use crate::support::cashier_fixture::at_once;
use crate::support::email::{UNUSABLE, email, follow, link, player_with_email};
use crate::support::mailbox::{Mailbox, Received};
use crate::support::{Fixture, assert_refused, both_databases, stored_texts};

const ADDRESS: &str = "alice@example.com";
pub(crate) const NEW: &str = "quiet-otter-7-canyon";
const VALIDITY: Duration = Duration::from_mins(30);
const MICROSECOND: Duration = Duration::from_micros(1);

pub(crate) async fn recover(house: &House, token: &str, password: &str) -> Result<(), CasinoError> {
    let password = NewPassword::parse(password.to_owned()).unwrap();
    recover_password(house, token, password, RequestOrigin::default()).await
}

/// Whether somebody can sign in with this password.
async fn opens(test: &Fixture, password: &str) -> bool {
    let attempt = SignIn {
        username: "alice".to_owned(),
        password: TypedPassword::new(password.to_owned()),
        origin: RequestOrigin::default(),
    };
    sign_in(&test.house, attempt, None).await.is_ok()
}

/// Requests a link for an address of an account, and waits until its mail has arrived.
pub(crate) async fn requested(test: &Fixture, mailbox: &Mailbox, address: &str) -> Received {
    request_recovery(&test.house, email(address), None)
        .await
        .unwrap();
    arrived(test, mailbox).await
}

async fn arrived(test: &Fixture, mailbox: &Mailbox) -> Received {
    loop {
        let mut mails = mailbox.receive(&test.house).await;
        assert!(mails.len() <= 1, "{mails:#?}");
        if let Some(mail) = mails.pop() {
            return mail;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[apply(both_databases)]
async fn a_forgotten_password_is_replaced_with_a_link(#[case] test: &Fixture) {
    let mailbox = Mailbox::new();
    let alice = player_with_email(test, &mailbox, ("alice", ADDRESS)).await;
    let key = open_session(&test.house, alice, RequestOrigin::default()).await;
    let session = SessionKeyHash::of(&key.unwrap());
    let mail = requested(test, &mailbox, "ALICE+x@example.com").await;
    assert_eq!(mail.to, ADDRESS, "not the spelling that was entered");
    let token = mail.token();
    assert!(
        !test
            .texts("SELECT token_hash AS value FROM password_recoveries")
            .contains(&token)
    );
    if test.is_postgres() {
        assert!(!stored_texts(test).contains(&token));
    }
    let weak = recover(&test.house, &token, "password").await;
    assert_refused(weak, &AccountRefusal::PasswordTooCommon.into());
    recover(&test.house, &token, NEW).await.unwrap();
    assert!(opens(test, NEW).await && !opens(test, "tr4vel-lamp").await);
    assert!(find_session(&test.house, session).await.unwrap().is_none());
    assert_refused(
        recover(&test.house, &token, "another-otter-8").await,
        &UNUSABLE,
    );
    assert!(opens(test, NEW).await);
    let events = read_security_events(&test.house, alice, None, 100)
        .await
        .unwrap();
    let recovered = events
        .entries
        .iter()
        .filter(|event| event.kind == SecurityEventKind::PasswordRecovered);
    assert_eq!(recovered.count(), 1);
    assert_eq!(
        mailbox.subjects(&test.house).await,
        ["A new password was chosen"]
    );
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn only_the_newest_link_works_and_for_half_an_hour(#[case] test: &Fixture) {
    let mailbox = Mailbox::new();
    player_with_email(test, &mailbox, ("alice", ADDRESS)).await;
    let first = requested(test, &mailbox, ADDRESS).await.token();
    let second = requested(test, &mailbox, ADDRESS).await.token();
    assert_refused(recover(&test.house, &first, NEW).await, &UNUSABLE);
    test.clock.advance(VALIDITY);
    assert_refused(recover(&test.house, &second, NEW).await, &UNUSABLE);
    test.clock.advance(MICROSECOND);
    assert_eq!(purge_email(&test.house).await.unwrap(), 1);
    let third = requested(test, &mailbox, ADDRESS).await.token();
    test.clock.advance(VALIDITY.saturating_sub(MICROSECOND));
    recover(&test.house, &third, NEW).await.unwrap();
    for invalid in ["", "abc", &"0".repeat(64), &third] {
        assert_refused(recover(&test.house, invalid, NEW).await, &UNUSABLE);
    }
}

#[apply(both_databases)]
async fn a_link_is_void_once_the_password_or_the_address_has_changed(#[case] test: &Fixture) {
    let mailbox = Mailbox::new();
    let alice = player_with_email(test, &mailbox, ("alice", ADDRESS)).await;
    let before = requested(test, &mailbox, ADDRESS).await.token();
    test.clock.advance(MICROSECOND);
    let one_time = reset_password(&test.house, "alice").await.unwrap();
    mailbox.receive(&test.house).await;
    assert_refused(recover(&test.house, &before, NEW).await, &UNUSABLE);
    assert!(opens(test, &one_time).await);
    test.clock.advance(MICROSECOND);
    let before = requested(test, &mailbox, ADDRESS).await.token();
    let token = link(test, &mailbox, alice, "new@example.com").await;
    follow(test, &token).await.unwrap();
    mailbox.receive(&test.house).await;
    assert_refused(recover(&test.house, &before, NEW).await, &UNUSABLE);
    let before = requested(test, &mailbox, "new@example.com").await.token();
    remove_email(&test.house, alice, RequestOrigin::default())
        .await
        .unwrap();
    assert_refused(recover(&test.house, &before, NEW).await, &UNUSABLE);
    assert!(!opens(test, NEW).await);
}

#[apply(both_databases)]
async fn a_link_works_once_also_in_a_race(#[case] test: &Fixture) {
    let mailbox = Mailbox::new();
    player_with_email(test, &mailbox, ("alice", ADDRESS)).await;
    let token = requested(test, &mailbox, ADDRESS).await.token();
    let houses = [test.house.clone(), test.another_house()];
    let outcomes = at_once(12, |number| {
        let (house, token) = (houses[number % 2].clone(), token.clone());
        async move { recover(&house, &token, &format!("quiet-otter-{number}-canyon")).await }
    })
    .await;
    let winners: Vec<usize> = (0..12).filter(|number| outcomes[*number].is_ok()).collect();
    assert_eq!(winners.len(), 1);
    assert!(opens(test, &format!("quiet-otter-{}-canyon", winners[0])).await);
    for outcome in outcomes.into_iter().filter(Result::is_err) {
        assert_refused(outcome, &UNUSABLE);
    }
}

/// The request says nothing about the address, and neither does what is counted.
#[apply(both_databases)]
async fn unknown_addresses_are_answered_alike(#[case] test: &Fixture) {
    let mailbox = Mailbox::new();
    player_with_email(test, &mailbox, ("alice", ADDRESS)).await;
    let pending = test.player("bob", 0).await;
    link(test, &mailbox, pending, "bob@example.com").await;
    for address in ["nobody@example.com", "bob@example.com"] {
        request_recovery(&test.house, email(address), None)
            .await
            .unwrap();
    }
    // A known one afterwards is the only one with a mail.
    assert_eq!(requested(test, &mailbox, ADDRESS).await.to, ADDRESS);
    assert!(mailbox.receive(&test.house).await.is_empty());
}

/// Strangers cannot fill somebody's mailbox, nor keep the owner from a link.
#[apply(both_databases)]
async fn mails_are_limited_per_address_without_a_sign(#[case] test: &Fixture) {
    let mailbox = Mailbox::new();
    player_with_email(test, &mailbox, ("alice", ADDRESS)).await;
    let request = async |address: &str, number: u8| {
        let network: IpAddr = [192, 0, 2, number].into();
        let client = Client {
            network,
            wide_network: None,
            device: None,
        };
        request_recovery(&test.house, email(address), Some(client)).await
    };
    let mut newest = String::new();
    for number in 0..3 {
        request(ADDRESS, number).await.unwrap();
        newest = arrived(test, &mailbox).await.token();
    }
    for number in 3..9 {
        request(ADDRESS, number).await.unwrap();
        request("nobody@example.com", number).await.unwrap();
    }
    // What was requested before has been judged once this mail has arrived.
    let count = "SELECT count || '' AS value FROM attempt_counters WHERE subject LIKE 'recovery %'
        AND LENGTH(subject) > 60 ORDER BY count";
    while test.texts(count) != ["3", "3"] {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert!(mailbox.receive(&test.house).await.is_empty());
    for number in 0..10 {
        request(&format!("n{number}@example.com"), 200)
            .await
            .unwrap();
    }
    let limited = request("n@example.com", 200).await;
    assert!(matches!(
        limited,
        Err(CasinoError::Refused(Refusal::TooManyAttempts(_)))
    ));
    recover(&test.house, &newest, NEW).await.unwrap();
}

#[apply(both_databases)]
async fn administrators_do_not_recover_by_mail(#[case] test: &Fixture) {
    let mailbox = Mailbox::new();
    let boss = administrator(test, "boss").await;
    let token = link(test, &mailbox, boss, ADDRESS).await;
    follow(test, &token).await.unwrap();
    let mail = requested(test, &mailbox, ADDRESS).await;
    assert_eq!(mail.subject, "Your password was not changed");
    assert!(!mail.text.contains('#'));
    assert!(
        test.texts("SELECT token_hash AS value FROM password_recoveries")
            .is_empty()
    );
}
