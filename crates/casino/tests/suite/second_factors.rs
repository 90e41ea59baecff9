//! The second factor: setting an authenticator up, and signing in with its codes and with recovery codes.

use std::collections::HashSet;
use std::time::Duration;

use glasshouse_casino::accounts::{
    SecondFactorAttempt, confirm_authenticator, enrol_authenticator, find_session,
    read_second_factor, read_security_events, replace_recovery_codes, sign_in,
};
use glasshouse_casino::{AccountRefusal, CasinoError, Refusal};
use glasshouse_domain::SecurityEventKind as Kind;
use rstest_reuse::apply;
use totp_rs::Secret;

use crate::support::second_factors::{
    PASSWORD, Protected, STEP, code_of, invalid, origin, password, required, session, sign_in_with,
    typed, user, wrong_code,
};
use crate::support::{Fixture, assert_refused, both_databases};

#[apply(both_databases)]
async fn an_authenticator_counts_after_its_first_code(#[case] test: &Fixture) {
    let house = &test.house;
    let id = test.player("alice", 0).await;
    let own = session(house, id).await;
    let other = session(house, id).await;
    let alice = user(house, &own).await;
    let confirm =
        async |code: &str| confirm_authenticator(house, &own, &alice, code, origin()).await;
    let none = confirm("123456").await;
    assert_refused(none, &AccountRefusal::EnrolmentExpired.into());
    let first = enrol_authenticator(house, &alice).await.unwrap();
    let enrolment = enrol_authenticator(house, &alice).await.unwrap();
    // Only the last one that was begun, and only a right code.
    for wrong in [
        "",
        "12345",
        "k7qp-2mxd-9fht-4wzr",
        &code_of(&first, test, 0),
        &code_of(&enrolment, test, 2),
    ] {
        assert_refused(confirm(wrong).await, &invalid());
    }
    assert!(!user(house, &own).await.has_second_factor);
    sign_in(house, password("alice", PASSWORD), None)
        .await
        .unwrap();
    test.clock.advance(Duration::from_mins(30));
    let late = session(house, id).await;
    let late = confirm_authenticator(
        house,
        &late,
        &alice,
        &code_of(&enrolment, test, 0),
        origin(),
    )
    .await;
    assert_refused(late, &AccountRefusal::EnrolmentExpired.into());

    let own = session(house, id).await;
    let enrolment = enrol_authenticator(house, &alice).await.unwrap();
    let code = code_of(&enrolment, test, 0);
    let codes = confirm_authenticator(house, &own, &alice, &code, origin())
        .await
        .unwrap();
    assert_eq!(codes.len(), 10);
    assert!(user(house, &own).await.has_second_factor);
    assert!(find_session(house, other).await.unwrap().is_none());
    let status = read_second_factor(house, id).await.unwrap();
    assert_eq!(status.authenticator_since, Some(house.now()));
    assert_eq!(status.recovery_codes_left, 10);
    let changed =
        test.texts("SELECT CAST(second_factor_changed_at_micros AS TEXT) AS value FROM users");
    assert_eq!(changed, [house.now().as_micros().to_string()]);
    // The check notices a second factor that somebody with the database has switched off.
    test.sql("UPDATE users SET has_second_factor = 0").unwrap();
    assert!(!test.check().is_clean());
    test.sql("UPDATE users SET has_second_factor = 1").unwrap();
    // Its code is used up, so that it does not sign in as well.
    assert_refused(sign_in_with(house, typed(&code)).await, &invalid());
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn secrets_are_not_in_the_database(#[case] test: &Fixture) {
    let alice = Protected::player(test).await;
    let secret = Secret::try_from_base32(&alice.enrolment.secret).unwrap();
    let stored = test.texts(
        "SELECT sealed_secret AS value FROM authenticators UNION SELECT code_hash FROM recovery_codes",
    );
    assert_eq!(stored.len(), 11);
    let hex = hex::encode(secret.as_bytes());
    for text in stored {
        assert!(!text.contains(&hex) && !text.contains(&alice.enrolment.secret));
        assert!(
            alice
                .recovery_codes
                .iter()
                .all(|code| !text.contains(&code.replace('-', "")))
        );
    }
    // The row of one user is worth nothing in another account.
    let bob = test.player("bob", 0).await;
    let session = session(&test.house, bob).await;
    let bob = user(&test.house, &session).await;
    let enrolment = enrol_authenticator(&test.house, &bob).await.unwrap();
    let code = code_of(&enrolment, test, 0);
    confirm_authenticator(&test.house, &session, &bob, &code, origin())
        .await
        .unwrap();
    test.clock.advance(STEP);
    test.sql(&format!(
        "UPDATE authenticators SET sealed_secret = (SELECT sealed_secret FROM authenticators WHERE user_id = {})
         WHERE user_id = {}",
        bob.id, alice.id
    ))
    .unwrap();
    let moved = alice.sign_in(&code_of(&enrolment, test, 0)).await;
    assert!(matches!(moved, Err(CasinoError::Fault(_))), "{moved:?}");
}

#[apply(both_databases)]
async fn a_sign_in_needs_the_second_factor_after_the_right_password(#[case] test: &Fixture) {
    let house = &test.house;
    let alice = Protected::player(test).await;
    let attempt = async |typed_password: &str, entered: Option<SecondFactorAttempt>| {
        let attempt = password("alice", typed_password);
        sign_in(house, attempt, entered).await.map(drop)
    };
    // Whether there is a second factor is not revealed to who does not know the password.
    let right = alice.code(0);
    for entered in [None, Some(typed(&right)), Some(typed("nonsense"))] {
        let refused = attempt("wrong-password", entered).await;
        assert_refused(refused, &Refusal::InvalidCredentials);
    }
    assert_refused(attempt(PASSWORD, None).await, &required());
    for wrong in [
        "",
        "nonsense",
        &wrong_code(&alice),
        &alice.code(2),
        &alice.code(-2),
    ] {
        assert_refused(attempt(PASSWORD, Some(typed(wrong))).await, &invalid());
    }
    attempt(PASSWORD, Some(typed(&right))).await.unwrap();
    let kinds = async || {
        let events = read_security_events(house, alice.id, None, 100)
            .await
            .unwrap();
        events
            .entries
            .iter()
            .map(|event| event.kind)
            .collect::<Vec<_>>()
    };
    // Failures are recorded in the background.
    let failures = |kinds: &[Kind], kind| kinds.iter().filter(|other| **other == kind).count();
    while failures(&kinds().await, Kind::SecondFactorFailed) < 5
        || failures(&kinds().await, Kind::SignInFailed) < 3
    {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert_eq!(failures(&kinds().await, Kind::SecondFactorFailed), 5);
}

#[apply(both_databases)]
async fn a_code_counts_once_and_never_after_a_later_one(#[case] test: &Fixture) {
    let alice = Protected::player(test).await;
    let (previous, current, next) = (alice.code(-1), alice.code(0), alice.code(1));
    // That of the step before set the authenticator up.
    assert_refused(alice.sign_in(&previous).await, &invalid());
    alice.sign_in(&current).await.unwrap();
    assert_refused(alice.sign_in(&current).await, &invalid());
    assert_refused(alice.confirm(&current).await, &invalid());
    // An authenticator that is ahead.
    alice.confirm(&next).await.unwrap();
    assert_refused(alice.sign_in(&next).await, &invalid());
    test.clock.advance(STEP);
    assert_refused(alice.sign_in(&next).await, &invalid());
    test.clock.advance(STEP);
    // One that is behind.
    test.clock.advance(STEP);
    alice.sign_in(&alice.code(-1)).await.unwrap();
    assert_refused(alice.sign_in(&alice.code(-1)).await, &invalid());
    alice.sign_in(&alice.code(0)).await.unwrap();
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn of_two_sign_ins_with_one_code_one_succeeds_on_any_server(#[case] test: &Fixture) {
    let alice = Protected::player(test).await;
    let other = test.another_house();
    for text in [alice.code(0), alice.recovery_codes[0].clone()] {
        let attempts = (0..6).map(|number| {
            let house = if number % 2 == 0 {
                test.house.clone()
            } else {
                other.clone()
            };
            let entered = typed(&text);
            tokio::spawn(async move { sign_in_with(&house, entered).await })
        });
        let attempts: Vec<_> = attempts.collect();
        let mut successes = 0;
        for attempt in attempts {
            match attempt.await.unwrap() {
                Ok(()) => successes += 1,
                Err(error) => assert_refused(Err::<(), _>(error), &invalid()),
            }
        }
        assert_eq!(successes, 1, "{text}");
    }
    assert_eq!(alice.recovery_codes_left().await, 9);
}

#[apply(both_databases)]
async fn recovery_codes_replace_the_authenticator_once_each(#[case] test: &Fixture) {
    let house = &test.house;
    let alice = Protected::player(test).await;
    let codes = &alice.recovery_codes;
    assert_eq!(codes.iter().collect::<HashSet<_>>().len(), 10);
    alice.sign_in(&codes[0]).await.unwrap();
    assert_refused(alice.sign_in(&codes[0]).await, &invalid());
    // As people write them down.
    alice
        .sign_in(&codes[1].replace('-', " ").to_uppercase())
        .await
        .unwrap();
    alice.confirm(&codes[2]).await.unwrap();
    assert_eq!(alice.recovery_codes_left().await, 7);
    // Those of others are worth nothing.
    let bob = test.player("bob", 0).await;
    let refused = replace_recovery_codes(house, bob, origin()).await;
    assert_refused(refused, &AccountRefusal::NoSecondFactor.into());
    let of_bob = Protected::of(test, bob).await;
    assert_refused(alice.sign_in(&of_bob.recovery_codes[0]).await, &invalid());

    let new = replace_recovery_codes(house, alice.id, origin())
        .await
        .unwrap();
    assert_eq!(alice.recovery_codes_left().await, 10);
    assert_refused(alice.sign_in(&codes[3]).await, &invalid());
    alice.sign_in(&new[0]).await.unwrap();
    let events = read_security_events(house, alice.id, None, 100)
        .await
        .unwrap();
    let count = |kind| {
        events
            .entries
            .iter()
            .filter(|event| event.kind == kind)
            .count()
    };
    assert_eq!(count(Kind::RecoveryCodeUsed), 4);
    assert_eq!(count(Kind::RecoveryCodesReplaced), 1);
    test.assert_clean().await;
}
