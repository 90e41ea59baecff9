//! The texts of the mails. Subjects are constant: nothing that a user has written is in a header.

use std::fmt::Write as _;

use glasshouse_domain::Timestamp;

use crate::mail::message::{Message, Notice, Occasion, TransferFacts};

/// The subject and the text of a mail. Links begin with the public URL.
pub(crate) fn text_of(message: &Message, public_url: &str) -> (&'static str, String) {
    let (subject, text) = match message {
        Message::VerifyAddress { username, token } => (
            "Confirm your e-mail address",
            format!(
                "Hello,\n\n\
                 the account {username} at Glasshouse wants to use this e-mail address. To confirm that \
                 it is yours, open this link within 24 hours:\n\n\
                 {public_url}/verify-email#{token}\n\n\
                 If this was not you, ignore this mail: without the link nothing happens."
            ),
        ),
        Message::AddressRefused { username } => (
            "This e-mail address could not be added",
            format!(
                "Hello,\n\n\
                 you have asked to use this e-mail address for the account {username} at Glasshouse. It \
                 was not added, because the same address belongs, or belonged, to another account.\n\n\
                 If that account is excluded from playing, the account {username} is now excluded until \
                 the same time: an exclusion holds for the person, not for one account. Money can still \
                 be withdrawn.\n\n\
                 If you have forgotten the password of your other account, you can choose a new one:\n\n\
                 {public_url}/forgot-password"
            ),
        ),
        Message::RecoverPassword { username, token } => (
            "Choose a new password",
            format!(
                "Hello {username},\n\n\
                 somebody has asked for a new password for your account at Glasshouse. To choose one, \
                 open this link within 30 minutes:\n\n\
                 {public_url}/new-password#{token}\n\n\
                 Only the link in the newest of these mails works, and only once. All sessions of your \
                 account will end.\n\n\
                 If this was not you, ignore this mail: your password stays as it is."
            ),
        ),
        Message::RecoverAdministrator { username } => (
            "Your password was not changed",
            format!(
                "Hello {username},\n\n\
                 somebody has asked for a new password for your account at Glasshouse. Administrators \
                 cannot choose one by mail. If you need a new password, ask the operator for a one-time \
                 password."
            ),
        ),
        Message::Notice(notice) => notice_text(notice, public_url),
    };
    (subject, format!("{text}\n\nGlasshouse\n{public_url}\n"))
}

fn notice_text(notice: &Notice, public_url: &str) -> (&'static str, String) {
    let (subject, what) = occasion_text(&notice.occasion);
    let at = minute_text(Timestamp::from_micros(notice.at_micros));
    let mut text = format!("Hello {},\n\n{what}\n\nTime: {at}", notice.username);
    for (name, value) in [("Device", &notice.device), ("Address", &notice.address)] {
        if let Some(value) = value {
            // Writing to a string cannot fail.
            let _ = write!(text, "\n{name}: {value}");
        }
    }
    if matches!(notice.occasion, Occasion::AccountClosed) {
        text.push_str(
            "\n\nIf this was not you, contact us. We can open the account again, and an account that is open \
             can be protected with another password.",
        );
        return (subject, text);
    }
    let _ = write!(
        text,
        "\n\nIf this was not you, change your password at once, or choose a new one if you can no longer \
         sign in:\n\n{public_url}/settings?tab=security\n{public_url}/forgot-password"
    );
    (subject, text)
}

