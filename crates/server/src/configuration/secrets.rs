//! Secrets are read from environment variables or files only, because every user of the machine can
//! read command lines with `ps`.
#![expect(
    clippy::doc_markdown,
    reason = "these comments are the plain text of --help"
)]

use std::path::{Path, PathBuf};

use clap::parser::ValueSource;
use clap::{ArgMatches, Args};
use glasshouse_casino::DatabaseUrl;

use super::{Configuration, RestoreArguments};

/// The secret settings: their IDs in clap and their environment variables.
const SECRETS: [(&str, &str); 8] = [
    ("secret", "GLASSHOUSE_SECRET"),
    ("payments_api_key", "GLASSHOUSE_PAYMENTS_API_KEY"),
    ("payments_ipn_secret", "GLASSHOUSE_PAYMENTS_IPN_SECRET"),
    ("payments_password", "GLASSHOUSE_PAYMENTS_PASSWORD"),
    ("smtp_url", "GLASSHOUSE_SMTP_URL"),
    (
        "payments_payout_secret",
        "GLASSHOUSE_PAYMENTS_PAYOUT_SECRET",
    ),
    ("alert_webhook_url", "GLASSHOUSE_ALERT_WEBHOOK_URL"),
    ("alert_webhook_secret", "GLASSHOUSE_ALERT_WEBHOOK_SECRET"),
];
const DATABASE: (&str, &str) = ("database_url", "DATABASE_URL");
const OWNER: (&str, &str) = ("owner_database_url", "GLASSHOUSE_OWNER_DATABASE_URL");
/// The argument of `glasshouse restore`.
const RESTORED: (&str, &str) = ("into", "GLASSHOUSE_RESTORE_DATABASE_URL");

/// Files with secrets, as an alternative to environment variables.
#[derive(Args, Clone)]
#[expect(
    clippy::struct_field_names,
    reason = "each is named as its flag and its variable are"
)]
pub(crate) struct SecretFiles {
    /// A file that contains the value of DATABASE_URL
    #[arg(long, global = true, env = "DATABASE_URL_FILE", value_name = "FILE")]
    database_url_file: Option<PathBuf>,

    /// A file that contains the value of GLASSHOUSE_OWNER_DATABASE_URL
    #[arg(
        long,
        global = true,
        env = "GLASSHOUSE_OWNER_DATABASE_URL_FILE",
        value_name = "FILE"
    )]
    owner_database_url_file: Option<PathBuf>,

    /// A file that contains the value of GLASSHOUSE_SECRET
    #[arg(
        long,
        global = true,
        env = "GLASSHOUSE_SECRET_FILE",
        value_name = "FILE"
    )]
    secret_file: Option<PathBuf>,

    /// A file that contains the value of GLASSHOUSE_PAYMENTS_API_KEY
    #[arg(
        long,
        global = true,
        env = "GLASSHOUSE_PAYMENTS_API_KEY_FILE",
        value_name = "FILE"
    )]
    payments_api_key_file: Option<PathBuf>,

    /// A file that contains the value of GLASSHOUSE_PAYMENTS_IPN_SECRET
    #[arg(
        long,
        global = true,
        env = "GLASSHOUSE_PAYMENTS_IPN_SECRET_FILE",
        value_name = "FILE"
    )]
    payments_ipn_secret_file: Option<PathBuf>,

    /// A file that contains the value of GLASSHOUSE_PAYMENTS_PASSWORD
    #[arg(
        long,
        global = true,
        env = "GLASSHOUSE_PAYMENTS_PASSWORD_FILE",
        value_name = "FILE"
    )]
    payments_password_file: Option<PathBuf>,

    /// A file that contains the value of GLASSHOUSE_PAYMENTS_PAYOUT_SECRET
    #[arg(
        long,
        global = true,
        env = "GLASSHOUSE_PAYMENTS_PAYOUT_SECRET_FILE",
        value_name = "FILE"
    )]
    payments_payout_secret_file: Option<PathBuf>,

    /// A file that contains the value of GLASSHOUSE_SMTP_URL
    #[arg(
        long,
        global = true,
        env = "GLASSHOUSE_SMTP_URL_FILE",
        value_name = "FILE"
    )]
    smtp_url_file: Option<PathBuf>,

    /// A file that contains the value of GLASSHOUSE_ALERT_WEBHOOK_URL
    #[arg(
        long,
        global = true,
        env = "GLASSHOUSE_ALERT_WEBHOOK_URL_FILE",
        value_name = "FILE"
    )]
    alert_webhook_url_file: Option<PathBuf>,

    /// A file that contains the value of GLASSHOUSE_ALERT_WEBHOOK_SECRET
    #[arg(
        long,
        global = true,
        env = "GLASSHOUSE_ALERT_WEBHOOK_SECRET_FILE",
        value_name = "FILE"
    )]
    alert_webhook_secret_file: Option<PathBuf>,
}

