//! One-time passwords: issued by the operator, valid for three days, and replaced by their user.

use std::time::Duration;

use glasshouse_casino::accounts::{
    PasswordChange, SessionKeyHash, SignIn, change_password, find_session, open_proved_session,
    open_session, read_security_events, sign_in,
};
use glasshouse_casino::administration::{
    InitialPassword, awaits_first_use, create_administrator, reset_password,
};
use glasshouse_casino::{AccountRefusal, CasinoError, Refusal, RequestOrigin, random_password};
use glasshouse_domain::{NewPassword, Role, SecurityEventKind as Kind, TypedPassword};
use rstest_reuse::apply;

use crate::support::administration::audit_actions;
use crate::support::{Fixture, assert_refused, both_databases};

const OLD: &str = "tr4vel-lamp";
const NEW: &str = "quiet-otter-7-canyon";
const VALIDITY: Duration = Duration::from_hours(72);
const MICROSECOND: Duration = Duration::from_micros(1);

fn attempt(username: &str, password: &str) -> SignIn {
    SignIn {
        username: username.to_owned(),
        password: TypedPassword::new(password.to_owned()),
        origin: RequestOrigin::default(),
    }
}

/// Signs in and returns the session's key hash, and whether the password must be changed.
async fn signed_in(
    test: &Fixture,
    username: &str,
    password: &str,
) -> Result<(SessionKeyHash, bool), CasinoError> {
    let house = &test.house;
    let found = sign_in(house, attempt(username, password), None).await?;
    let key = open_proved_session(house, found.proof, RequestOrigin::default()).await?;
    let hash = SessionKeyHash::of(&key);
    let session = find_session(house, hash.clone()).await?.unwrap();
    Ok((hash, session.user.one_time_password_until.is_some()))
}

async fn change(
    test: &Fixture,
    session: &SessionKeyHash,
    username: &str,
    (current, new): (&str, &str),
) -> Result<SessionKeyHash, CasinoError> {
    let change = PasswordChange {
        current: attempt(username, current),
        new: NewPassword::parse(new.to_owned()).unwrap(),
    };
    let key = change_password(&test.house, session, change).await?;
    Ok(SessionKeyHash::of(&key))
}

#[apply(both_databases)]
async fn a_reset_ends_all_sessions_and_the_old_password(#[case] test: &Fixture) {
    let house = &test.house;
    let alice = test.player("alice", 0).await;
    let key = open_session(house, alice, RequestOrigin::default()).await;
    let before = SessionKeyHash::of(&key.unwrap());
    let unknown = reset_password(house, "nobody").await;
    assert_refused(unknown, &Refusal::NotFound);
    let first = reset_password(house, "ALICE").await.unwrap();
    assert!(find_session(house, before).await.unwrap().is_none());
    let old = signed_in(test, "alice", OLD).await;
    assert_refused(old, &Refusal::InvalidCredentials);
    let second = reset_password(house, "alice").await.unwrap();
    let replaced = signed_in(test, "alice", &first).await;
    assert_refused(replaced, &Refusal::InvalidCredentials);
    let (session, must_change) = signed_in(test, "alice", &second).await.unwrap();
    assert!(must_change);
    let same = change(test, &session, "alice", (&second, &second)).await;
    assert_refused(same, &AccountRefusal::PasswordUnchanged.into());
    let next = change(test, &session, "alice", (&second, NEW)).await;
    let next = find_session(house, next.unwrap()).await.unwrap().unwrap();
    assert!(next.user.one_time_password_until.is_none());
    test.clock.advance(VALIDITY);
    assert!(!signed_in(test, "alice", NEW).await.unwrap().1);
    let used = signed_in(test, "alice", &second).await;
    assert_refused(used, &Refusal::InvalidCredentials);
    let resets = ["password_reset", "password_reset"];
    assert_eq!(audit_actions(test).await, resets);
    let events = read_security_events(house, alice, None, 100).await.unwrap();
    let events = events.entries.iter();
    let resets = events.filter(|event| event.kind == Kind::PasswordReset);
    assert_eq!(resets.count(), 2);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn a_one_time_password_expires_after_three_days(#[case] test: &Fixture) {
    let house = &test.house;
    test.player("alice", 0).await;
    let password = reset_password(house, "alice").await.unwrap();
    test.clock.advance(VALIDITY.saturating_sub(MICROSECOND));
    let (session, _) = signed_in(test, "alice", &password).await.unwrap();
    assert!(awaits_first_use(house, "alice").await.unwrap());
    test.clock.advance(MICROSECOND);
    assert!(!awaits_first_use(house, "alice").await.unwrap());
    let expired = AccountRefusal::OneTimePasswordExpired.into();
    let late = signed_in(test, "alice", &password).await;
    assert_refused(late, &expired);
    let late = change(test, &session, "alice", (&password, NEW)).await;
    assert_refused(late, &expired);
    // Only who knows the password learns that it has expired.
    let wrong = signed_in(test, "alice", "wrong-password").await;
    assert_refused(wrong, &Refusal::InvalidCredentials);
    let password = reset_password(house, "alice").await.unwrap();
    assert!(signed_in(test, "alice", &password).await.unwrap().1);
}

#[apply(both_databases)]
async fn a_new_administrator_chooses_another_password(#[case] test: &Fixture) {
    let house = &test.house;
    assert!(!awaits_first_use(house, "admin").await.unwrap());
    let password = random_password().unwrap();
    let initial = InitialPassword::OneTime(password.clone());
    create_administrator(house, "admin", initial, Role::Owner)
        .await
        .unwrap();
    assert!(awaits_first_use(house, "admin").await.unwrap());
    let (session, must_change) = signed_in(test, "admin", &password).await.unwrap();
    assert!(must_change);
    assert!(awaits_first_use(house, "admin").await.unwrap());
    let weak = change(test, &session, "admin", (&password, "k7#qPz-w")).await;
    assert_refused(weak, &AccountRefusal::AdministratorPassword.into());
    change(test, &session, "admin", (&password, NEW))
        .await
        .unwrap();
    assert!(!awaits_first_use(house, "admin").await.unwrap());
    let chosen = InitialPassword::Chosen("c4reful-hands-of-a-keeper".to_owned());
    create_administrator(house, "keeper", chosen, Role::Owner)
        .await
        .unwrap();
    assert!(
        !signed_in(test, "keeper", "c4reful-hands-of-a-keeper")
            .await
            .unwrap()
            .1
    );
    test.assert_clean().await;
}
