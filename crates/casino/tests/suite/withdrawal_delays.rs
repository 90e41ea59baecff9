//! Withdrawals that are delayed, and the address book that decides about it.

use std::time::Duration;

use glasshouse_casino::accounts::{
    PasswordChange, SessionKeyHash, SignIn, change_password, open_session,
};
use glasshouse_casino::administration::Decision;
use glasshouse_casino::money::{
    NewAddress, WithdrawalRequest, add_withdrawal_address, label_withdrawal_address,
    read_withdrawal_addresses, read_withdrawal_delay, remove_withdrawal_address,
    request_withdrawal,
};
use glasshouse_casino::{CasinoError, House, Refusal, RequestOrigin, Withdrawal};
use glasshouse_domain::{
    AddressLabel, AddressLabelError, Currency, MAXIMUM_WITHDRAWAL_ADDRESSES, NewPassword,
    Timestamp, TypedPassword, UserId, WithdrawalAddressId, WithdrawalStatus,
};
use rstest_reuse::apply;

use crate::support::administration::{APPROVAL, administrator, context, decide_withdrawal};
use crate::support::cashier_fixture::at_once;
use crate::support::{Fixture, assert_refused, both_databases, key};
use crate::withdrawals::ADDRESS;

const DAY: Duration = Duration::from_hours(24);
const HOUR: Duration = Duration::from_hours(1);
const SEGWIT: &str = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";

fn delaying(test: &Fixture) -> House {
    test.house.clone().delaying_withdrawals_by(DAY)
}

async fn withdraw(house: &House, player: UserId, address: &str) -> Withdrawal {
    let request = WithdrawalRequest::parse("20", "btc", address).unwrap();
    let requested = request_withdrawal(house, player, request, None).await;
    requested.unwrap().withdrawal
}

async fn approve(house: &House, admin: UserId, one: &Withdrawal) -> Result<(), CasinoError> {
    decide_withdrawal(house, context(admin), one.id, APPROVAL)
        .await
        .map(drop)
}

/// The end of the delay, and its reasons.
fn delay_of(withdrawal: &Withdrawal) -> Option<(Timestamp, String)> {
    let delay = withdrawal.delay.as_ref()?;
    Some((delay.payable_from, delay.reasons.to_text()))
}

async fn announced(house: &House, player: UserId, address: &str) -> Option<(Timestamp, String)> {
    let delay = read_withdrawal_delay(house, player, "btc", Some(address)).await;
    let delay = delay.unwrap()?;
    Some((delay.payable_from, delay.reasons.to_text()))
}

async fn change_own_password(house: &House, player: UserId, name: &str) {
    let origin = RequestOrigin::default();
    let session = open_session(house, player, origin.clone()).await.unwrap();
    let change = PasswordChange {
        current: SignIn {
            username: name.to_owned(),
            password: TypedPassword::new("tr4vel-lamp".to_owned()),
            origin,
        },
        new: NewPassword::parse("quiet-otter-7-canyon".to_owned()).unwrap(),
    };
    change_password(house, &SessionKeyHash::of(&session), change)
        .await
        .unwrap();
}

