//! What a change of the second factor leads to, and what a forgotten password does not: delayed
//! withdrawals, and mails.

use std::time::Duration;

use glasshouse_casino::accounts::{
    SignIn, confirm_session, remove_authenticator, replace_recovery_codes, sign_in,
};
use glasshouse_casino::administration::reset_second_factor;
use glasshouse_casino::email::{recover_password, request_recovery};
use glasshouse_casino::money::{WithdrawalRequest, request_withdrawal};
use glasshouse_casino::{CasinoError, House, RequestOrigin};
use glasshouse_domain::{NewPassword, TypedPassword, UserId};
use rstest_reuse::apply;

use crate::support::email::{email, player_with_email};
use crate::support::mailbox::Mailbox;
use crate::support::second_factors::{Protected, invalid, required, typed};
use crate::support::{Fixture, assert_refused, both_databases};
use crate::withdrawals::ADDRESS as WALLET;

const ADDRESS: &str = "alice@example.com";
const NEW: &str = "quiet-otter-7-canyon";
const DAY: Duration = Duration::from_hours(24);

/// The reasons for the delay of a withdrawal that is requested now.
async fn reasons(house: &House, player: UserId) -> String {
    let request = WithdrawalRequest::parse("20", "btc", WALLET).unwrap();
    let requested = request_withdrawal(house, player, request, None).await;
    let delay = requested.unwrap().withdrawal.delay;
    delay.map_or_else(String::new, |delay| delay.reasons.to_text())
}

/// The first second factor, another one, and none any more: each may be the work of somebody who has taken
/// the account over.
#[apply(both_databases)]
async fn a_changed_second_factor_delays_withdrawals_to_known_addresses(#[case] test: &Fixture) {
    let house = &test.house.clone().delaying_withdrawals_by(DAY);
    let id = test.player("alice", 50_000).await;
    assert_eq!(reasons(house, id).await, "new_address");
    test.clock.advance(DAY);
    assert_eq!(reasons(house, id).await, "");
    Protected::of(test, id).await;
    assert_eq!(reasons(house, id).await, "second_factor_changed");
    test.clock.advance(DAY);
    assert_eq!(reasons(house, id).await, "");
    let alice = Protected::of(test, id).await;
    assert_eq!(reasons(house, id).await, "second_factor_changed");
    test.clock.advance(DAY);
    // What the second factor is used for is no change of it.
    alice.sign_in(&alice.recovery_codes[0]).await.unwrap();
    replace_recovery_codes(house, id, RequestOrigin::default())
        .await
        .unwrap();
    assert_eq!(reasons(house, id).await, "");
    remove_authenticator(house, id, RequestOrigin::default())
        .await
        .unwrap();
    assert_eq!(reasons(house, id).await, "second_factor_changed");
    test.clock.advance(DAY);
    Protected::of(test, id).await;
    test.clock.advance(DAY);
    reset_second_factor(house, "alice").await.unwrap();
    assert_eq!(reasons(house, id).await, "second_factor_changed");
    let bob = test.player("bob", 50_000).await;
    assert_eq!(reasons(house, bob).await, "new_address");
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn the_owner_is_told_of_changes_and_of_recovery_codes(#[case] test: &Fixture) {
    let mailbox = Mailbox::new();
    let house = &test.house;
    let id = player_with_email(test, &mailbox, ("alice", ADDRESS)).await;
    let alice = Protected::of(test, id).await;
    let told = async || mailbox.subjects(house).await;
    assert_eq!(told().await, ["An authenticator was set up"]);
    alice.sign_in(&alice.recovery_codes[0]).await.unwrap();
    assert_eq!(told().await, ["A recovery code was used"]);
    // Failures send nothing, and neither do the codes of the authenticator.
    assert_refused(alice.sign_in("nonsense").await, &invalid());
    alice.sign_in(&alice.code(0)).await.unwrap();
    assert!(told().await.is_empty());
    let origin = RequestOrigin::default;
    replace_recovery_codes(house, id, origin()).await.unwrap();
    assert_eq!(told().await, ["Your recovery codes were replaced"]);
    remove_authenticator(house, id, origin()).await.unwrap();
    assert_eq!(told().await, ["Your authenticator was removed"]);
    Protected::of(test, id).await;
    told().await;
    reset_second_factor(house, "alice").await.unwrap();
    assert_eq!(told().await, ["Your second factor was removed"]);
    test.assert_clean().await;
}

/// Who reads the owner's mails gets no further than who knows the password.
#[apply(both_databases)]
async fn a_password_chosen_by_mail_does_not_replace_the_second_factor(#[case] test: &Fixture) {
    let mailbox = Mailbox::new();
    let house = &test.house;
    let id = player_with_email(test, &mailbox, ("alice", ADDRESS)).await;
    let alice = Protected::of(test, id).await;
    mailbox.receive(house).await;
    request_recovery(house, email(ADDRESS), None).await.unwrap();
    let token = loop {
        if let Some(mail) = mailbox.receive(house).await.pop() {
            break mail.token();
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    };
    let new = NewPassword::parse(NEW.to_owned()).unwrap();
    recover_password(house, &token, new, RequestOrigin::default())
        .await
        .unwrap();
    let password = || SignIn {
        username: "alice".to_owned(),
        password: TypedPassword::new(NEW.to_owned()),
        origin: RequestOrigin::default(),
    };
    let attempt = async |code: Option<&str>| -> Result<(), CasinoError> {
        sign_in(house, password(), code.map(typed)).await.map(drop)
    };
    assert_refused(attempt(None).await, &required());
    assert_refused(attempt(Some("000000x")).await, &invalid());
    // Nor does the new password confirm a session, if one were left.
    let confirmed = confirm_session(house, alice.session.clone(), password()).await;
    assert_refused(confirmed, &required());
    assert_eq!(alice.recovery_codes_left().await, 10);
    attempt(Some(&alice.code(0))).await.unwrap();
    attempt(Some(&alice.recovery_codes[0])).await.unwrap();
    test.assert_clean().await;
}
