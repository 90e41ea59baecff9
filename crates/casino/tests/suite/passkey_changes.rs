//! Passkeys beside an authenticator: what stays when one of them is removed, and what overtakes a
//! sign-in.

use glasshouse_casino::accounts::{
    begin_passkey_sign_in, find_session, open_proved_session, read_second_factor,
    remove_authenticator, remove_passkey, sign_in, sign_in_with_passkey,
};
use glasshouse_casino::administration::reset_second_factor;
use glasshouse_casino::{AccountRefusal, PasskeyRefusal, Refusal};
use glasshouse_domain::PasskeyId;
use rstest_reuse::apply;

use crate::support::administration::administrator;
use crate::support::passkeys::{add, answer, device, refused, sign_in_on};
use crate::support::second_factors::{
    PASSWORD, Protected, origin, password, required, session, user,
};
use crate::support::{Fixture, assert_refused, both_databases};

#[apply(both_databases)]
async fn a_removed_passkey_signs_nobody_in(#[case] test: &Fixture) {
    let house = &test.house;
    let id = test.player("alice", 0).await;
    let own = session(house, id).await;
    let (mut phone, mut laptop) = (device(), device());
    add(house, &own, &mut phone, "Phone").await.unwrap();
    add(house, &own, &mut laptop, "Laptop").await.unwrap();
    let status = read_second_factor(house, id).await.unwrap();
    let [first, second] = [status.passkeys[0].id, status.passkeys[1].id];
    let opened = sign_in_on(house, &mut phone).await.unwrap();
    // Whoever has the phone is about to sign in.
    let prompt = begin_passkey_sign_in(house).await.unwrap();
    let signed = phone.sign(&prompt.options).unwrap();
    let overtaken = sign_in_with_passkey(house, answer(&prompt, signed))
        .await
        .unwrap();

    let bob = test.player("bob", 0).await;
    let bobs = session(house, bob).await;
    for (session, user, id) in [(&bobs, bob, first), (&own, id, PasskeyId::new(999))] {
        let other = remove_passkey(house, session, user, id, origin()).await;
        assert_refused(other, &Refusal::NotFound);
    }
    remove_passkey(house, &own, id, first, origin())
        .await
        .unwrap();
    assert!(find_session(house, opened).await.unwrap().is_none());
    assert!(find_session(house, own.clone()).await.unwrap().is_some());
    let late = open_proved_session(house, overtaken.proof, origin()).await;
    assert_refused(late.map(drop), &refused(PasskeyRefusal::Invalid));
    let removed = sign_in_on(house, &mut phone).await;
    assert_refused(removed.map(drop), &refused(PasskeyRefusal::Invalid));
    sign_in_on(house, &mut laptop).await.unwrap();
    assert_eq!(
        read_second_factor(house, id)
            .await
            .unwrap()
            .recovery_codes_left,
        10
    );

    // With the last one, the account is as before.
    remove_passkey(house, &own, id, second, origin())
        .await
        .unwrap();
    assert!(!user(house, &own).await.has_second_factor);
    assert_eq!(
        read_second_factor(house, id)
            .await
            .unwrap()
            .recovery_codes_left,
        0
    );
    sign_in(house, password("alice", PASSWORD), None)
        .await
        .unwrap();
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn an_authenticator_and_a_passkey_stand_in_for_each_other(#[case] test: &Fixture) {
    let house = &test.house;
    let alice = Protected::player(test).await;
    let mut phone = device();
    let codes = add(house, &alice.session, &mut phone, "Phone")
        .await
        .unwrap();
    assert_eq!(codes, None, "the recovery codes stay");
    remove_authenticator(house, alice.id, origin())
        .await
        .unwrap();
    let again = remove_authenticator(house, alice.id, origin()).await;
    assert_refused(again, &AccountRefusal::NoSecondFactor.into());
    assert!(user(house, &alice.session).await.has_second_factor);
    assert_eq!(alice.recovery_codes_left().await, 10);
    let without = sign_in(house, password("alice", PASSWORD), None).await;
    assert_refused(without.map(drop), &required());
    alice.sign_in(&alice.recovery_codes[0]).await.unwrap();
    sign_in_on(house, &mut phone).await.unwrap();
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn an_administrator_keeps_one_second_factor(#[case] test: &Fixture) {
    let house = &test.house;
    let id = administrator(test, "root").await;
    let own = session(house, id).await;
    assert!(user(house, &own).await.must_enrol());
    let mut phone = device();
    add(house, &own, &mut phone, "Phone").await.unwrap();
    assert!(!user(house, &own).await.must_enrol());
    let passkey = read_second_factor(house, id).await.unwrap().passkeys[0].id;
    let last = remove_passkey(house, &own, id, passkey, origin()).await;
    assert_refused(last, &AccountRefusal::SecondFactorMandatory.into());

    let root = Protected::of(test, id).await;
    sign_in_on(house, &mut phone).await.unwrap();
    remove_passkey(house, &root.session, id, passkey, origin())
        .await
        .unwrap();
    let last = remove_authenticator(house, id, origin()).await;
    assert_refused(last, &AccountRefusal::SecondFactorMandatory.into());
}

#[apply(both_databases)]
async fn the_operator_resets_passkeys_as_well(#[case] test: &Fixture) {
    let house = &test.house;
    let id = test.player("alice", 0).await;
    let own = session(house, id).await;
    let mut phone = device();
    add(house, &own, &mut phone, "Phone").await.unwrap();
    reset_second_factor(house, "alice").await.unwrap();
    assert!(find_session(house, own).await.unwrap().is_none());
    let removed = sign_in_on(house, &mut phone).await;
    assert_refused(removed.map(drop), &refused(PasskeyRefusal::Invalid));
    assert!(
        read_second_factor(house, id)
            .await
            .unwrap()
            .passkeys
            .is_empty()
    );
    sign_in(house, password("alice", PASSWORD), None)
        .await
        .unwrap();
    test.assert_clean().await;
}
