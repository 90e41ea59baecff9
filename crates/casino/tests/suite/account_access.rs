//! Changing the password, a user's own sessions, and the security events of an account.

use std::time::Duration;

use glasshouse_casino::accounts::{
    PasswordChange, SessionKeyHash, SignIn, change_password, confirm_session, end_other_session,
    end_other_sessions, end_session, find_session, open_proved_session, open_session,
    purge_security_events, read_security_events, read_sessions, sign_in,
};
use glasshouse_casino::administration::set_role;
use glasshouse_casino::{
    AccountRefusal, CasinoError, House, Refusal, RequestOrigin, SecurityEvent,
};
use glasshouse_domain::{NewPassword, Role, SecurityEventKind as Kind, TypedPassword, UserId};
use rstest_reuse::apply;

use crate::support::{Fixture, assert_refused, both_databases};

/// The password of every player of a fixture.
const OLD: &str = "tr4vel-lamp";
const NEW: &str = "quiet-otter-7-canyon";
/// How many failed attempts a day are recorded.
const RECORDED: usize = 50;

fn origin(device: &str) -> RequestOrigin {
    RequestOrigin {
        device: Some(device.to_owned()),
        address: Some("192.0.2.1".to_owned()),
        is_new_device: true,
    }
}

fn attempt(username: &str, password: &str) -> SignIn {
    SignIn {
        username: username.to_owned(),
        password: TypedPassword::new(password.to_owned()),
        origin: origin("Firefox on Linux"),
    }
}

/// Opens a session and returns the hash of its key.
async fn session(house: &House, user: UserId, device: &str) -> SessionKeyHash {
    SessionKeyHash::of(&open_session(house, user, origin(device)).await.unwrap())
}

async fn is_open(house: &House, session: &SessionKeyHash) -> bool {
    let found = find_session(house, session.clone()).await.unwrap();
    found.is_some()
}

async fn change(
    house: &House,
    session: &SessionKeyHash,
    current: &str,
    new: &str,
) -> Result<SessionKeyHash, CasinoError> {
    let change = PasswordChange {
        current: attempt("alice", current),
        new: NewPassword::parse(new.to_owned()).unwrap(),
    };
    let key = change_password(house, session, change).await?;
    Ok(SessionKeyHash::of(&key))
}

async fn all_events(house: &House, user: UserId) -> Vec<SecurityEvent> {
    let page = read_security_events(house, user, None, 1_000).await;
    page.unwrap().entries
}

/// The kinds of a user's events, oldest first.
async fn kinds(house: &House, user: UserId) -> Vec<Kind> {
    let events = all_events(house, user).await.into_iter().rev();
    events.map(|event| event.kind).collect()
}