impl Configuration {
    /// Refuses secrets on the command line, and reads those that are in files.
    pub(crate) fn with_secrets(mut self, matches: &ArgMatches) -> Result<Self, String> {
        self.refuse_on_command_line(matches)?;
        let files = self.secret_files.clone();
        let payments = &mut self.payments;
        for (value, file, (_, variable)) in [
            (&mut self.secret, files.secret_file, SECRETS[0]),
            (
                &mut payments.api_key,
                files.payments_api_key_file,
                SECRETS[1],
            ),
            (
                &mut payments.ipn_secret,
                files.payments_ipn_secret_file,
                SECRETS[2],
            ),
            (
                &mut payments.password,
                files.payments_password_file,
                SECRETS[3],
            ),
            (&mut self.mail.smtp_url, files.smtp_url_file, SECRETS[4]),
            (
                &mut payments.payout_secret,
                files.payments_payout_secret_file,
                SECRETS[5],
            ),
            (
                &mut self.alerts.webhook_url,
                files.alert_webhook_url_file,
                SECRETS[6],
            ),
            (
                &mut self.alerts.webhook_secret,
                files.alert_webhook_secret_file,
                SECRETS[7],
            ),
        ] {
            let Some(file) = file else { continue };
            if value.is_some() {
                return Err(given_twice(variable));
            }
            *value = Some(read(&file, variable)?);
        }
        if let Some(file) = files.database_url_file {
            if matches.value_source(DATABASE.0) != Some(ValueSource::DefaultValue) {
                return Err(given_twice(DATABASE.1));
            }
            self.database_url = read_url(&file, DATABASE.1)?;
        }
        if let Some(file) = files.owner_database_url_file {
            if self.owner_database_url.is_some() {
                return Err(given_twice(OWNER.1));
            }
            self.owner_database_url = Some(read_url(&file, OWNER.1)?);
        }
        Ok(self)
    }

    /// Fails if a secret is on the command line.
    fn refuse_on_command_line(&self, matches: &ArgMatches) -> Result<(), String> {
        for (id, variable) in SECRETS {
            if is_on_command_line(matches, id) {
                return Err(on_command_line(variable));
            }
        }
        for (url, (id, variable)) in [
            (Some(&self.database_url), DATABASE),
            (self.owner_database_url.as_ref(), OWNER),
        ] {
            if is_on_command_line(matches, id)
                && matches!(url, Some(DatabaseUrl::Postgres(url)) if has_password(url))
            {
                return Err(on_command_line(variable));
            }
        }
        if let Some(matches) = matches.subcommand_matches("restore")
            && is_on_command_line(matches, RESTORED.0)
            && let Some(DatabaseUrl::Postgres(url)) = matches.get_one(RESTORED.0)
            && has_password(url)
        {
            return Err(on_command_line(RESTORED.1));
        }
        Ok(())
    }
}

impl RestoreArguments {
    /// Reads the URL of the database from its file.
    pub(crate) fn with_secrets(mut self) -> Result<Self, String> {
        if let Some(file) = &self.into_file {
            if self.into.is_some() {
                return Err(given_twice(RESTORED.1));
            }
            self.into = Some(read_url(file, RESTORED.1)?);
        }
        Ok(self)
    }
}

fn read_url(file: &Path, variable: &str) -> Result<DatabaseUrl, String> {
    read(file, variable)?
        .parse()
        .map_err(|error| format!("{}: {error}", file.display()))
}

fn is_on_command_line(matches: &ArgMatches, id: &str) -> bool {
    matches.value_source(id) == Some(ValueSource::CommandLine)
}

fn has_password(url: &str) -> bool {
    url::Url::parse(url).is_ok_and(|url| {
        url.password().is_some() || url.query_pairs().any(|(key, _)| key == "password")
    })
}

fn on_command_line(variable: &str) -> String {
    format!(
        "Every user of this machine can see a secret on the command line with ps. Set {variable} or {variable}_FILE in \
         the environment instead"
    )
}

fn given_twice(variable: &str) -> String {
    format!("{variable} and {variable}_FILE are both set: remove one of them")
}

fn read(file: &Path, variable: &str) -> Result<String, String> {
    let text = std::fs::read_to_string(file)
        .map_err(|error| format!("{variable}_FILE: {}: {error}", file.display()))?;
    let text = text.trim();
    if text.is_empty() {
        return Err(format!("{variable}_FILE: {} is empty", file.display()));
    }
    Ok(text.to_owned())
}