#[apply(both_databases)]
async fn a_withdrawal_to_a_new_address_is_approved_a_day_later(#[case] test: &Fixture) {
    let house = &delaying(test);
    let admin = administrator(test, "keeper").await;
    let player = test.player("alice", 20_000).await;
    let end = house.now().saturating_add(DAY);
    let expected = Some((end, "new_address".to_owned()));
    assert_eq!(announced(house, player, ADDRESS).await, expected);
    let first = withdraw(house, player, ADDRESS).await;
    assert_eq!(delay_of(&first), expected);
    test.clock.advance(HOUR);
    // The address is remembered, so that a second withdrawal waits no longer than the first.
    assert_eq!(announced(house, player, ADDRESS).await, expected);
    let second = withdraw(house, player, ADDRESS).await;
    assert_eq!(delay_of(&second), expected);

    let almost_a_day = DAY.checked_sub(HOUR + Duration::from_micros(1)).unwrap();
    test.clock.advance(almost_a_day);
    let refused = approve(house, admin, &first).await;
    assert_refused(refused, &Refusal::WithdrawalDelayed(end));
    // A delayed withdrawal can be rejected at any time.
    let reject = Decision::Reject("Not you".to_owned());
    let rejected = decide_withdrawal(house, context(admin), second.id, reject).await;
    let rejected = rejected.unwrap().withdrawal;
    assert_eq!(rejected.status, WithdrawalStatus::Rejected);

    test.clock.advance(Duration::from_micros(1));
    approve(house, admin, &first).await.unwrap();
    assert_eq!(announced(house, player, ADDRESS).await, None);
    let third = withdraw(house, player, ADDRESS).await;
    assert_eq!(third.delay, None);
    approve(house, admin, &third).await.unwrap();
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn a_changed_password_delays_withdrawals_to_known_addresses(#[case] test: &Fixture) {
    let house = &delaying(test);
    let admin = administrator(test, "keeper").await;
    let player = test.player("alice", 20_000).await;
    withdraw(house, player, ADDRESS).await;
    test.clock.advance(2 * DAY);
    assert_eq!(announced(house, player, ADDRESS).await, None);
    change_own_password(house, player, "alice").await;
    let end = house.now().saturating_add(DAY);
    test.clock.advance(HOUR);
    let delayed = withdraw(house, player, ADDRESS).await;
    assert_eq!(
        delay_of(&delayed),
        Some((end, "password_changed".to_owned()))
    );
    let later = house.now().saturating_add(DAY);
    let both = withdraw(house, player, SEGWIT).await;
    let reasons = "new_address,password_changed".to_owned();
    assert_eq!(delay_of(&both), Some((later, reasons)));
    assert_refused(
        approve(house, admin, &both).await,
        &Refusal::WithdrawalDelayed(later),
    );
    test.clock.advance(DAY);
    assert_eq!(announced(house, player, ADDRESS).await, None);
    for withdrawal in [delayed, both] {
        approve(house, admin, &withdrawal).await.unwrap();
    }
    // What was requested before a change is not delayed by it, and other players are not either.
    let other = test.player("bob", 0).await;
    assert_eq!(
        announced(house, other, ADDRESS).await.map(|(_, why)| why),
        Some("new_address".to_owned())
    );
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn a_house_without_a_delay_delays_nothing(#[case] test: &Fixture) {
    let admin = administrator(test, "keeper").await;
    let player = test.player("alice", 10_000).await;
    change_own_password(&test.house, player, "alice").await;
    assert_eq!(announced(&test.house, player, ADDRESS).await, None);
    let withdrawal = withdraw(&test.house, player, ADDRESS).await;
    assert_eq!(withdrawal.delay, None);
    approve(&test.house, admin, &withdrawal).await.unwrap();
    // The operator turned the delay on later: the address is known.
    assert_eq!(
        announced(&delaying(test), player, ADDRESS)
            .await
            .map(|(_, why)| why),
        Some("password_changed".to_owned())
    );
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn a_repeated_request_keeps_the_delay_of_the_first(#[case] test: &Fixture) {
    let house = &delaying(test);
    let player = test.player("alice", 10_000).await;
    let request = || {
        let request = WithdrawalRequest::parse("20", "btc", ADDRESS).unwrap();
        request_withdrawal(house, player, request, Some(key("once")))
    };
    let first = request().await.unwrap().withdrawal;
    test.clock.advance(2 * DAY);
    let again = request().await.unwrap().withdrawal;
    assert_eq!(again, first);
    let book = read_withdrawal_addresses(house, player).await.unwrap();
    assert_eq!(book.len(), 1);
    assert_eq!(book[0].address, ADDRESS);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn an_address_is_known_in_every_spelling(#[case] test: &Fixture) {
    let house = &delaying(test);
    let player = test.player("alice", 0).await;
    let add = async |currency: &str, address: &str| {
        let new = NewAddress::parse(currency, address, "").unwrap();
        add_withdrawal_address(house, player, new).await
    };
    for (currency, address, other) in [
        ("btc", SEGWIT, SEGWIT.to_uppercase()),
        (
            "eth",
            "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
            "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed".to_owned(),
        ),
        (
            "bch",
            "bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a",
            "QPM2QSZNHKS23Z7629MMS6S4CWEF74VCWVY22GDX6A".to_owned(),
        ),
    ] {
        let added = add(currency, address).await.unwrap();
        assert_eq!(added.usable_from, house.now().saturating_add(DAY));
        for again in [address, &other] {
            assert_refused(add(currency, again).await, &Refusal::AddressKnown);
        }
    }
    // The same address in another currency is another one.
    add("bnb", "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed")
        .await
        .unwrap();
    test.clock.advance(DAY);
    let delay = read_withdrawal_delay(house, player, "btc", Some(&SEGWIT.to_uppercase())).await;
    assert_eq!(delay.unwrap(), None);
}

#[test]
fn invalid_addresses_and_labels_are_refused_in_order() {
    let check = |currency: &str, address: &str, label: &str, expected: Refusal| {
        let outcome = NewAddress::parse(currency, address, label);
        assert_eq!(outcome, Err(expected), "{currency} {address} {label}");
    };
    let long = "x".repeat(51);
    check("gold", "", &long, Refusal::WithdrawalCurrency);
    check("btc", " ", &long, Refusal::AddressMissing);
    check("btc", "x", &long, Refusal::AddressInvalid(Currency::Btc));
    check(
        "btc",
        ADDRESS,
        &long,
        Refusal::AddressLabel(AddressLabelError::TooLong),
    );
    check(
        "btc",
        ADDRESS,
        "a\nb",
        Refusal::AddressLabel(AddressLabelError::ControlCharacter),
    );
}

#[apply(both_databases)]
async fn only_the_owner_renames_and_removes_an_address(#[case] test: &Fixture) {
    let house = &delaying(test);
    let (alice, bob) = (test.player("alice", 0).await, test.player("bob", 0).await);
    let new = NewAddress::parse("btc", ADDRESS, " Cold wallet ").unwrap();
    let added = add_withdrawal_address(house, alice, new).await.unwrap();
    assert_eq!(added.label.as_deref(), Some("Cold wallet"));
    let label = AddressLabel::parse("Mine").unwrap();
    let others = label_withdrawal_address(house, bob, added.id, label.clone()).await;
    assert_refused(others, &Refusal::NotFound);
    let others = remove_withdrawal_address(house, bob, added.id).await;
    assert_refused(others, &Refusal::NotFound);
    let unknown = remove_withdrawal_address(house, alice, WithdrawalAddressId::new(999)).await;
    assert_refused(unknown, &Refusal::NotFound);
    let renamed = label_withdrawal_address(house, alice, added.id, label).await;
    assert_eq!(renamed.unwrap().label.as_deref(), Some("Mine"));
    let unnamed = label_withdrawal_address(house, alice, added.id, None).await;
    assert_eq!(unnamed.unwrap().label, None);
    // An address that was removed and used again is new.
    test.clock.advance(2 * DAY);
    assert_eq!(announced(house, alice, ADDRESS).await, None);
    remove_withdrawal_address(house, alice, added.id)
        .await
        .unwrap();
    let again = remove_withdrawal_address(house, alice, added.id).await;
    assert_refused(again, &Refusal::NotFound);
    assert!(announced(house, alice, ADDRESS).await.is_some());
    assert!(
        read_withdrawal_addresses(house, alice)
            .await
            .unwrap()
            .is_empty()
    );
}

/// Valid addresses that differ: every text of 40 hexadecimal digits in lower case is one.
fn ethereum(number: usize) -> String {
    format!("0x{number:040}")
}

#[apply(both_databases)]
async fn an_address_book_has_a_maximum_also_for_concurrent_calls(#[case] test: &Fixture) {
    let player = test.player("collector", 10_000).await;
    let houses = [test.house.clone(), test.another_house()];
    let outcomes = at_once(MAXIMUM_WITHDRAWAL_ADDRESSES + 10, |number| {
        let house = houses[number % 2].clone();
        let new = NewAddress::parse("eth", &ethereum(number), "").unwrap();
        async move { add_withdrawal_address(&house, player, new).await }
    })
    .await;
    let (added, refused): (Vec<_>, Vec<_>) = outcomes.into_iter().partition(Result::is_ok);
    assert_eq!(added.len(), MAXIMUM_WITHDRAWAL_ADDRESSES);
    for outcome in refused {
        assert_refused(outcome, &Refusal::AddressBookFull);
    }
    // A withdrawal is accepted nevertheless, but every one to such an address is delayed.
    let house = &delaying(test);
    withdraw(house, player, ADDRESS).await;
    test.clock.advance(2 * DAY);
    assert!(withdraw(house, player, ADDRESS).await.delay.is_some());
    let book = read_withdrawal_addresses(house, player).await.unwrap();
    assert_eq!(book.len(), MAXIMUM_WITHDRAWAL_ADDRESSES);
}

#[apply(both_databases)]
async fn one_address_that_is_added_at_once_is_added_once(#[case] test: &Fixture) {
    let player = test.player("hasty", 0).await;
    let houses = [test.house.clone(), test.another_house()];
    let outcomes = at_once(10, |number| {
        let house = houses[number % 2].clone();
        let new = NewAddress::parse("btc", ADDRESS, "").unwrap();
        async move { add_withdrawal_address(&house, player, new).await }
    })
    .await;
    let (added, refused): (Vec<_>, Vec<_>) = outcomes.into_iter().partition(Result::is_ok);
    assert_eq!((added.len(), refused.len()), (1, 9));
    for outcome in refused {
        assert_refused(outcome, &Refusal::AddressKnown);
    }
}

#[apply(both_databases)]
async fn the_database_rejects_an_early_approval_and_a_changed_delay(#[case] test: &Fixture) {
    let house = &delaying(test);
    let admin = administrator(test, "keeper").await;
    let player = test.player("alice", 10_000).await;
    let withdrawal = withdraw(house, player, ADDRESS).await;
    let (end, _) = delay_of(&withdrawal).unwrap();
    let early = format!(
        "UPDATE withdrawals SET status = 'approved', decided_by = {admin}, decided_at_micros = {}",
        end.as_micros() - 1
    );
    for statement in [
        early.as_str(),
        "UPDATE withdrawals SET payable_from_micros = payable_from_micros - 1",
        "UPDATE withdrawals SET payable_from_micros = NULL, delay_reasons = NULL",
        "UPDATE withdrawals SET delay_reasons = 'password_changed'",
    ] {
        assert!(test.sql(statement).is_err(), "{statement}");
    }
    test.assert_clean().await;
}
