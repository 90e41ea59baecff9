//! Passkeys: adding them, and signing in and confirming with their signatures.

use std::time::Duration;

use glasshouse_casino::accounts::{
    SessionKeyHash, add_passkey, begin_passkey, begin_passkey_confirmation, begin_passkey_sign_in,
    confirm_with_passkey, find_session, purge_passkey_ceremonies, read_second_factor,
    read_security_events, sign_in, sign_in_with_passkey,
};
use glasshouse_casino::{AccountRefusal, House, PasskeyRefusal};
use glasshouse_domain::{PasskeyNameError, SecurityEventKind as Kind, UserId};
use rstest_reuse::apply;
use tokio::time::sleep;

use crate::support::passkeys::{add, addition, answer, confirm_on, device, refused, sign_in_on};
use crate::support::second_factors::{
    PASSWORD, password, required, session, sign_in_with, typed, user,
};
use crate::support::{Fixture, assert_refused, both_databases};

const VALIDITY: Duration = Duration::from_mins(5);

async fn count(house: &House, user: UserId, kind: Kind) -> usize {
    let events = read_security_events(house, user, None, 100).await.unwrap();
    events
        .entries
        .iter()
        .filter(|event| event.kind == kind)
        .count()
}

#[apply(both_databases)]
async fn a_passkey_is_a_second_factor_and_signs_in_alone(#[case] test: &Fixture) {
    let house = &test.house;
    let id = test.player("alice", 0).await;
    let own = session(house, id).await;
    let other = session(house, id).await;
    let mut phone = device();
    let codes = add(house, &own, &mut phone, " Phone ").await.unwrap();
    let codes = codes.expect("no recovery codes with the first second factor");
    assert_eq!(codes.len(), 10);
    assert!(user(house, &own).await.has_second_factor);
    assert!(find_session(house, other).await.unwrap().is_none());

    let status = read_second_factor(house, id).await.unwrap();
    assert_eq!(status.authenticator_since, None);
    assert_eq!(status.recovery_codes_left, 10);
    let [passkey] = &*status.passkeys else {
        panic!("{:?}", status.passkeys);
    };
    assert_eq!(passkey.name, "Phone");
    assert_eq!(passkey.last_used_at, None);

    // The password alone no longer signs in; a recovery code is still a second factor.
    let refused = sign_in(house, password("alice", PASSWORD), None).await;
    assert_refused(refused.map(drop), &required());
    sign_in_with(house, typed(&codes[0])).await.unwrap();

    test.clock.advance(Duration::from_secs(1));
    let opened = sign_in_on(&test.another_house(), &mut phone).await.unwrap();
    let found = find_session(house, opened).await.unwrap().unwrap();
    assert_eq!(found.user.id, id);
    assert!(house.now() < found.confirmed_until);
    let status = read_second_factor(house, id).await.unwrap();
    assert_eq!(status.passkeys[0].last_used_at, Some(house.now()));

    // Another passkey changes neither the codes nor the sessions.
    let mut laptop = device();
    assert_eq!(add(house, &own, &mut laptop, "Laptop").await.unwrap(), None);
    assert_eq!(
        read_second_factor(house, id)
            .await
            .unwrap()
            .recovery_codes_left,
        9
    );
    for device in [&mut phone, &mut laptop] {
        sign_in_on(house, device).await.unwrap();
    }
    assert_eq!(count(house, id, Kind::PasskeyAdded).await, 2);
}

