//! Mails over SMTP.

use std::time::Duration;

use lettre::transport::smtp::response::{Category, Severity};
use lettre::{AsyncSmtpTransport, AsyncTransport as _, Message, Tokio1Executor};
use url::{Host, Url};

use crate::error::{MailSetUpError, SendError};

/// How long the server may take for each step.
const TIMEOUT: Duration = Duration::from_secs(15);

/// The server, to which each mail opens a connection: mails are rare.
pub(crate) struct Smtp {
    transport: AsyncSmtpTransport<Tokio1Executor>,
}

impl Smtp {
    /// The password and the mails, which contain links into accounts, must not be readable on their way.
    pub(crate) fn new(url: &str) -> Result<Self, MailSetUpError> {
        let parsed = Url::parse(url).map_err(|_| MailSetUpError::Url("it is not a URL"))?;
        let asks_for_tls = parsed
            .query_pairs()
            .any(|(name, value)| name == "tls" && value == "required");
        match parsed.scheme() {
            "smtps" => {}
            "smtp" if asks_for_tls || is_local(&parsed) => {}
            "smtp" => {
                return Err(MailSetUpError::Url(
                    "smtp:// is not encrypted: use smtps://, or smtp://…?tls=required for STARTTLS",
                ));
            }
            _ => {
                return Err(MailSetUpError::Url("it must be smtps://USER:PASSWORD@HOST"));
            }
        }
        // The library's error may contain the URL, and with it the password.
        let builder = AsyncSmtpTransport::<Tokio1Executor>::from_url(url)
            .map_err(|_| MailSetUpError::Url("it must be smtps://USER:PASSWORD@HOST"))?;
        Ok(Self {
            transport: builder.timeout(Some(TIMEOUT)).build(),
        })
    }

    pub(crate) async fn try_connection(&self) -> Result<(), SendError> {
        match self.transport.test_connection().await {
            Ok(true) => Ok(()),
            Ok(false) => Err(SendError::Temporary(
                "the SMTP server has closed the connection".to_owned(),
            )),
            Err(error) => Err(SendError::Temporary(reason(&error))),
        }
    }

    pub(crate) async fn send(&self, message: Message) -> Result<(), SendError> {
        match self.transport.send(message).await {
            Ok(_) => Ok(()),
            Err(error) => {
                // All other refusals, such as that of the password, can be mended by the operator.
                let is_final = error.status().is_some_and(|code| {
                    code.severity == Severity::PermanentNegativeCompletion
                        && code.category == Category::MailSystem
                });
                let text = reason(&error);
                Err(if is_final {
                    SendError::Permanent(text)
                } else {
                    SendError::Temporary(text)
                })
            }
        }
    }
}

/// The server's answer, which may repeat the mail's text, is cut short.
fn reason(error: &lettre::transport::smtp::Error) -> String {
    match error.status() {
        Some(code) => format!("the SMTP server answered {code}"),
        None => error.to_string().chars().take(200).collect(),
    }
}

fn is_local(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        // Only known schemes have their hosts parsed as addresses.
        Some(Host::Domain(name)) => {
            let address = name.parse::<std::net::IpAddr>();
            name == "localhost" || address.is_ok_and(|address| address.is_loopback())
        }
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mails_are_encrypted_unless_the_server_is_on_this_machine() {
        for valid in [
            "smtps://user:password@mail.example",
            "smtp://user:password@mail.example?tls=required",
            "smtp://127.0.0.1:2525",
            "smtp://localhost",
            "smtp://[::1]:25",
        ] {
            assert!(Smtp::new(valid).is_ok(), "{valid}");
        }
        for invalid in [
            "mail.example",
            "http://mail.example",
            "smtp://user:s3cret@mail.example",
            "smtp://user:s3cret@mail.example?tls=opportunistic",
            "smtps://",
        ] {
            let Err(error) = Smtp::new(invalid) else {
                panic!("{invalid} was accepted");
            };
            assert!(!error.to_string().contains("s3cret"));
        }
    }
}
