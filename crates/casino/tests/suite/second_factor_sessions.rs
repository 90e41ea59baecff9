//! The second factor: what makes it not worth guessing, what it confirms, and how it is replaced, removed
//! and reset.

use std::time::Duration;

use glasshouse_casino::accounts::{
    PasswordChange, SessionKeyHash, change_password, confirm_session, find_session,
    open_proved_session, read_security_events, remove_authenticator, sign_in,
};
use glasshouse_casino::administration::reset_second_factor;
use glasshouse_casino::{AccountRefusal, Refusal};
use glasshouse_domain::{NewPassword, SecurityEventKind as Kind};
use rstest_reuse::apply;

use crate::support::administration::{
    PASSWORD as ADMINISTRATOR_PASSWORD, administrator, audit_actions,
};
use crate::support::second_factors::{
    PASSWORD, Protected, invalid, origin, password, required, session, sign_in_with,
    typed_by_a_stranger, user, wrong_code,
};
use crate::support::{Fixture, assert_refused, both_databases};

const CONFIRMATION: Duration = Duration::from_mins(5);

#[apply(both_databases)]
async fn guessing_codes_is_slowed_down_on_all_servers_but_not_for_known_devices(
    #[case] test: &Fixture,
) {
    let alice = Protected::player(test).await;
    let houses = [test.house.clone(), test.another_house()];
    let wrong = wrong_code(&alice);
    for number in 0..10 {
        let refused = sign_in_with(&houses[number % 2], typed_by_a_stranger(&wrong)).await;
        assert_refused(refused, &invalid());
    }
    let right = alice.code(0);
    let waits = async |seconds| {
        let refused = sign_in_with(&houses[0], typed_by_a_stranger(&right)).await;
        assert_refused(
            refused,
            &Refusal::TooManyAttempts(Duration::from_secs(seconds)),
        );
    };
    waits(1).await;
    // The owner's devices do not wait, and their success does not help the others.
    alice.sign_in(&right).await.unwrap();
    waits(1).await;
    test.clock.advance(Duration::from_secs(1));
    // Each further failure doubles the wait, up to a quarter of an hour.
    for seconds in [2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900] {
        let wrong = wrong_code(&alice);
        let again = sign_in_with(&houses[1], typed_by_a_stranger(&wrong)).await;
        assert_refused(again, &invalid());
        let refused = sign_in_with(&houses[0], typed_by_a_stranger(&wrong)).await;
        let wait = Duration::from_secs(seconds);
        assert_refused(refused, &Refusal::TooManyAttempts(wait));
        test.clock.advance(wait);
    }
    let right = alice.code(0);
    sign_in_with(&test.house, typed_by_a_stranger(&right))
        .await
        .unwrap();
    let wrong = wrong_code(&alice);
    for _ in 0..10 {
        let refused = sign_in_with(&test.house, typed_by_a_stranger(&wrong)).await;
        assert_refused(refused, &invalid());
    }
}

#[apply(both_databases)]
async fn a_proof_from_before_the_second_factor_opens_no_session(#[case] test: &Fixture) {
    let house = &test.house;
    let id = test.player("alice", 0).await;
    let before = sign_in(house, password("alice", PASSWORD), None)
        .await
        .unwrap();
    let alice = Protected::of(test, id).await;
    let overtaken = open_proved_session(house, before.proof, origin()).await;
    assert_refused(overtaken, &required());
    alice.sign_in(&alice.code(0)).await.unwrap();
}