#[apply(both_databases)]
async fn a_ceremony_is_completed_once_in_time_and_for_what_it_was_begun(#[case] test: &Fixture) {
    let house = &test.house;
    let id = test.player("alice", 0).await;
    let own = session(house, id).await;
    let mut phone = device();
    add(house, &own, &mut phone, "Phone").await.unwrap();
    let expired = refused(PasskeyRefusal::CeremonyExpired);

    // Once.
    let prompt = begin_passkey_sign_in(house).await.unwrap();
    let signed = phone.sign(&prompt.options).unwrap();
    sign_in_with_passkey(house, answer(&prompt, signed.clone()))
        .await
        .unwrap();
    let again = sign_in_with_passkey(&test.another_house(), answer(&prompt, signed)).await;
    assert_refused(again.map(drop), &expired);

    // Within five minutes.
    for (wait, is_in_time) in [
        (VALIDITY.saturating_sub(Duration::from_micros(1)), true),
        (VALIDITY, false),
    ] {
        let prompt = begin_passkey_sign_in(house).await.unwrap();
        let signed = phone.sign(&prompt.options).unwrap();
        test.clock.advance(wait);
        let outcome = sign_in_with_passkey(house, answer(&prompt, signed)).await;
        if is_in_time {
            outcome.unwrap();
        } else {
            assert_refused(outcome.map(drop), &expired);
        }
    }

    // A signature for one purpose serves no other, and nobody else.
    let prompt = begin_passkey_sign_in(house).await.unwrap();
    let signed = phone.sign(&prompt.options).unwrap();
    let confirmed = confirm_with_passkey(house, own.clone(), id, answer(&prompt, signed)).await;
    assert_refused(confirmed.map(drop), &expired);
    let prompt = begin_passkey_confirmation(house, id).await.unwrap();
    let signed = phone.sign(&prompt.options).unwrap();
    let signed_in = sign_in_with_passkey(house, answer(&prompt, signed)).await;
    assert_refused(signed_in.map(drop), &expired);
    let bob = test.player("bob", 0).await;
    let bobs = session(house, bob).await;
    let prompt = begin_passkey_confirmation(house, id).await.unwrap();
    let signed = phone.sign(&prompt.options).unwrap();
    let confirmed = confirm_with_passkey(house, bobs, bob, answer(&prompt, signed)).await;
    assert_refused(confirmed.map(drop), &expired);

    // A signature for another challenge.
    let [first, second] = [
        begin_passkey_sign_in(house).await.unwrap(),
        begin_passkey_sign_in(house).await.unwrap(),
    ];
    let signed = phone.sign(&first.options).unwrap();
    let swapped = sign_in_with_passkey(house, answer(&second, signed)).await;
    assert_refused(swapped.map(drop), &refused(PasskeyRefusal::Invalid));
}

#[apply(both_databases)]
async fn of_several_requests_with_one_answer_one_signs_in(#[case] test: &Fixture) {
    let house = &test.house;
    let id = test.player("alice", 0).await;
    let own = session(house, id).await;
    let mut phone = device();
    add(house, &own, &mut phone, "Phone").await.unwrap();
    let elsewhere = test.another_house();
    for _ in 0..5 {
        let prompt = begin_passkey_sign_in(house).await.unwrap();
        let answer = answer(&prompt, phone.sign(&prompt.options).unwrap());
        let outcomes = tokio::join!(
            sign_in_with_passkey(house, answer.clone()),
            sign_in_with_passkey(&elsewhere, answer.clone()),
            sign_in_with_passkey(house, answer),
        );
        let outcomes = [outcomes.0, outcomes.1, outcomes.2];
        let (right, wrong): (Vec<_>, Vec<_>) = outcomes.into_iter().partition(Result::is_ok);
        assert_eq!((right.len(), wrong.len()), (1, 2));
        for outcome in wrong {
            assert_refused(outcome.map(drop), &refused(PasskeyRefusal::CeremonyExpired));
        }
    }
}

#[apply(both_databases)]
async fn expired_ceremonies_are_removed(#[case] test: &Fixture) {
    let house = &test.house;
    let old = begin_passkey_sign_in(house).await.unwrap();
    test.clock.advance(VALIDITY + Duration::from_micros(1));
    let id = test.player("alice", 0).await;
    let own = session(house, id).await;
    let alice = user(house, &own).await;
    let new = begin_passkey(house, &alice).await.unwrap();
    assert_eq!(purge_passkey_ceremonies(house).await.unwrap(), 1);
    assert_eq!(purge_passkey_ceremonies(house).await.unwrap(), 0);
    assert_ne!(old.ceremony, new.ceremony);
    let mut phone = device();
    let made = phone.make(&new.options).unwrap();
    add_passkey(house, &own, id, addition(&new, "Phone", made))
        .await
        .unwrap();
}