#[expect(clippy::too_many_lines, reason = "a text for each occasion")]
fn occasion_text(occasion: &Occasion) -> (&'static str, String) {
    let plain = |subject, text: &str| (subject, text.to_owned());
    match occasion {
        Occasion::NewDevice => plain(
            "A sign-in from a new device",
            "somebody has signed in to your account on a device that had not signed in before.",
        ),
        Occasion::PasswordChanged => plain(
            "Your password was changed",
            "the password of your account was changed, and all other sessions were ended.",
        ),
        Occasion::PasswordReset => plain(
            "Your password was reset",
            "the house has replaced your password by a one-time password, and all sessions were ended.",
        ),
        Occasion::PasswordRecovered => plain(
            "A new password was chosen",
            "a new password was chosen with a link from a mail, and all sessions were ended.",
        ),
        Occasion::EmailChanged => plain(
            "Your e-mail address was changed",
            "another e-mail address was confirmed for your account. This one gets no more mails.",
        ),
        Occasion::EmailRemoved => plain(
            "Your e-mail address was removed",
            "this e-mail address was removed from your account. It gets no more mails.",
        ),
        Occasion::SessionEnded => plain(
            "A session was ended",
            "one of the sessions of your account was ended from another device.",
        ),
        Occasion::OtherSessionsEnded => plain(
            "Other sessions were ended",
            "all sessions of your account except one were ended.",
        ),
        Occasion::SessionsEndedByHouse => plain(
            "Your sessions were ended",
            "the house has ended all sessions of your account. You can sign in again with your password.",
        ),
        Occasion::AuthenticatorEnabled => plain(
            "An authenticator was set up",
            "an authenticator was set up, whose codes are needed to sign in. All other sessions were ended.",
        ),
        Occasion::AuthenticatorRemoved => plain(
            "Your authenticator was removed",
            "the authenticator of your account was removed. No code from it is needed to sign in any more.",
        ),
        Occasion::PasskeyAdded => plain(
            "A passkey was added",
            "a passkey was added, which signs in to your account without a password.",
        ),
        Occasion::PasskeyRemoved => plain(
            "A passkey was removed",
            "a passkey was removed from your account, and all other sessions were ended.",
        ),
        Occasion::RecoveryCodeUsed => plain(
            "A recovery code was used",
            "a recovery code was used in place of your second factor. It cannot be used again.",
        ),
        Occasion::RecoveryCodesReplaced => plain(
            "Your recovery codes were replaced",
            "the recovery codes of your account were replaced. Earlier ones can no longer be used.",
        ),
        Occasion::SecondFactorReset => plain(
            "Your second factor was removed",
            "the house has removed your second factor, and all sessions were ended.",
        ),
        Occasion::DataExported => plain(
            "Your data was downloaded",
            "everything that is stored about you was downloaded from your account.",
        ),
        Occasion::AccountClosed => plain(
            "Your account was closed",
            "your account was closed, and all sessions were ended. This e-mail address was removed from it \
             and gets no more mails.",
        ),
        Occasion::WithdrawalRequested(transfer) => (
            "A withdrawal was requested",
            with_transfer("a withdrawal was requested.", transfer),
        ),
        Occasion::WithdrawalSent(transfer) => (
            "Your withdrawal was sent",
            with_transfer("your withdrawal was approved and sent.", transfer),
        ),
        Occasion::WithdrawalReturned(transfer) => (
            "Your withdrawal could not be paid",
            with_transfer(
                "your withdrawal could not be paid, and its amount is in your balance again.",
                transfer,
            ),
        ),
        Occasion::WithdrawalRejected { transfer, reason } => (
            "Your withdrawal was rejected",
            with_transfer(
                "your withdrawal was rejected, and its amount is in your balance again.",
                transfer,
            ) + &format!("\nReason: {reason}"),
        ),
    }
}

fn with_transfer(what: &str, transfer: &TransferFacts) -> String {
    format!("{what}\n\n{}", transfer_text(transfer))
}

fn transfer_text(transfer: &TransferFacts) -> String {
    let TransferFacts {
        amount,
        currency,
        destination,
    } = transfer;
    format!("Amount: ${amount}\nCoin: {currency}\nTo: {destination}")
}

/// A time, such as `14 November 2023, 22:13 UTC`.
fn minute_text(at: Timestamp) -> String {
    jiff::Timestamp::from_microsecond(at.as_micros())
        .map(|moment| moment.strftime("%-d %B %Y, %H:%M UTC").to_string())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const URL: &str = "https://casino.example";

    #[test]
    fn links_lead_to_the_public_address_and_keep_the_token_from_servers() {
        let message = Message::RecoverPassword {
            username: "alice".to_owned(),
            token: "abc".to_owned(),
        };
        let (_, text) = text_of(&message, URL);
        assert!(text.contains("\nhttps://casino.example/new-password#abc\n"));
    }

    /// A reason may contain anything, but it is in the text only.
    #[test]
    fn what_others_have_written_is_in_no_header() {
        let notice = |reason: &str| {
            Message::Notice(Notice {
                username: "alice".to_owned(),
                occasion: Occasion::WithdrawalRejected {
                    transfer: TransferFacts {
                        amount: "20.00".to_owned(),
                        currency: "Bitcoin (BTC)".to_owned(),
                        destination: "bc1q".to_owned(),
                    },
                    reason: reason.to_owned(),
                },
                at_micros: 1_700_000_000_000_000,
                device: None,
                address: Some("192.0.2.1".to_owned()),
            })
        };
        let (subject, text) = text_of(&notice("No.\r\nBcc: bob@example.com"), URL);
        assert_eq!(subject, text_of(&notice("other"), URL).0);
        assert!(text.contains("Amount: $20.00\nCoin: Bitcoin (BTC)\nTo: bc1q\nReason: No."));
        assert!(text.contains("Time: 14 November 2023, 22:13 UTC\nAddress: 192.0.2.1"));
        let stored = serde_json::to_string(&notice("x")).unwrap();
        let read: Message = serde_json::from_str(&stored).unwrap();
        assert_eq!(text_of(&read, URL), text_of(&notice("x"), URL));
    }
}
