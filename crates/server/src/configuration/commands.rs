//! The commands, with their arguments.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use glasshouse_casino::DatabaseUrl;
use glasshouse_domain::{Money, Role};

use crate::verifier::PassedOn;

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Run the casino (the default)
    Serve,
    /// Apply pending database migrations and exit. With GLASSHOUSE_OWNER_DATABASE_URL, they are applied by
    /// that role, and the role of DATABASE_URL is given what servers need and nothing else
    Migrate,
    /// Create administrators, grant and revoke roles, set the approval thresholds, issue one-time passwords,
    /// and reopen accounts
    Admin {
        #[command(subcommand)]
        command: AdminCommand,
    },
    /// Publish the Terms of Service
    Terms {
        #[command(subcommand)]
        command: TermsCommand,
    },
    /// Stop new rounds, deposits, withdrawals and registrations on all servers, or allow them again
    Maintenance {
        #[command(subcommand)]
        command: MaintenanceCommand,
    },
    /// Try out whether alerts arrive
    Alerts {
        #[command(subcommand)]
        command: AlertsCommand,
    },
    /// Check every invariant of the books: sums, references, hashes, a replay of every round with its
    /// receipt, the public log, and administrators' changes against the audit log. Changes nothing. Exit code 0: all hold; 1: an
    /// invariant is broken; 2: the check cannot be run; 3: something could not be checked
    Check {
        /// A hash of the audit log that was recorded elsewhere and must still be in the log
        #[arg(long, value_name = "HASH")]
        audit_hash: Vec<String>,
        /// A file with verifier keys of the public log, one per line, in addition to those of the key
        /// file: of logs that are over, or if the key is lost
        #[arg(long, value_name = "FILE")]
        log_keys: Option<PathBuf>,
        /// The database is a copy, so it may be older than the last checkpoint in the data directory
        #[arg(long)]
        copy: bool,
    },
    /// Make keys for the public log, and begin another log if it cannot be continued
    Log {
        #[command(subcommand)]
        command: LogCommand,
    },
    /// Write a backup while the house is open: a directory with a consistent copy of the database and a
    /// manifest. PostgreSQL needs its program pg_dump
    Backup {
        /// The target directory, which must not exist yet
        target: PathBuf,
        /// Write the key files to another directory, which must not exist yet and should be in another place.
        /// Exit code 3: a key that the database needs is not there
        #[arg(long, value_name = "DIRECTORY")]
        keys: Option<PathBuf>,
    },
    /// Restore a backup into an empty database and check it, or try that out with --verify. Exit code 0: all
    /// is well; 1: the backup is damaged or an invariant is broken; 2: it cannot be restored or checked; 3:
    /// something could not be checked
    Restore(RestoreArguments),
    /// Say in plain words whether the house can be opened with its settings, and change nothing. Exit code 0:
    /// everything is all right; 1: there is a problem; 3: there are warnings
    Doctor,
    /// Print the OpenAPI document
    Openapi,
    /// Verify the public log of any house from the outside; see glasshouse audit --help
    Audit(PassedOn),
    /// Cosign the checkpoints of other houses' public logs; see glasshouse witness --help
    Witness(PassedOn),
}

/// What is to be restored, and where.
#[derive(Args)]
pub(crate) struct RestoreArguments {
    /// The directory with the backup
    pub(crate) backup: PathBuf,
    /// Only try it out: restore into a temporary file, or for PostgreSQL into the empty database of --into,
    /// check that, and remove it again
    #[arg(long)]
    pub(crate) verify: bool,
    /// The database to restore into: sqlite://PATH, a file that must not exist, or postgres://…, an empty
    /// database. With a password, only by environment variable or file
    #[arg(
        long,
        value_name = "URL",
        env = "GLASSHOUSE_RESTORE_DATABASE_URL",
        hide_env_values = true
    )]
    pub(crate) into: Option<DatabaseUrl>,
    /// A file that contains the value of GLASSHOUSE_RESTORE_DATABASE_URL
    #[arg(
        long,
        env = "GLASSHOUSE_RESTORE_DATABASE_URL_FILE",
        value_name = "FILE"
    )]
    pub(crate) into_file: Option<PathBuf>,
    /// A hash of the audit log that was recorded elsewhere and must still be in the log, besides that of the
    /// manifest
    #[arg(long, value_name = "HASH")]
    pub(crate) audit_hash: Vec<String>,
    /// A file with verifier keys of the public log, as for glasshouse check
    #[arg(long, value_name = "FILE")]
    pub(crate) log_keys: Option<PathBuf>,
}

