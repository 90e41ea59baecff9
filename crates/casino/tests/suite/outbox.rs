//! The outbox: a mail is sent once, tried again for a limited time, and its content is deleted then.

use std::sync::Arc;
use std::time::Duration;

use glasshouse_casino::email::request_email;
use glasshouse_casino::mail::{deliver_due_mails, purge_mails};
use glasshouse_mail::Mailer;
use glasshouse_testing::TestSmtpServer;
use rstest_reuse::apply;

use crate::support::email::email;
use crate::support::mailbox::Mailbox;
use crate::support::{Fixture, both_databases, stored_texts};

const ADDRESS: &str = "alice@example.com";

fn mailer_to(server: &TestSmtpServer) -> Arc<Mailer> {
    let url = format!("smtp://casino:s3cret@{}", server.address);
    Arc::new(Mailer::over_smtp(&url, "The House <casino@example.com>").unwrap())
}

/// How each mail in the outbox is: how often it was tried, whether it waits and whether it was sent.
fn states(test: &Fixture) -> Vec<String> {
    test.texts(
        "SELECT attempts || CASE WHEN content IS NULL THEN '' ELSE ' waits' END
            || CASE WHEN sent_at_micros IS NULL THEN '' ELSE ' sent' END AS value
         FROM mails ORDER BY id",
    )
}

#[apply(both_databases)]
async fn two_servers_send_a_mail_once_and_forget_its_link(#[case] test: &Fixture) {
    let server = TestSmtpServer::start();
    let alice = test.player("alice", 0).await;
    for _ in 0..20 {
        request_email(&test.house, alice, email(ADDRESS))
            .await
            .unwrap();
    }
    let other = test.another_house();
    let mailer = mailer_to(&server);
    let work = |house| {
        let mailer = Arc::clone(&mailer);
        async move { while deliver_due_mails(house, &mailer).await.unwrap() > 0 {} }
    };
    tokio::join!(work(&test.house), work(&other));
    let mails = server.mails();
    assert_eq!(mails.len(), 20);
    assert_eq!(states(test), vec!["1 sent"; 20]);
    let last = mails
        .iter()
        .find(|mail| mail.data.contains("Message-ID: <20."))
        .unwrap();
    assert_eq!(last.from, "<casino@example.com>");
    assert_eq!(last.to, ["<alice@example.com>"]);
    // "\0casino\0s3cret" in base64.
    assert!(
        server
            .authentications()
            .contains(&"PLAIN AGNhc2lubwBzM2NyZXQ=".to_owned())
    );
    // Long lines are broken on their way.
    let text = last.data.replace("=\r\n", "");
    let (_, link) = text.split_once("/verify-email#").unwrap();
    let token: String = link.chars().take_while(char::is_ascii_hexdigit).collect();
    assert_eq!(token.len(), 64);
    let stored = test.texts("SELECT token_hash AS value FROM email_verifications");
    assert_eq!(stored.len(), 1);
    assert_ne!(stored[0], token);
    if test.is_postgres() {
        assert!(!stored_texts(test).contains(&token));
    }
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn a_mail_is_tried_again_and_given_up_after_a_day(#[case] test: &Fixture) {
    let server = TestSmtpServer::start();
    let mailer = mailer_to(&server);
    let alice = test.player("alice", 0).await;
    request_email(&test.house, alice, email(ADDRESS))
        .await
        .unwrap();
    let attempt = async || deliver_due_mails(&test.house, &mailer).await.unwrap();
    server.refuse(&["451 later"; 100]);
    let mut waited = Duration::ZERO;
    for delay in [10, 20, 40, 80] {
        assert_eq!(attempt().await, 1);
        assert_eq!(attempt().await, 0, "not before the delay");
        let delay = Duration::from_secs(delay);
        test.clock
            .advance(delay.saturating_sub(Duration::from_micros(1)));
        assert_eq!(attempt().await, 0, "not before the delay");
        test.clock.advance(Duration::from_micros(1));
        waited += delay;
    }
    assert_eq!(states(test), ["4 waits"]);
    let mut attempts = 4;
    while states(test)[0].ends_with("waits") {
        attempts += attempt().await;
        test.clock.advance(Duration::from_mins(10));
        waited += Duration::from_mins(10);
    }
    assert!(waited <= Duration::from_hours(24), "{waited:?}");
    assert!((25..40).contains(&attempts), "{attempts}");
    assert_eq!(states(test), [attempts.to_string()]);
    assert!(server.mails().is_empty());
    assert_eq!(attempt().await, 0);
    test.clock.advance(Duration::from_hours(24 * 30));
    assert_eq!(purge_mails(&test.house).await.unwrap(), 1);
    assert!(states(test).is_empty());
}

#[apply(both_databases)]
async fn what_the_server_refuses_for_good_is_given_up_at_once(#[case] test: &Fixture) {
    let server = TestSmtpServer::start();
    let mailer = mailer_to(&server);
    let alice = test.player("alice", 0).await;
    for answer in ["550 no such mailbox", "554 spam", "535 wrong password"] {
        server.refuse(&[answer]);
        request_email(&test.house, alice, email(ADDRESS))
            .await
            .unwrap();
        deliver_due_mails(&test.house, &mailer).await.unwrap();
    }
    // The operator can mend what is wrong with the connection.
    assert_eq!(states(test), ["1", "1", "1 waits"]);
    test.clock.advance(Duration::from_secs(10));
    deliver_due_mails(&test.house, &mailer).await.unwrap();
    assert_eq!(states(test), ["1", "1", "2 sent"]);
    assert_eq!(server.mails().len(), 1);
}

/// A server that dies while it sends a mail keeps the others from it for some minutes only.
#[apply(both_databases)]
async fn a_lost_mail_is_sent_after_its_lease(#[case] test: &Fixture) {
    let mailbox = Mailbox::new();
    let alice = test.player("alice", 0).await;
    request_email(&test.house, alice, email(ADDRESS))
        .await
        .unwrap();
    // As if a server had leased it now.
    let lease = 180 * 1_000_000;
    test.sql(&format!(
        "UPDATE mails SET attempts = 1, next_attempt_at_micros = next_attempt_at_micros + {lease}"
    ))
    .unwrap();
    assert!(mailbox.receive(&test.house).await.is_empty());
    test.clock.advance(Duration::from_mins(3));
    assert_eq!(mailbox.receive_one(&test.house).await.to, ADDRESS);
    assert_eq!(states(test), ["2 sent"]);
}

#[apply(both_databases)]
async fn an_unreachable_server_is_tried_again(#[case] test: &Fixture) {
    let alice = test.player("alice", 0).await;
    request_email(&test.house, alice, email(ADDRESS))
        .await
        .unwrap();
    // Nothing listens on port 1.
    let nowhere = Mailer::over_smtp("smtp://127.0.0.1:1", "casino@example.com").unwrap();
    deliver_due_mails(&test.house, &Arc::new(nowhere))
        .await
        .unwrap();
    assert_eq!(states(test), ["1 waits"]);
    test.clock.advance(Duration::from_secs(10));
    let mail = Mailbox::new().receive_one(&test.house).await;
    assert_eq!(mail.subject, "Confirm your e-mail address");
}
