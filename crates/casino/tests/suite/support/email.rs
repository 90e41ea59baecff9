//! Users with e-mail addresses, with short signatures for the tests.

use glasshouse_casino::email::{request_email, verify_email};
use glasshouse_casino::{CasinoError, EmailRefusal, Refusal, RequestOrigin};
use glasshouse_domain::{EmailAddress, UserId};

use super::Fixture;
use super::mailbox::Mailbox;

pub(crate) const UNUSABLE: Refusal = Refusal::Email(EmailRefusal::LinkUnusable);
pub(crate) const NOT_ADDED: Refusal = Refusal::Email(EmailRefusal::AddressRefused);

pub(crate) fn email(text: &str) -> EmailAddress {
    EmailAddress::parse(text).unwrap()
}

/// Asks for a link to an address and returns its token.
pub(crate) async fn link(test: &Fixture, mailbox: &Mailbox, user: UserId, address: &str) -> String {
    request_email(&test.house, user, email(address))
        .await
        .unwrap();
    let mails = mailbox.receive(&test.house).await;
    let mail = mails.iter().find(|mail| mail.to == address).unwrap();
    mail.token()
}

pub(crate) async fn follow(test: &Fixture, token: &str) -> Result<(), CasinoError> {
    verify_email(&test.house, token, RequestOrigin::default()).await
}

/// A player with a verified address.
pub(crate) async fn player_with_email(
    test: &Fixture,
    mailbox: &Mailbox,
    (name, address): (&str, &str),
) -> UserId {
    let player = test.player(name, 0).await;
    let token = link(test, mailbox, player, address).await;
    follow(test, &token).await.unwrap();
    player
}