#[apply(both_databases)]
async fn wrong_answers_are_refused_and_recorded(#[case] test: &Fixture) {
    let house = &test.house;
    let id = test.player("alice", 0).await;
    let own = session(house, id).await;
    let mut phone = device();
    add(house, &own, &mut phone, "Phone").await.unwrap();
    let invalid = refused(PasskeyRefusal::Invalid);

    // A passkey that nobody has added.
    let stranger = test.player("bob", 0).await;
    let bobs = session(house, stranger).await;
    let bob = user(house, &bobs).await;
    let mut unknown = device();
    let prompt = begin_passkey(house, &bob).await.unwrap();
    unknown.make(&prompt.options).unwrap();
    assert_refused(sign_in_on(house, &mut unknown).await.map(drop), &invalid);

    // A page at another address with the house's options, in a browser that does not mind.
    let mut elsewhere = phone.moved_to("https://glasshouse.example");
    assert_refused(sign_in_on(house, &mut elsewhere).await.map(drop), &invalid);

    // A device that its finder cannot unlock.
    let mut locked = phone.locked();
    assert_refused(sign_in_on(house, &mut locked).await.map(drop), &invalid);

    // Another user's handle.
    let mut other = phone.with_user_handle(&[7; 16]);
    assert_refused(sign_in_on(house, &mut other).await.map(drop), &invalid);

    // A copy of the device, once the original has signed more often.
    let mut copy = phone.clone();
    for _ in 0..2 {
        sign_in_on(house, &mut phone).await.unwrap();
    }
    assert_refused(sign_in_on(house, &mut copy).await.map(drop), &invalid);

    // A changed signature.
    let prompt = begin_passkey_sign_in(house).await.unwrap();
    let mut signed = phone.sign(&prompt.options).unwrap();
    let other = begin_passkey_sign_in(house).await.unwrap();
    signed["response"]["signature"] =
        phone.sign(&other.options).unwrap()["response"]["signature"].clone();
    let changed = sign_in_with_passkey(house, answer(&prompt, signed)).await;
    assert_refused(changed.map(drop), &invalid);

    // Failures are recorded a moment later.
    while count(house, id, Kind::PasskeyFailed).await < 5 {
        sleep(Duration::from_millis(5)).await;
    }
    assert_eq!(count(house, id, Kind::PasskeyFailed).await, 5);
    // The right one still signs in.
    sign_in_on(house, &mut phone).await.unwrap();
}

#[apply(both_databases)]
async fn a_passkey_of_the_user_confirms_a_session(#[case] test: &Fixture) {
    let house = &test.house;
    let id = test.player("alice", 0).await;
    let own = session(house, id).await;
    let none = begin_passkey_confirmation(house, id).await;
    assert_refused(none.map(drop), &refused(PasskeyRefusal::None));
    let mut phone = device();
    add(house, &own, &mut phone, "Phone").await.unwrap();
    let is_confirmed = async |session: &SessionKeyHash| {
        let found = find_session(house, session.clone()).await.unwrap().unwrap();
        house.now() < found.confirmed_until
    };
    test.clock.advance(VALIDITY);
    assert!(!is_confirmed(&own).await);
    confirm_on(house, (&own, id), &mut phone).await.unwrap();
    assert!(is_confirmed(&own).await);

    // Not somebody else's, even though its browser offers it.
    let bob = test.player("bob", 0).await;
    let bobs = session(house, bob).await;
    let mut laptop = device();
    add(house, &bobs, &mut laptop, "Laptop").await.unwrap();
    test.clock.advance(VALIDITY);
    let prompt = begin_passkey_confirmation(house, id).await.unwrap();
    assert!(laptop.sign(&prompt.options).is_none());
    // Ten wrong ones in a row end the session.
    for number in 0..10 {
        assert!(
            find_session(house, own.clone()).await.unwrap().is_some(),
            "{number}"
        );
        let prompt = begin_passkey_confirmation(house, id).await.unwrap();
        let mut options = prompt.options.clone();
        options["allowCredentials"] = serde_json::json!([]);
        let signed = laptop.sign(&options).unwrap();
        let wrong = confirm_with_passkey(house, own.clone(), id, answer(&prompt, signed)).await;
        assert_refused(wrong.map(drop), &refused(PasskeyRefusal::Invalid));
    }
    assert!(find_session(house, own.clone()).await.unwrap().is_none());
    let ended = confirm_on(house, (&own, id), &mut phone).await;
    assert_refused(ended, &AccountRefusal::SessionEnded.into());
}

