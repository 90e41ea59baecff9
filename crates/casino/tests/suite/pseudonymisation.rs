//! Accounts that were closed long ago: everything personal goes, everything else stays, and exactly one of
//! the operator and several servers has its way.

use std::time::Duration;

use glasshouse_casino::accounts::{SignIn, register, sign_in};
use glasshouse_casino::administration::{reset_password, resolve_review, set_role};
use glasshouse_casino::email::{purge_email, read_email_records};
use glasshouse_casino::limits::read_limits;
use glasshouse_casino::privacy::{pseudonymise_accounts, reopen_account};
use glasshouse_casino::{AccountRefusal, CasinoError, House, LimitRefusal, Refusal, RequestOrigin};
use glasshouse_domain::{ExclusionDuration, Role, TypedPassword, UserId, UsernameError};
use rstest_reuse::apply;

use crate::closures::close;
use crate::support::administration::{administrator, audit_actions, context};
use crate::support::cashier_fixture::{CashierFixture, at_once, open_review};
use crate::support::email::{NOT_ADDED, follow, link, player_with_email};
use crate::support::limits::{DAY, exclude_for, stake};
use crate::support::mailbox::Mailbox;
use crate::support::{Fixture, assert_refused, both_databases, registration};

const YEAR: Duration = Duration::from_hours(24 * 365);
const MICROSECOND: Duration = Duration::from_micros(1);

/// A server that keeps closed accounts for a day.
pub(crate) fn keeping_for_a_day(house: &House) -> House {
    house.clone().keeping_closed_accounts_for(DAY)
}

/// Goes through the first accounts that are due, and returns how many were pseudonymised.
pub(crate) async fn pseudonymise(house: &House) -> usize {
    pseudonymise_accounts(house, None)
        .await
        .unwrap()
        .pseudonymised
}

fn names(test: &Fixture, id: UserId) -> String {
    let names = format!("SELECT username AS value FROM users WHERE id = {id}");
    test.texts(&names).concat()
}

fn signed_in_as(name: &str) -> SignIn {
    SignIn {
        username: name.to_owned(),
        password: TypedPassword::new("tr4vel-lamp".to_owned()),
        origin: RequestOrigin::default(),
    }
}

