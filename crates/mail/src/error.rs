//! Why mails cannot be sent.

/// The configuration of the mails cannot be used. The texts contain no secrets.
#[derive(Debug, thiserror::Error)]
pub enum MailSetUpError {
    /// The sender is not an address with an optional name.
    #[error("the sender must be an address such as casino@example.com")]
    Sender,
    /// The URL of the SMTP server cannot be used; the value says why.
    #[error("{0}")]
    Url(&'static str),
}

/// Why a mail was not sent.
#[derive(Debug, thiserror::Error)]
pub enum SendError {
    /// It may work later.
    #[error("{0}")]
    Temporary(String),
    /// The server refuses this mail for good.
    #[error("{0}")]
    Permanent(String),
}
