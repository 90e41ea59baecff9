//! What an account's owner is told of by mail.

use glasshouse_casino::RequestOrigin;
use glasshouse_casino::accounts::{
    SessionKeyHash, SignIn, end_other_sessions, open_session, read_security_events, sign_in,
};
use glasshouse_casino::administration::{
    Decision, PayoutRecord, SentByHand, record_payout, reset_password,
};
use glasshouse_casino::email::{read_email, set_notice};
use glasshouse_casino::money::{WithdrawalRequest, request_withdrawal};
use glasshouse_domain::{NoticeTopic, TypedPassword, UserId, WithdrawalId};
use rstest_reuse::apply;

use crate::support::administration::{APPROVAL, administrator, context, decide_withdrawal};
use crate::support::email::player_with_email;
use crate::support::mailbox::Mailbox;
use crate::support::{Fixture, both_databases};
use crate::withdrawals::ADDRESS as WALLET;

const ADDRESS: &str = "alice@example.com";

fn origin(is_new_device: bool) -> RequestOrigin {
    RequestOrigin {
        device: Some("Firefox on Linux".to_owned()),
        address: Some("192.0.2.1".to_owned()),
        is_new_device,
    }
}

async fn session(test: &Fixture, user: UserId, is_new_device: bool) -> SessionKeyHash {
    let key = open_session(&test.house, user, origin(is_new_device)).await;
    SessionKeyHash::of(&key.unwrap())
}

async fn withdraw(test: &Fixture, player: UserId) -> WithdrawalId {
    let request = WithdrawalRequest::parse("20", "btc", WALLET).unwrap();
    let requested = request_withdrawal(&test.house, player, request, None).await;
    requested.unwrap().withdrawal.id
}

#[apply(both_databases)]
async fn the_owner_is_told_of_new_devices_and_of_lost_sessions(#[case] test: &Fixture) {
    let mailbox = Mailbox::new();
    let alice = player_with_email(test, &mailbox, ("alice", ADDRESS)).await;
    let current = session(test, alice, false).await;
    assert!(mailbox.receive(&test.house).await.is_empty());
    session(test, alice, true).await;
    let mail = mailbox.receive_one(&test.house).await;
    assert_eq!(mail.subject, "A sign-in from a new device");
    for part in [
        "Hello alice,",
        "Device: Firefox on Linux\nAddress: 192.0.2.1",
        "14 November 2023, 22:13 UTC",
    ] {
        assert!(mail.text.contains(part), "{}", mail.text);
    }
    end_other_sessions(&test.house, alice, &current, origin(false))
        .await
        .unwrap();
    assert_eq!(
        mailbox.subjects(&test.house).await,
        ["Other sessions were ended"]
    );
    reset_password(&test.house, "alice").await.unwrap();
    assert_eq!(
        mailbox.subjects(&test.house).await,
        ["Your password was reset"]
    );
}