#[apply(both_databases)]
async fn a_session_is_confirmed_by_the_second_factor_only(#[case] test: &Fixture) {
    let house = &test.house;
    let alice = Protected::player(test).await;
    assert!(alice.is_confirmed().await);
    test.clock.advance(CONFIRMATION);
    assert!(!alice.is_confirmed().await);
    let attempt = password("alice", PASSWORD);
    let by_password = confirm_session(house, alice.session.clone(), attempt).await;
    assert_refused(by_password, &required());
    assert!(!alice.is_confirmed().await);
    alice.confirm(&alice.code(0)).await.unwrap();
    assert!(alice.is_confirmed().await);
    // Neither does a changed password confirm anything.
    test.clock.advance(CONFIRMATION);
    let change = PasswordChange {
        current: password("alice", PASSWORD),
        new: NewPassword::parse("quiet-otter-7-canyon".to_owned()).unwrap(),
    };
    let key = change_password(house, &alice.session, change)
        .await
        .unwrap();
    let alice = Protected {
        session: SessionKeyHash::of(&key),
        ..alice
    };
    assert!(!alice.is_confirmed().await);
    // Ten wrong codes in a row end the session; a right one in between resets the count.
    for _ in 0..9 {
        assert_refused(alice.confirm(&wrong_code(&alice)).await, &invalid());
    }
    alice.confirm(&alice.code(0)).await.unwrap();
    for _ in 0..10 {
        assert_refused(alice.confirm(&wrong_code(&alice)).await, &invalid());
    }
    let over = find_session(house, alice.session.clone()).await.unwrap();
    assert!(over.is_none());
    let right = alice.recovery_codes[0].clone();
    assert_refused(
        alice.confirm(&right).await,
        &AccountRefusal::SessionEnded.into(),
    );
}

#[apply(both_databases)]
async fn another_authenticator_replaces_the_first_with_its_recovery_codes(#[case] test: &Fixture) {
    let alice = Protected::player(test).await;
    let next = Protected::of(test, alice.id).await;
    assert_refused(alice.sign_in(&alice.code(0)).await, &invalid());
    assert_refused(alice.sign_in(&alice.recovery_codes[0]).await, &invalid());
    next.sign_in(&next.code(0)).await.unwrap();
    next.sign_in(&next.recovery_codes[0]).await.unwrap();
    assert_eq!(next.recovery_codes_left().await, 9);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn a_player_removes_the_second_factor_and_an_administrator_cannot(#[case] test: &Fixture) {
    let house = &test.house;
    let alice = Protected::player(test).await;
    remove_authenticator(house, alice.id, origin())
        .await
        .unwrap();
    sign_in(house, password("alice", PASSWORD), None)
        .await
        .unwrap();
    let again = remove_authenticator(house, alice.id, origin()).await;
    assert_refused(again, &AccountRefusal::NoSecondFactor.into());
    let changed =
        test.texts("SELECT CAST(second_factor_changed_at_micros AS TEXT) AS value FROM users");
    assert_eq!(changed, [house.now().as_micros().to_string()]);
    for table in ["authenticators", "recovery_codes"] {
        let rows = test.texts(&format!(
            "SELECT CAST(user_id AS TEXT) AS value FROM {table}"
        ));
        assert!(rows.is_empty(), "{table}: {rows:?}");
    }
    let id = administrator(test, "keeper").await;
    let fresh = session(house, id).await;
    assert!(user(house, &fresh).await.must_enrol());
    let keeper = Protected::of(test, id).await;
    assert!(!user(house, &keeper.session).await.must_enrol());
    let refused = remove_authenticator(house, id, origin()).await;
    assert_refused(refused, &AccountRefusal::SecondFactorMandatory.into());
    let attempt = password("keeper", ADMINISTRATOR_PASSWORD);
    let without = sign_in(house, attempt, None).await.map(drop);
    assert_refused(without, &required());
}

#[apply(both_databases)]
async fn the_operator_removes_a_lost_second_factor(#[case] test: &Fixture) {
    let house = &test.house;
    let alice = Protected::player(test).await;
    let unknown = reset_second_factor(house, "nobody").await;
    assert_refused(unknown, &Refusal::NotFound);
    reset_second_factor(house, "ALICE").await.unwrap();
    let over = find_session(house, alice.session.clone()).await.unwrap();
    assert!(over.is_none());
    let again = reset_second_factor(house, "alice").await;
    assert_refused(again, &AccountRefusal::NoSecondFactor.into());
    sign_in(house, password("alice", PASSWORD), None)
        .await
        .unwrap();
    assert_eq!(audit_actions(test).await, ["second_factor_reset"]);
    let events = read_security_events(house, alice.id, None, 1)
        .await
        .unwrap();
    assert_eq!(events.entries[0].kind, Kind::SecondFactorReset);
    test.assert_clean().await;
}