#[derive(Subcommand)]
pub(crate) enum LogCommand {
    /// Print a new private key, a line for the log key file
    NewKey {
        /// The name of the log that the key is for. Default: that of the present log
        #[arg(long, value_name = "NAME")]
        origin: Option<String>,
    },
    /// Begin another log that follows the present one, after the restoration of an old backup or the
    /// loss of the key. Says what it would do, and does it only with --yes
    Restart {
        /// The name of the new log. Default: the public host, and the present time
        #[arg(long, value_name = "NAME")]
        origin: Option<String>,
        /// Do it
        #[arg(long)]
        yes: bool,
    },
}

#[derive(Subcommand)]
pub(crate) enum AlertsCommand {
    /// Send a test alert to the webhook and to all addresses, and say who has got it
    Test,
}

#[derive(Subcommand)]
pub(crate) enum MaintenanceCommand {
    /// Stop everything that is new; rounds in play can be finished
    On {
        /// What players are told
        #[arg(long)]
        reason: String,
    },
    /// Allow everything again that no other switch stops
    Off {
        /// The reason, for the audit log
        #[arg(long)]
        reason: String,
    },
}

#[derive(Subcommand)]
pub(crate) enum TermsCommand {
    /// Publish a new version, which every player must accept before new rounds and deposits
    Publish {
        /// The text in UTF-8: lines that begin with "# " are headings, and with "- " items of lists;
        /// blank lines separate paragraphs
        file: PathBuf,
    },
}

#[derive(Subcommand)]
pub(crate) enum AdminCommand {
    /// Create an administrator; prints a one-time password unless one is supplied
    Create {
        /// 3–32 letters, digits, _ and -
        username: String,
        /// What the administrator may do
        #[arg(long, value_enum, default_value_t = AdministratorRole::Owner)]
        role: AdministratorRole,
        /// Read the password from standard input
        #[arg(long)]
        password_stdin: bool,
    },
    /// Replace a user's password by a one-time password, which is printed, and end all sessions
    Reset {
        /// The username
        username: String,
    },
    /// Remove the second factor of a user who has lost it, and end all sessions. An administrator must
    /// then set another one up at the next sign-in
    ResetSecondFactor {
        /// The username
        username: String,
    },
    /// Open an account again that its owner has closed
    Reopen {
        /// The username
        username: String,
    },
    /// Make an existing user an administrator, or change an administrator's role
    Grant {
        /// The username
        username: String,
        /// What the administrator may do
        #[arg(long, value_enum, default_value_t = AdministratorRole::Owner)]
        role: AdministratorRole,
    },
    /// Make an administrator a player
    Revoke {
        /// The username
        username: String,
    },
    /// Print the approval thresholds, after setting those that are given: up to which amounts, in US
    /// dollars, one administrator may act alone
    Thresholds(ThresholdArguments),
}

/// The approval thresholds to be set.
#[derive(Args)]
pub(crate) struct ThresholdArguments {
    /// For one adjustment of a balance
    #[arg(long, value_name = "DOLLARS", value_parser = Money::parse)]
    pub(crate) adjustment: Option<Money>,
    /// For one manual confirmation of a payment
    #[arg(long, value_name = "DOLLARS", value_parser = Money::parse)]
    pub(crate) confirmation: Option<Money>,
    /// For one approval of a withdrawal
    #[arg(long, value_name = "DOLLARS", value_parser = Money::parse)]
    pub(crate) withdrawal: Option<Money>,
    /// For everything that one person moves alone in a day of UTC
    #[arg(long, value_name = "DOLLARS", value_parser = Money::parse)]
    pub(crate) person_per_day: Option<Money>,
    /// For everything that all persons move alone in a day of UTC
    #[arg(long, value_name = "DOLLARS", value_parser = Money::parse)]
    pub(crate) house_per_day: Option<Money>,
    /// Up to which amount a day the withdrawals of a player are approved without a person; 0 if none is
    #[arg(long, value_name = "DOLLARS", value_parser = Money::parse)]
    pub(crate) automatic_withdrawal: Option<Money>,
}

/// An administrator's role.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum AdministratorRole {
    /// Everything
    Owner,
    /// Balances, payments and reviews
    Finance,
    /// Withdrawals
    Cashier,
    /// Bans
    Support,
    /// Reading only
    Auditor,
}

impl From<AdministratorRole> for Role {
    fn from(role: AdministratorRole) -> Self {
        match role {
            AdministratorRole::Owner => Self::Owner,
            AdministratorRole::Finance => Self::Finance,
            AdministratorRole::Cashier => Self::Cashier,
            AdministratorRole::Support => Self::Support,
            AdministratorRole::Auditor => Self::Auditor,
        }
    }
}