#[apply(both_databases)]
async fn failed_attempts_send_nothing(#[case] test: &Fixture) {
    let mailbox = Mailbox::new();
    let alice = player_with_email(test, &mailbox, ("alice", ADDRESS)).await;
    for _ in 0..3 {
        let attempt = SignIn {
            username: "alice".to_owned(),
            password: TypedPassword::new("wrong-password".to_owned()),
            origin: origin(true),
        };
        assert!(sign_in(&test.house, attempt, None).await.is_err());
    }
    loop {
        let events = read_security_events(&test.house, alice, None, 10)
            .await
            .unwrap();
        let failures = events
            .entries
            .iter()
            .filter(|event| event.kind.is_failed_attempt());
        if failures.count() == 3 {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    assert!(mailbox.receive(&test.house).await.is_empty());
}

#[apply(both_databases)]
async fn the_owner_is_told_of_withdrawals(#[case] test: &Fixture) {
    let mailbox = Mailbox::new();
    let boss = administrator(test, "boss").await;
    let deputy = administrator(test, "deputy").await;
    let alice = player_with_email(test, &mailbox, ("alice", ADDRESS)).await;
    test.set_balance(alice, 10_000).await.unwrap();
    let sent = withdraw(test, alice).await;
    let mail = mailbox.receive_one(&test.house).await;
    assert_eq!(mail.subject, "A withdrawal was requested");
    assert!(
        mail.text
            .contains(&format!("Amount: $20.00\nCoin: BTC\nTo: {WALLET}")),
        "{}",
        mail.text
    );
    decide_withdrawal(&test.house, context(boss), sent, APPROVAL)
        .await
        .unwrap();
    assert!(mailbox.subjects(&test.house).await.is_empty());
    let by_hand = SentByHand::parse("4a5e1e4baab89f3a32518a88", "0.0002", "").unwrap();
    for record in [
        PayoutRecord::Sent(by_hand),
        PayoutRecord::Failed("a typo".to_owned()),
        PayoutRecord::Returned,
    ] {
        // Whoever has marked it as failed does not return it.
        let by = if record == PayoutRecord::Returned {
            deputy
        } else {
            boss
        };
        record_payout(&test.house, context(by), sent, record)
            .await
            .unwrap();
    }
    assert_eq!(
        mailbox.subjects(&test.house).await,
        [
            "Your withdrawal was sent",
            "Your withdrawal could not be paid"
        ]
    );
    let rejected = withdraw(test, alice).await;
    mailbox.receive(&test.house).await;
    // A reason may be anything. It is stored as one line, and must end up in the text of the mail.
    let reason = "Schade: \u{fc}ber dem Limit\r\n.\r\nSubject: none";
    let decision = Decision::Reject(reason.to_owned());
    decide_withdrawal(&test.house, context(boss), rejected, decision.clone())
        .await
        .unwrap();
    let mail = mailbox.receive_one(&test.house).await;
    assert_eq!(mail.subject, "Your withdrawal was rejected");
    assert!(
        mail.text.contains(&reason.replace(char::is_control, " ")),
        "{}",
        mail.text
    );
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn optional_notices_can_be_declined_and_others_not(#[case] test: &Fixture) {
    let mailbox = Mailbox::new();
    let boss = administrator(test, "boss").await;
    let alice = player_with_email(test, &mailbox, ("alice", ADDRESS)).await;
    test.set_balance(alice, 10_000).await.unwrap();
    for topic in NoticeTopic::ALL {
        set_notice(&test.house, alice, *topic, false).await.unwrap();
        set_notice(&test.house, alice, *topic, false).await.unwrap();
    }
    let declined = read_email(&test.house, alice).await.unwrap().declined;
    assert_eq!(declined, NoticeTopic::ALL);
    let current = session(test, alice, false).await;
    session(test, alice, true).await;
    end_other_sessions(&test.house, alice, &current, origin(false))
        .await
        .unwrap();
    let send = async || {
        let id = withdraw(test, alice).await;
        decide_withdrawal(&test.house, context(boss), id, APPROVAL)
            .await
            .unwrap();
        let by_hand = SentByHand::parse("4a5e1e4baab89f3a32518a88", "0.0002", "").unwrap();
        let sent = PayoutRecord::Sent(by_hand);
        record_payout(&test.house, context(boss), id, sent)
            .await
            .unwrap();
    };
    send().await;
    let expected = ["A sign-in from a new device", "A withdrawal was requested"];
    assert_eq!(mailbox.subjects(&test.house).await, expected);
    set_notice(&test.house, alice, NoticeTopic::Withdrawals, true)
        .await
        .unwrap();
    send().await;
    let expected = ["A withdrawal was requested", "Your withdrawal was sent"];
    assert_eq!(mailbox.subjects(&test.house).await, expected);
}

/// Nobody without a verified address gets mails, and nobody else's address gets them.
#[apply(both_databases)]
async fn there_are_no_notices_without_a_verified_address(#[case] test: &Fixture) {
    let mailbox = Mailbox::new();
    let bob = test.player("bob", 0).await;
    player_with_email(test, &mailbox, ("alice", ADDRESS)).await;
    session(test, bob, true).await;
    reset_password(&test.house, "bob").await.unwrap();
    assert!(mailbox.receive(&test.house).await.is_empty());
}