#[apply(both_databases)]
async fn nothing_happens_before_the_period_has_passed(#[case] test: &Fixture) {
    let player = test.player("leaving", 0).await;
    let staying = test.player("staying", 0).await;
    close(&test.house, player, None).await.unwrap();
    // Unless the operator decides otherwise, it is five years.
    let period = YEAR * 5 + DAY * 2;
    test.clock.advance(period.saturating_sub(MICROSECOND));
    assert_eq!(pseudonymise(&test.house).await, 0);
    assert_eq!(names(test, player), "leaving");
    test.clock.advance(MICROSECOND);
    assert_eq!(pseudonymise(&test.house).await, 1);
    assert_eq!(names(test, player), format!("closed.{player}"));
    assert_eq!(names(test, staying), "staying");
    assert_eq!(audit_actions(test).await[0], "account_pseudonymised");
    assert_eq!(pseudonymise(&test.house).await, 0);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn it_is_for_good_and_the_name_is_free(#[case] test: &Fixture) {
    let house = keeping_for_a_day(&test.house);
    let player = test.player("leaving", 0).await;
    close(&house, player, None).await.unwrap();
    test.clock.advance(DAY);
    assert_eq!(pseudonymise(&house).await, 1);
    let pseudonym = format!("closed.{player}");
    let gone = AccountRefusal::Pseudonymised.into();
    assert_refused(reopen_account(&house, &pseudonym).await, &gone);
    assert_refused(
        reopen_account(&house, &pseudonym.to_uppercase()).await,
        &gone,
    );
    assert_refused(
        reopen_account(&house, "closed.99").await,
        &Refusal::NotFound,
    );
    assert_refused(reopen_account(&house, "leaving").await, &Refusal::NotFound);
    // What else is done to a user by name knows no pseudonyms.
    let no_name: Refusal = UsernameError::ForbiddenCharacter.into();
    assert_refused(reset_password(&house, &pseudonym).await, &no_name);
    let granted = set_role(&house, &pseudonym, Role::Owner).await;
    assert_refused(granted, &no_name);
    for name in ["leaving", &pseudonym] {
        let outcome = sign_in(&house, signed_in_as(name), None).await;
        assert_refused(outcome, &Refusal::InvalidCredentials);
    }
    let other = register(&house, registration("leaving")).await.unwrap();
    assert_ne!(other.user.id, player);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn an_account_waits_until_it_is_settled(#[case] test: &Fixture) {
    let fixture = CashierFixture::open(test).await;
    let house = keeping_for_a_day(&test.house);
    let player = fixture.player;
    let boss = administrator(test, "boss").await;
    let (_, invoice) = fixture.deposit().await;
    fixture.pay_percent(&invoice, 300).await;
    test.set_balance(player, 0).await.unwrap();
    close(&house, player, None).await.unwrap();
    // Money that has arrived since.
    test.set_balance(player, 1).await.unwrap();
    test.clock.advance(DAY);
    assert_eq!(pseudonymise(&house).await, 0);
    test.set_balance(player, 0).await.unwrap();
    let review = open_review(&house).await;
    assert_eq!(pseudonymise(&house).await, 0);
    resolve_review(&house, context(boss), review.id, "sent back")
        .await
        .unwrap();
    let status = |status: &str, completed: &str| {
        format!("UPDATE deposits SET status = '{status}', completed_at_micros = {completed}")
    };
    test.sql(&status("pending", "NULL")).unwrap();
    assert_eq!(pseudonymise(&house).await, 0);
    test.sql(&status("completed", "updated_at_micros")).unwrap();
    // Somebody who was made an administrator before closed accounts were refused.
    let name = names(test, player);
    let role = |role: &str| format!("UPDATE users SET role = '{role}' WHERE id = {player}");
    test.sql(&role("owner")).unwrap();
    assert_eq!(pseudonymise(&house).await, 0);
    test.sql(&role("player")).unwrap();
    assert_eq!(names(test, player), name);
    assert_eq!(pseudonymise(&house).await, 1);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn accounts_that_wait_do_not_hold_up_the_others(#[case] test: &Fixture) {
    let house = keeping_for_a_day(&test.house);
    let mut last = UserId::new(0);
    for number in 0..21 {
        last = test.player(&format!("leaving-{number}"), 0).await;
        close(&house, last, None).await.unwrap();
        if number < 20 {
            test.set_balance(last, 100).await.unwrap();
        }
    }
    test.clock.advance(DAY);
    let first = pseudonymise_accounts(&house, None).await.unwrap();
    assert_eq!(first.pseudonymised, 0);
    assert!(first.next.is_some());
    let second = pseudonymise_accounts(&house, first.next).await.unwrap();
    assert_eq!((second.pseudonymised, second.next), (1, None));
    assert_eq!(names(test, last), format!("closed.{last}"));
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn several_servers_do_the_work_once(#[case] test: &Fixture) {
    let servers = [&test.house, &test.another_house()].map(keeping_for_a_day);
    for number in 0..5 {
        let player = test.player(&format!("leaving-{number}"), 0).await;
        close(&test.house, player, None).await.unwrap();
    }
    test.clock.advance(DAY);
    let passes = at_once(4, |number| {
        let house = servers[number % 2].clone();
        async move { pseudonymise(&house).await }
    })
    .await;
    assert_eq!(passes.iter().sum::<usize>(), 5, "{passes:?}");
    let actions = audit_actions(test).await;
    let recorded = actions
        .iter()
        .filter(|action| *action == "account_pseudonymised");
    assert_eq!(recorded.count(), 5);
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn of_opening_an_account_again_and_the_job_one_wins(#[case] test: &Fixture) {
    let servers = [&test.house, &test.another_house()].map(keeping_for_a_day);
    for round in 0..6 {
        let name = format!("racing-{round}");
        let player = test.player(&name, 0).await;
        close(&test.house, player, None).await.unwrap();
        test.clock.advance(DAY);
        let outcomes: Vec<Result<bool, CasinoError>> = at_once(2, |number| {
            let (house, name) = (servers[number].clone(), name.clone());
            async move {
                match number {
                    0 => reopen_account(&house, &name).await.map(|_| true),
                    _ => Ok(pseudonymise(&house).await > 0),
                }
            }
        })
        .await;
        let mut outcomes = outcomes.into_iter();
        let (reopened, pseudonymised) = (outcomes.next().unwrap(), outcomes.next().unwrap());
        if pseudonymised.unwrap() {
            assert_eq!(names(test, player), format!("closed.{player}"));
            let Err(CasinoError::Refused(refusal)) = reopened else {
                panic!("{reopened:?}")
            };
            let gone: Refusal = AccountRefusal::Pseudonymised.into();
            assert!(refusal == gone || refusal == Refusal::NotFound, "{refusal}");
        } else {
            assert!(reopened.unwrap());
            assert_eq!(names(test, player), name);
        }
        test.assert_clean().await;
    }
}

/// The house recognises whoever excluded themselves, closed the account and registers years later.
#[apply(both_databases)]
async fn an_exclusion_in_force_keeps_the_address_until_it_ends(#[case] test: &Fixture) {
    const ADDRESS: &str = "alice@example.com";
    let mailbox = Mailbox::new();
    let house = keeping_for_a_day(&test.house);
    let alice = player_with_email(test, &mailbox, ("alice", ADDRESS)).await;
    let exclusion = exclude_for(test, alice, ExclusionDuration::FiveYears).await;
    close(&house, alice, None).await.unwrap();
    mailbox.receive(&house).await;
    test.clock.advance(YEAR * 2);
    assert_eq!(pseudonymise(&house).await, 1);
    let again = test.player("again", 10_000).await;
    let token = link(test, &mailbox, again, "Alice+2@example.com").await;
    assert_refused(follow(test, &token).await, &NOT_ADDED);
    let limits = read_limits(&house, again).await.unwrap();
    assert_eq!(limits.exclusion.unwrap().until, exclusion.until);
    let refused = stake(&house, again, 100).await;
    assert_refused(refused, &LimitRefusal::Excluded(exclusion.until).into());
    test.assert_clean().await;

    test.clock.set(exclusion.until);
    assert!(purge_email(&house).await.unwrap() > 0);
    let left = read_email_records(&house, alice).await.unwrap();
    assert_eq!(left.len(), 0);
    test.assert_clean().await;
}
