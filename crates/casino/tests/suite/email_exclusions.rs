//! Who is excluded cannot play on with a second account that verifies the same address.

use std::time::Duration;

use glasshouse_casino::email::{purge_email, read_email, remove_email};
use glasshouse_casino::limits::{read_exclusions, read_limits};
use glasshouse_casino::{LimitRefusal, RequestOrigin};
use glasshouse_domain::ExclusionDuration;
use rstest_reuse::apply;

use crate::support::email::{NOT_ADDED, follow, link, player_with_email};
use crate::support::limits::{exclude_for, stake};
use crate::support::mailbox::Mailbox;
use crate::support::{Fixture, assert_refused, both_databases};

const ADDRESS: &str = "alice@example.com";
const YEAR: Duration = Duration::from_hours(24 * 365);

#[apply(both_databases)]
async fn a_second_account_with_the_address_takes_over_the_exclusion(#[case] test: &Fixture) {
    let mailbox = Mailbox::new();
    let alice = player_with_email(test, &mailbox, ("alice", ADDRESS)).await;
    let exclusion = exclude_for(test, alice, ExclusionDuration::SixMonths).await;
    test.clock.advance(Duration::from_hours(24 * 30));
    let again = test.player("again", 10_000).await;
    let token = link(test, &mailbox, again, "A.Lice+2@example.com").await;
    assert!(
        follow(test, &token).await.is_ok(),
        "dots make another address"
    );
    let token = link(test, &mailbox, again, "Alice+2@example.com").await;
    // Until the address is known to be the player's own, nothing happens.
    stake(&test.house, again, 100).await.unwrap();
    assert_refused(follow(test, &token).await, &NOT_ADDED);
    let refused = stake(&test.house, again, 100).await;
    assert_refused(refused, &LimitRefusal::Excluded(exclusion.until).into());
    let taken_over = read_limits(&test.house, again).await.unwrap().exclusion;
    assert_eq!(taken_over.unwrap().until, exclusion.until);
    let mails = mailbox.receive(&test.house).await;
    assert_eq!(
        mails.last().unwrap().subject,
        "This e-mail address could not be added"
    );
    test.assert_clean().await;
    // A repetition changes nothing.
    let token = link(test, &mailbox, again, ADDRESS).await;
    assert_refused(follow(test, &token).await, &NOT_ADDED);
    assert_eq!(read_exclusions(&test.house, again).await.unwrap().len(), 1);
    test.clock
        .advance(exclusion.until.saturating_since(test.house.now()));
    stake(&test.house, again, 100).await.unwrap();
}

#[apply(both_databases)]
async fn a_longer_exclusion_of_its_own_stays(#[case] test: &Fixture) {
    let mailbox = Mailbox::new();
    let alice = player_with_email(test, &mailbox, ("alice", ADDRESS)).await;
    exclude_for(test, alice, ExclusionDuration::Week).await;
    let other = test.player("other", 0).await;
    let own = exclude_for(test, other, ExclusionDuration::Year).await;
    let token = link(test, &mailbox, other, ADDRESS).await;
    assert_refused(follow(test, &token).await, &NOT_ADDED);
    let limits = read_limits(&test.house, other).await.unwrap();
    assert_eq!(limits.exclusion, Some(own));
    test.assert_clean().await;
}

/// The address is removed before or after the exclusion begins, and remembered.
#[apply(both_databases)]
async fn removing_the_address_does_not_help(#[case] test: &Fixture) {
    let mailbox = Mailbox::new();
    let alice = player_with_email(test, &mailbox, ("alice", ADDRESS)).await;
    remove_email(&test.house, alice, RequestOrigin::default())
        .await
        .unwrap();
    let exclusion = exclude_for(test, alice, ExclusionDuration::FiveYears).await;
    test.clock.advance(YEAR + YEAR);
    purge_email(&test.house).await.unwrap();
    let again = test.player("again", 0).await;
    let token = link(test, &mailbox, again, ADDRESS).await;
    assert_refused(follow(test, &token).await, &NOT_ADDED);
    let limits = read_limits(&test.house, again).await.unwrap();
    assert_eq!(limits.exclusion.unwrap().until, exclusion.until);
    // Once it is over, the address is free and forgotten.
    test.clock.advance(YEAR * 4);
    let token = link(test, &mailbox, again, ADDRESS).await;
    follow(test, &token).await.unwrap();
    assert_eq!(purge_email(&test.house).await.unwrap(), 1);
    let address = read_email(&test.house, again).await.unwrap().address;
    assert_eq!(address.unwrap().as_str(), ADDRESS);
    test.assert_clean().await;
}
