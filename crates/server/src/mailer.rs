//! The way that mails take: an SMTP server, or a folder in the data directory.

use std::path::PathBuf;

use glasshouse_mail::{MailSetUpError, Mailer};

use crate::Failure;
use crate::configuration::Configuration;

/// The folder in the data directory.
const FOLDER: &str = "mail";
/// The sender of mails that are only written to files.
const SANDBOX_SENDER: &str = "Glasshouse <glasshouse@sandbox.example>";

/// The folder into which mails are written; `None` if they are sent over SMTP.
pub(crate) fn folder(configuration: &Configuration) -> Option<PathBuf> {
    let is_sent = configuration.mail.smtp_url.is_some();
    (!is_sent).then(|| configuration.data_directory.join(FOLDER))
}

/// Validates the configuration. Does not connect yet: an unavailable mail server must not prevent the
/// casino from starting.
pub(crate) fn set_up(configuration: &Configuration) -> Result<Mailer, Failure> {
    let mail = &configuration.mail;
    let sender = mail.mail_from.as_deref();
    let mailer = match (&mail.smtp_url, sender, folder(configuration)) {
        (Some(url), Some(sender), _) => Mailer::over_smtp(url, sender),
        (None, sender, Some(folder)) => {
            Mailer::into_folder(folder, sender.unwrap_or(SANDBOX_SENDER))
        }
        (_, None, _) | (None, Some(_), None) => {
            let sentence = "GLASSHOUSE_SMTP_URL also needs the sender of the mails: set \
                            GLASSHOUSE_MAIL_FROM";
            return Err(Failure::Configuration(sentence.to_owned()));
        }
    };
    mailer.map_err(|error| {
        let variable = match error {
            MailSetUpError::Sender => "GLASSHOUSE_MAIL_FROM",
            MailSetUpError::Url(_) => "GLASSHOUSE_SMTP_URL",
        };
        Failure::Configuration(format!("{variable} cannot be used: {error}"))
    })
}