#[apply(both_databases)]
async fn what_cannot_be_added_is_refused(#[case] test: &Fixture) {
    let house = &test.house;
    let id = test.player("alice", 0).await;
    let own = session(house, id).await;
    let alice = user(house, &own).await;
    for (name, error) in [
        (" ", PasskeyNameError::Missing),
        (&*"x".repeat(65), PasskeyNameError::TooLong),
        ("a\nb", PasskeyNameError::ControlCharacter),
    ] {
        let named = add(house, &own, &mut device(), name).await;
        assert_refused(named, &refused(error.into()));
    }
    // A passkey made for another page, and one made for another ceremony.
    let prompt = begin_passkey(house, &alice).await.unwrap();
    let mut options = prompt.options.clone();
    options["rp"]["id"] = serde_json::json!("glasshouse.example");
    let made = device()
        .moved_to("https://glasshouse.example")
        .make(&options)
        .unwrap();
    let elsewhere = add_passkey(house, &own, id, addition(&prompt, "Phone", made)).await;
    assert_refused(elsewhere.map(drop), &refused(PasskeyRefusal::Invalid));
    let [first, second] = [
        begin_passkey(house, &alice).await.unwrap(),
        begin_passkey(house, &alice).await.unwrap(),
    ];
    let mut phone = device();
    let made = phone.make(&first.options).unwrap();
    let swapped = add_passkey(house, &own, id, addition(&second, "Phone", made.clone())).await;
    assert_refused(swapped.map(drop), &refused(PasskeyRefusal::Invalid));
    // One that was made without unlocking the device.
    let made = device().locked().make(&first.options).unwrap();
    let locked = add_passkey(house, &own, id, addition(&first, "Phone", made)).await;
    assert_refused(locked.map(drop), &refused(PasskeyRefusal::Invalid));
    let made = phone.make(&first.options).unwrap();
    // Somebody else's ceremony.
    let bob = test.player("bob", 0).await;
    let bobs = session(house, bob).await;
    let others = add_passkey(house, &bobs, bob, addition(&first, "Phone", made.clone())).await;
    assert_refused(others.map(drop), &refused(PasskeyRefusal::CeremonyExpired));
    assert!(
        read_second_factor(house, id)
            .await
            .unwrap()
            .passkeys
            .is_empty()
    );
    assert!(!user(house, &own).await.has_second_factor);

    // One that was begun before the first was added, for another handle.
    let prompt = begin_passkey(house, &alice).await.unwrap();
    add(house, &own, &mut phone, "Phone").await.unwrap();
    let made = device().make(&prompt.options).unwrap();
    let late = add_passkey(house, &own, id, addition(&prompt, "Late", made)).await;
    assert_refused(late.map(drop), &refused(PasskeyRefusal::CeremonyExpired));
    // A device with a passkey for the account makes no second one.
    let prompt = begin_passkey(house, &alice).await.unwrap();
    assert!(phone.make(&prompt.options).is_none());
    // Twenty are enough; two ceremonies that were begun before do not make it more.
    for number in 2..=19 {
        let name = format!("Phone {number}");
        add(house, &own, &mut device(), &name).await.unwrap();
    }
    let prompts = [
        begin_passkey(house, &alice).await.unwrap(),
        begin_passkey(house, &alice).await.unwrap(),
    ];
    let [first, second] = [
        device().make(&prompts[0].options).unwrap(),
        device().make(&prompts[1].options).unwrap(),
    ];
    let first = add_passkey(house, &own, id, addition(&prompts[0], "Twentieth", first)).await;
    first.unwrap();
    let second = add_passkey(house, &own, id, addition(&prompts[1], "One more", second)).await;
    assert_refused(second.map(drop), &refused(PasskeyRefusal::TooMany));
    let more = begin_passkey(house, &alice).await;
    assert_refused(more.map(drop), &refused(PasskeyRefusal::TooMany));
}

#[apply(both_databases)]
async fn a_house_without_a_name_has_no_passkeys(#[case] test: &Fixture) {
    let numeric = test.another_house().reached_at("https://192.0.2.1");
    let none = begin_passkey_sign_in(&numeric).await;
    assert_refused(none.map(drop), &refused(PasskeyRefusal::Unavailable));

    // A house at a name takes signatures for this name only.
    let named = test.another_house().reached_at("https://play.example.com");
    let id = test.player("alice", 0).await;
    let own = session(&named, id).await;
    let mut phone = device().moved_to("https://play.example.com");
    add(&named, &own, &mut phone, "Phone").await.unwrap();
    sign_in_on(&named, &mut phone).await.unwrap();
    let prompt = begin_passkey_sign_in(&test.house).await.unwrap();
    let mut options = prompt.options.clone();
    options["rpId"] = serde_json::json!("play.example.com");
    let signed = phone.sign(&options).unwrap();
    let other = sign_in_with_passkey(&test.house, answer(&prompt, signed)).await;
    assert_refused(other.map(drop), &refused(PasskeyRefusal::Invalid));
}
