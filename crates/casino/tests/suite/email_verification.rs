//! An address becomes a user's with the link that was sent to it, and no answer tells whether it is
//! another's.

use std::net::IpAddr;
use std::time::Duration;

use glasshouse_casino::accounts::{
    Client, PasswordChange, SessionKeyHash, SignIn, change_password, open_session, purge_attempts,
    read_security_events,
};
use glasshouse_casino::email::{
    EmailSettings, admit_link, admit_verification, purge_email, read_email, register_with_email,
    remove_email, request_email,
};
use glasshouse_casino::{CasinoError, EmailRefusal, Refusal, RequestOrigin};
use glasshouse_domain::{NewPassword, SecurityEventKind, TypedPassword, UserId};
use rstest_reuse::apply;

use crate::support::cashier_fixture::at_once;
use crate::support::email::{NOT_ADDED, UNUSABLE, email, follow, link, player_with_email};
use crate::support::mailbox::Mailbox;
use crate::support::{Fixture, assert_refused, both_databases, registration};

const ALICE: &str = "alice@example.com";
const BOB: &str = "bob@example.com";
const DAY: Duration = Duration::from_hours(24);
const MICROSECOND: Duration = Duration::from_micros(1);

async fn settings(test: &Fixture, user: UserId) -> EmailSettings {
    read_email(&test.house, user).await.unwrap()
}

async fn address(test: &Fixture, user: UserId) -> Option<String> {
    let address = settings(test, user).await.address;
    address.map(|address| address.as_str().to_owned())
}

async fn remove(test: &Fixture, user: UserId) -> Result<(), CasinoError> {
    remove_email(&test.house, user, RequestOrigin::default()).await
}