/// Waits until this many events are recorded: failures are recorded in the background.
async fn wait_for_events(house: &House, user: UserId, count: usize) {
    while all_events(house, user).await.len() < count {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[apply(both_databases)]
async fn a_changed_password_ends_all_other_sessions(#[case] test: &Fixture) {
    let house = &test.house;
    let alice = test.player("alice", 0).await;
    let bob = test.player("bob", 0).await;
    let own = session(house, alice, "Firefox on Linux").await;
    let other = session(house, alice, "Safari on iPhone").await;
    let of_bob = session(house, bob, "Firefox on Linux").await;
    let next = change(house, &own, OLD, NEW).await.unwrap();
    assert!(is_open(house, &next).await);
    for ended in [&own, &other] {
        assert!(!is_open(house, ended).await);
    }
    assert!(
        is_open(house, &of_bob).await,
        "another user's session ended"
    );
    let old = sign_in(house, attempt("alice", OLD), None)
        .await
        .map(|_| ());
    assert_refused(old, &Refusal::InvalidCredentials);
    sign_in(house, attempt("ALICE", NEW), None).await.unwrap();
    sign_in(house, attempt("bob", OLD), None).await.unwrap();
    wait_for_events(house, alice, 4).await;
    let expected = [
        Kind::SignedIn,
        Kind::SignedIn,
        Kind::PasswordChanged,
        Kind::SignInFailed,
    ];
    assert_eq!(kinds(house, alice).await, expected);
    assert_eq!(kinds(house, bob).await, [Kind::SignedIn]);
}

#[apply(both_databases)]
async fn a_refused_change_changes_nothing(#[case] test: &Fixture) {
    let house = &test.house;
    let alice = test.player("alice", 0).await;
    let own = session(house, alice, "Firefox on Linux").await;
    let other = session(house, alice, "Safari on iPhone").await;
    let hash = || test.texts("SELECT password_hash AS value FROM users");
    let before = hash();
    for (current, new, refusal) in [
        ("wrong-password", NEW, Refusal::InvalidCredentials),
        // Whether the new password is acceptable is not revealed to who does not know the old one.
        ("wrong-password", "password", Refusal::InvalidCredentials),
        (OLD, OLD, AccountRefusal::PasswordUnchanged.into()),
        (OLD, "password", AccountRefusal::PasswordTooCommon.into()),
        (OLD, "Al1ce-2026", AccountRefusal::PasswordTooCommon.into()),
    ] {
        assert_refused(change(house, &own, current, new).await, &refusal);
    }
    assert_eq!(hash(), before);
    assert!(is_open(house, &own).await && is_open(house, &other).await);
    // The rules of administrators apply as soon as the role does.
    set_role(house, "alice", Role::Owner).await.unwrap();
    let own = session(house, alice, "Firefox on Linux").await;
    let weak = change(house, &own, OLD, "k7#qPz-w").await;
    assert_refused(weak, &AccountRefusal::AdministratorPassword.into());
    change(house, &own, OLD, NEW).await.unwrap();
}

#[apply(both_databases)]
async fn ten_wrong_passwords_end_the_session(#[case] test: &Fixture) {
    let house = &test.house;
    let alice = test.player("alice", 0).await;
    let own = session(house, alice, "Firefox on Linux").await;
    for _ in 0..10 {
        assert!(is_open(house, &own).await);
        let refused = change(house, &own, "wrong-password", NEW).await;
        assert_refused(refused, &Refusal::InvalidCredentials);
    }
    assert!(!is_open(house, &own).await);
    // A thief of the cookie who finds the password now has come too late.
    let late = change(house, &own, OLD, NEW).await;
    assert_refused(late, &AccountRefusal::SessionEnded.into());
}

#[apply(both_databases)]
async fn of_simultaneous_changes_one_wins(#[case] test: &Fixture) {
    let house = &test.house;
    let second = test.another_house();
    let alice = test.player("alice", 0).await;
    let mut sessions = Vec::new();
    for _ in 0..8 {
        sessions.push(session(house, alice, "Firefox on Linux").await);
    }
    let mut changes = tokio::task::JoinSet::new();
    for (number, own) in sessions.into_iter().enumerate() {
        let house = if number % 2 == 0 { house } else { &second }.clone();
        changes.spawn(async move {
            let new = format!("{NEW}-{number}");
            let next = change(&house, &own, OLD, &new).await;
            (new, next)
        });
    }
    let mut winners = Vec::new();
    for (new, outcome) in changes.join_all().await {
        match outcome {
            Ok(next) => winners.push((new, next)),
            refused => assert_refused(refused, &Refusal::InvalidCredentials),
        }
    }
    let [(password, next)] = winners.as_slice() else {
        panic!("{} changes succeeded", winners.len());
    };
    assert!(is_open(house, next).await);
    assert_eq!(read_sessions(house, alice).await.unwrap().len(), 1);
    sign_in(house, attempt("alice", password), None)
        .await
        .unwrap();
}

/// Somebody with the old password who signs in while it is changed gets no session.
#[apply(both_databases)]
async fn a_changed_password_opens_no_session(#[case] test: &Fixture) {
    let house = &test.house;
    let alice = test.player("alice", 0).await;
    let own = session(house, alice, "Firefox on Linux").await;
    let before = sign_in(house, attempt("alice", OLD), None).await.unwrap();
    let next = change(house, &own, OLD, NEW).await.unwrap();
    let late = open_proved_session(house, before.proof, origin("Edge on Windows")).await;
    assert_refused(late, &Refusal::InvalidCredentials);
    assert_eq!(read_sessions(house, alice).await.unwrap().len(), 1);
    assert!(is_open(house, &next).await);
    let after = sign_in(house, attempt("alice", NEW), None).await.unwrap();
    open_proved_session(house, after.proof, origin("Edge on Windows"))
        .await
        .unwrap();
    assert_eq!(read_sessions(house, alice).await.unwrap().len(), 2);
}

#[apply(both_databases)]
async fn users_see_and_end_their_own_sessions(#[case] test: &Fixture) {
    let house = &test.house;
    let alice = test.player("alice", 0).await;
    let bob = test.player("bob", 0).await;
    let idle = session(house, alice, "Chrome on Android").await;
    test.clock.advance(Duration::from_mins(29));
    let of_bob = session(house, bob, "Edge on Windows").await;
    let other = session(house, alice, "Safari on iPhone").await;
    test.clock.advance(Duration::from_secs(30));
    let own = session(house, alice, "Firefox on Linux").await;
    let devices = async || -> Vec<String> {
        let sessions = read_sessions(house, alice).await.unwrap().into_iter();
        sessions.filter_map(|session| session.device).collect()
    };
    let all = ["Firefox on Linux", "Safari on iPhone", "Chrome on Android"];
    assert_eq!(devices().await, all);
    test.clock.advance(Duration::from_secs(30));
    assert!(!is_open(house, &idle).await);
    assert_eq!(devices().await, all[..2], "an idle session is listed");
    let end = async |id: &str| {
        end_other_session(house, alice, &own, id, origin("Firefox on Linux")).await
    };
    let current = AccountRefusal::CurrentSession.into();
    assert_refused(end(own.session_id()).await, &current);
    for unknown in [of_bob.session_id(), idle.session_id(), other.as_str(), ""] {
        assert_refused(end(unknown).await, &Refusal::NotFound);
    }
    assert!(is_open(house, &of_bob).await);
    end(other.session_id()).await.unwrap();
    assert!(!is_open(house, &other).await);
    assert_refused(end(other.session_id()).await, &Refusal::NotFound);
    assert_eq!(devices().await, all[..1]);
}

#[apply(both_databases)]
async fn all_other_sessions_end_at_once(#[case] test: &Fixture) {
    let house = &test.house;
    let alice = test.player("alice", 0).await;
    let bob = test.player("bob", 0).await;
    let own = session(house, alice, "Firefox on Linux").await;
    let of_bob = session(house, bob, "Edge on Windows").await;
    let end = async || {
        end_other_sessions(house, alice, &own, origin("Firefox on Linux"))
            .await
            .unwrap()
    };
    assert_eq!(end().await, 0);
    assert_eq!(kinds(house, alice).await, [Kind::SignedIn], "nothing ended");
    for _ in 0..3 {
        session(house, alice, "Safari on iPhone").await;
    }
    assert_eq!(end().await, 3);
    assert!(is_open(house, &own).await && is_open(house, &of_bob).await);
    assert_eq!(
        kinds(house, alice).await.last(),
        Some(&Kind::OtherSessionsEnded)
    );
}

/// Its owner may have ended it because somebody else uses it.
#[apply(both_databases)]
async fn an_ended_session_ends_no_others(#[case] test: &Fixture) {
    let house = &test.house;
    let alice = test.player("alice", 0).await;
    let own = session(house, alice, "Firefox on Linux").await;
    let stolen = session(house, alice, "Edge on Windows").await;
    end_other_session(house, alice, &own, stolen.session_id(), origin("any"))
        .await
        .unwrap();
    let before = kinds(house, alice).await;
    let ended = Refusal::Account(AccountRefusal::SessionEnded);
    let all = end_other_sessions(house, alice, &stolen, origin("any")).await;
    assert_refused(all, &ended);
    for id in [own.session_id(), "unknown"] {
        let one = end_other_session(house, alice, &stolen, id, origin("any")).await;
        assert_refused(one, &ended);
    }
    assert!(is_open(house, &own).await);
    assert_eq!(kinds(house, alice).await, before);
}

#[apply(both_databases)]
async fn events_say_what_happened_and_where(#[case] test: &Fixture) {
    let house = &test.house;
    let alice = test.player("alice", 0).await;
    let own = session(house, alice, "Safari on iPhone").await;
    let wrong = confirm_session(house, own.clone(), attempt("alice", "wrong")).await;
    assert_refused(wrong, &Refusal::InvalidCredentials);
    wait_for_events(house, alice, 2).await;
    confirm_session(house, own.clone(), attempt("alice", OLD))
        .await
        .unwrap();
    test.clock.advance(Duration::from_mins(1));
    end_session(house, alice, own, Some(RequestOrigin::default()))
        .await
        .unwrap();
    let first = read_security_events(house, alice, None, 3).await.unwrap();
    let rest = read_security_events(house, alice, first.next, 3)
        .await
        .unwrap();
    assert!(rest.next.is_none());
    let events: Vec<_> = first.entries.into_iter().chain(rest.entries).collect();
    let kinds: Vec<_> = events.iter().map(|event| event.kind).collect();
    let expected = [
        Kind::SignedOut,
        Kind::Confirmed,
        Kind::ConfirmationFailed,
        Kind::SignedIn,
    ];
    assert_eq!(kinds, expected);
    assert_eq!(events[0].origin, RequestOrigin::default());
    assert_eq!(events[0].at, house.now());
    assert_eq!(events[2].origin, origin("Firefox on Linux"));
    assert_eq!(events[3].origin, origin("Safari on iPhone"));
    assert_eq!(
        events[0].at.saturating_since(events[3].at),
        Duration::from_mins(1)
    );
}

#[apply(both_databases)]
async fn failed_attempts_are_recorded_up_to_a_limit_a_day(#[case] test: &Fixture) {
    let house = &test.house;
    let alice = test.player("alice", 0).await;
    let fail = async || {
        let refused = sign_in(house, attempt("alice", "wrong"), None)
            .await
            .map(|_| ());
        assert_refused(refused, &Refusal::InvalidCredentials);
    };
    for number in 1..=RECORDED {
        fail().await;
        wait_for_events(house, alice, number).await;
    }
    for _ in 0..5 {
        fail().await;
    }
    // What is recorded in the background is done before what comes later from the same queue.
    test.clock.advance(Duration::from_hours(24));
    fail().await;
    wait_for_events(house, alice, RECORDED + 1).await;
    let events = all_events(house, alice).await;
    let today = events
        .iter()
        .filter(|event| event.at == house.now())
        .count();
    assert_eq!((events.len(), today), (RECORDED + 1, 1));
    let unknown = sign_in(house, attempt("nobody", "wrong"), None)
        .await
        .map(|_| ());
    assert_refused(unknown, &Refusal::InvalidCredentials);
}

#[apply(both_databases)]
async fn events_are_kept_for_a_year(#[case] test: &Fixture) {
    let house = &test.house;
    let alice = test.player("alice", 0).await;
    session(house, alice, "Firefox on Linux").await;
    test.clock.advance(Duration::from_hours(1));
    session(house, alice, "Safari on iPhone").await;
    test.clock.advance(Duration::from_hours(24 * 365 - 1));
    assert_eq!(purge_security_events(house).await.unwrap(), 0);
    test.clock.advance(Duration::from_micros(1));
    assert_eq!(purge_security_events(house).await.unwrap(), 1);
    let events = all_events(house, alice).await;
    assert_eq!(events.len(), 1);
    assert_eq!(events[0].origin.device.as_deref(), Some("Safari on iPhone"));
}
