//! Settings for mails.
#![expect(
    clippy::doc_markdown,
    reason = "these comments are the plain text of --help"
)]

use clap::Args;

#[derive(Args, Clone)]
pub(crate) struct MailConfiguration {
    /// The SMTP server that sends mails, as smtps://USER:PASSWORD@HOST, or
    /// smtp://USER:PASSWORD@HOST?tls=required for STARTTLS. If omitted, mails are written as files into
    /// the data directory. Only by environment variable or file
    #[arg(
        long = "smtp-url",
        id = "smtp_url",
        value_name = "URL",
        global = true,
        env = "GLASSHOUSE_SMTP_URL",
        hide_env_values = true,
        hide = true
    )]
    pub(crate) smtp_url: Option<String>,

    /// The sender of mails, such as casino@example.com or "The House <casino@example.com>"
    #[arg(
        long = "mail-from",
        id = "mail_from",
        value_name = "ADDRESS",
        global = true,
        env = "GLASSHOUSE_MAIL_FROM"
    )]
    pub(crate) mail_from: Option<String>,
}