#[apply(both_databases)]
async fn an_address_is_verified_by_its_link_once(#[case] test: &Fixture) {
    let mailbox = Mailbox::new();
    let alice = test.player("alice", 0).await;
    let token = link(test, &mailbox, alice, ALICE).await;
    let before = settings(test, alice).await;
    assert_eq!((before.address, before.pending), (None, Some(email(ALICE))));
    follow(test, &token).await.unwrap();
    let after = settings(test, alice).await;
    assert_eq!((after.address, after.pending), (Some(email(ALICE)), None));
    assert_refused(follow(test, &token).await, &UNUSABLE);
    for invalid in [
        "",
        "abc",
        &"0".repeat(64),
        &token[1..],
        &token.to_uppercase(),
    ] {
        assert_refused(follow(test, invalid).await, &UNUSABLE);
    }
    let events = read_security_events(&test.house, alice, None, 10)
        .await
        .unwrap();
    assert_eq!(events.entries[0].kind, SecurityEventKind::EmailChanged);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn a_link_expires_is_replaced_and_is_void_after_a_change_of_the_password(
    #[case] test: &Fixture,
) {
    let mailbox = Mailbox::new();
    let alice = test.player("alice", 0).await;
    let first = link(test, &mailbox, alice, ALICE).await;
    let second = link(test, &mailbox, alice, BOB).await;
    assert_refused(follow(test, &first).await, &UNUSABLE);
    test.clock.advance(DAY);
    assert_refused(follow(test, &second).await, &UNUSABLE);
    assert_eq!(settings(test, alice).await.pending, None);
    let third = link(test, &mailbox, alice, ALICE).await;
    test.clock.advance(DAY.saturating_sub(MICROSECOND));
    assert_eq!(purge_email(&test.house).await.unwrap(), 0);
    follow(test, &third).await.unwrap();
    let fourth = link(test, &mailbox, alice, BOB).await;
    test.clock.advance(MICROSECOND);
    let key = open_session(&test.house, alice, RequestOrigin::default()).await;
    let change = PasswordChange {
        current: SignIn {
            username: "alice".to_owned(),
            password: TypedPassword::new("tr4vel-lamp".to_owned()),
            origin: RequestOrigin::default(),
        },
        new: NewPassword::parse("quiet-otter-7-canyon".to_owned()).unwrap(),
    };
    let session = SessionKeyHash::of(&key.unwrap());
    change_password(&test.house, &session, change)
        .await
        .unwrap();
    assert_refused(follow(test, &fourth).await, &UNUSABLE);
    assert_eq!(address(test, alice).await.unwrap(), ALICE);
    test.clock.advance(DAY);
    test.clock.advance(MICROSECOND);
    assert_eq!(purge_email(&test.house).await.unwrap(), 1);
}

#[apply(both_databases)]
async fn the_old_address_is_told_of_a_change_and_of_the_removal(#[case] test: &Fixture) {
    let mailbox = Mailbox::new();
    let alice = player_with_email(test, &mailbox, ("alice", ALICE)).await;
    let token = link(test, &mailbox, alice, BOB).await;
    assert_eq!(address(test, alice).await.unwrap(), ALICE);
    follow(test, &token).await.unwrap();
    let told = mailbox.receive_one(&test.house).await;
    let expected = (ALICE, "Your e-mail address was changed");
    assert_eq!((&*told.to, &*told.subject), expected);
    // The other address is free again.
    let carol = player_with_email(test, &mailbox, ("carol", ALICE)).await;
    remove(test, alice).await.unwrap();
    let told = mailbox.receive_one(&test.house).await;
    assert_eq!(
        (&*told.to, &*told.subject),
        (BOB, "Your e-mail address was removed")
    );
    assert_eq!(address(test, alice).await, None);
    assert_eq!(address(test, carol).await.unwrap(), ALICE);
    assert_refused(remove(test, alice).await, &EmailRefusal::NoAddress.into());
    let token = link(test, &mailbox, alice, BOB).await;
    remove(test, alice).await.unwrap();
    assert_refused(follow(test, &token).await, &UNUSABLE);
}

/// Everything that a stranger can see is the same; the mail to the address explains.
#[apply(both_databases)]
async fn a_taken_address_is_refused_only_to_who_reads_its_mails(#[case] test: &Fixture) {
    let mailbox = Mailbox::new();
    let alice = player_with_email(test, &mailbox, ("alice", ALICE)).await;
    let bob = test.player("bob", 0).await;
    request_email(&test.house, bob, email("Alice+2@Example.com"))
        .await
        .unwrap();
    request_email(&test.house, alice, email("unknown@example.com"))
        .await
        .unwrap();
    let mails = mailbox.receive(&test.house).await;
    assert_eq!(mails[0].subject, mails[1].subject);
    assert_refused(follow(test, &mails[0].token()).await, &NOT_ADDED);
    let told = mailbox.receive_one(&test.house).await;
    assert_eq!(told.to, "Alice+2@Example.com");
    assert_eq!(told.subject, "This e-mail address could not be added");
    assert_refused(follow(test, &mails[0].token()).await, &UNUSABLE);
    assert_eq!(address(test, bob).await, None);
    assert_eq!(address(test, alice).await.unwrap(), ALICE);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn two_accounts_cannot_verify_one_address_at_once(#[case] test: &Fixture) {
    let mailbox = Mailbox::new();
    let mut tokens = Vec::new();
    for number in 0..8 {
        let player = test.player(&format!("player{number}"), 0).await;
        tokens.push(link(test, &mailbox, player, ALICE).await);
    }
    let houses = [test.house.clone(), test.another_house()];
    let outcomes = at_once(16, |number| {
        let (house, token) = (houses[number % 2].clone(), tokens[number / 2].clone());
        async move {
            glasshouse_casino::email::verify_email(&house, &token, RequestOrigin::default()).await
        }
    })
    .await;
    let verified = outcomes.iter().filter(|outcome| outcome.is_ok()).count();
    assert_eq!(verified, 1);
    let refused = |expected: &Refusal| {
        let is_expected = |outcome: &&Result<(), CasinoError>| matches!(outcome, Err(CasinoError::Refused(refusal)) if refusal == expected);
        outcomes.iter().filter(is_expected).count()
    };
    assert_eq!((refused(&NOT_ADDED), refused(&UNUSABLE)), (7, 8));
    let in_use = "SELECT COUNT(*) || '' AS value FROM email_addresses";
    assert_eq!(test.texts(in_use), ["1"]);
}

#[apply(both_databases)]
async fn an_address_can_be_given_at_the_registration(#[case] test: &Fixture) {
    let mailbox = Mailbox::new();
    player_with_email(test, &mailbox, ("alice", ALICE)).await;
    let register = async |name: &str, address: Option<&str>| {
        register_with_email(&test.house, registration(name), address.map(email)).await
    };
    let bob = register("bob", Some(BOB)).await.unwrap().user.id;
    let mail = mailbox.receive_one(&test.house).await;
    assert_eq!(mail.to, BOB);
    follow(test, &mail.token()).await.unwrap();
    assert_eq!(address(test, bob).await.unwrap(), BOB);
    // A taken one makes no difference.
    register("carol", Some(ALICE)).await.unwrap();
    assert_eq!(mailbox.receive_one(&test.house).await.subject, mail.subject);
    register("dave", None).await.unwrap();
    let taken = register("bob", Some("new@example.com")).await;
    assert!(matches!(taken, Err(CasinoError::Refused(_))));
    assert!(mailbox.receive(&test.house).await.is_empty());
}

fn client(network: &str) -> Client {
    let network: IpAddr = network.parse().unwrap();
    Client {
        network,
        wide_network: None,
        device: None,
    }
}

fn is_limited(outcome: &Result<(), CasinoError>) -> bool {
    matches!(
        outcome,
        Err(CasinoError::Refused(Refusal::TooManyAttempts(_)))
    )
}

#[apply(both_databases)]
async fn mails_are_limited_per_account_address_and_network(#[case] test: &Fixture) {
    let other = test.another_house();
    let alice = test.player("alice", 0).await;
    let admit = async |user: Option<UserId>, address: &str, network: &str| {
        admit_verification(&other, user, &email(address), client(network)).await
    };
    for number in 0..5 {
        let address = format!("a{number}@example.com");
        admit(Some(alice), &address, &format!("192.0.2.{number}"))
            .await
            .unwrap();
    }
    assert!(is_limited(
        &admit(Some(alice), "b@example.com", "192.0.2.9").await
    ));
    for number in 0..3 {
        let network = format!("198.51.100.{number}");
        admit(None, &format!("victim+{number}@example.com"), &network)
            .await
            .unwrap();
    }
    assert!(is_limited(
        &admit(None, "victim@example.com", "198.51.100.9").await
    ));
    for number in 0..10 {
        admit(None, &format!("c{number}@example.com"), "203.0.113.1")
            .await
            .unwrap();
    }
    assert!(is_limited(
        &admit(None, "d@example.com", "203.0.113.1").await
    ));
    for _ in 0..20 {
        admit_link(&other, client("203.0.113.2")).await.unwrap();
    }
    assert!(is_limited(&admit_link(&other, client("203.0.113.2")).await));
    admit_link(&other, client("203.0.113.3")).await.unwrap();
    let addresses = "SELECT subject AS value FROM attempt_counters WHERE subject LIKE '%@%'";
    assert!(test.texts(addresses).is_empty());
    test.clock.advance(Duration::from_hours(2));
    admit(Some(alice), "victim@example.com", "203.0.113.1")
        .await
        .unwrap();
    assert!(purge_attempts(&test.house).await.unwrap() > 0);
}
