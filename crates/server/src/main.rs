//! The binary `glasshouse`: reads the configuration, assembles the layers and runs a command.
//!
//! Only this crate reads the environment, prints to the console and controls the process. It
//! contains no business rules and no routes.

mod administration;
mod alerts_command;
mod allocator;
mod backup;
mod check;
mod configuration;
mod doctor;
mod first_administrator;
mod http_server;
mod key_file;
mod log_command;
mod log_key_change;
mod logging;
mod mailer;
mod maintenance_command;
mod migrate;
mod needed_keys;
mod output;
mod private_data;
mod private_file;
mod provider;
mod restore;
mod secret;
mod serve;
mod stop;
mod terms_command;
mod verifier;

use std::process::ExitCode;
use std::time::Duration;

use clap::{CommandFactory as _, FromArgMatches as _};
use glasshouse_casino::{Database, DatabaseOptions, House, OpenError, READERS, postgres_writers};

use configuration::{AdminCommand, Cli, Command, Configuration};
use output::{print_error, print_line};

/// Why a command failed, with a one-sentence message and the kind of failure.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The configuration is invalid.
    Configuration(String),
    /// The command failed at run time.
    Running(String),
}

impl Failure {
    pub(crate) fn running(error: impl std::fmt::Display) -> Self {
        Self::Running(error.to_string())
    }
}

fn main() -> ExitCode {
    allocator::set_up();
    private_data::make_files_private();
    let arguments: Vec<_> = std::env::args_os().collect();
    if let Some(code) = verifier::run(&arguments) {
        return code;
    }
    // A missing .env is normal; a malformed one is an error.
    if let Err(error) = dotenvy::dotenv()
        && !error.not_found()
    {
        print_error(&format!("The file .env cannot be read: {error}"));
        return ExitCode::from(2);
    }
    let matches = Cli::command().get_matches();
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    logging::start(&cli.configuration);
    match start(cli, &matches) {
        Ok(code) => code,
        Err(Failure::Configuration(sentence)) => {
            print_error(&sentence);
            ExitCode::from(2)
        }
        Err(Failure::Running(sentence)) => {
            print_error(&sentence);
            ExitCode::FAILURE
        }
    }
}

fn start(mut cli: Cli, matches: &clap::ArgMatches) -> Result<ExitCode, Failure> {
    let secrets = cli.configuration.with_secrets(matches);
    cli.configuration = secrets.map_err(Failure::Configuration)?;
    actix_web::rt::System::new().block_on(run(cli))
}

async fn run(cli: Cli) -> Result<ExitCode, Failure> {
    let configuration = cli.configuration;
    match cli.command.unwrap_or(Command::Serve) {
        Command::Serve => serve::serve(configuration).await?,
        Command::Migrate => {
            migrate::run(configuration).await?;
        }
        Command::Admin { command } => administration::run(&configuration, command).await?,
        Command::Check {
            audit_hash,
            log_keys,
            copy,
        } => {
            let arguments = check::Arguments {
                noted_hashes: &audit_hash,
                log_keys: log_keys.as_deref(),
                is_copy: copy,
            };
            return check::run(&configuration, &arguments);
        }
        Command::Terms { command } => terms_command::run(&configuration, command).await?,
        Command::Maintenance { command } => {
            maintenance_command::run(&configuration, command).await?;
        }
        Command::Alerts { command } => alerts_command::run(&configuration, command).await?,
        Command::Log { command } => log_command::run(&configuration, command).await?,
        Command::Backup { target, keys } => {
            return backup::run(&configuration, &target, keys.as_deref());
        }
        Command::Restore(arguments) => {
            let arguments = arguments.with_secrets().map_err(Failure::Configuration)?;
            return restore::run(&configuration, &arguments);
        }
        Command::Doctor => return doctor::run(&configuration).await,
        Command::Openapi => print_line(&openapi()?),
        Command::Audit(_) | Command::Witness(_) => {
            let sentence =
                "audit and witness read none of the house's settings: name the command first";
            return Err(Failure::Configuration(sentence.to_owned()));
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn openapi() -> Result<String, Failure> {
    serde_json::to_string_pretty(&glasshouse_api::openapi()).map_err(Failure::running)
}

/// The file in the data directory with the last checkpoint of the public log.
const LAST_CHECKPOINT: &str = "log-checkpoint";

/// Opens the database, applies pending migrations, and opens the house on it.
pub(crate) async fn open_house(configuration: &Configuration) -> Result<House, Failure> {
    private_data::refuse_exposed_data(configuration)?;
    private_data::create_data_directory(configuration)?;
    let options = DatabaseOptions {
        url: configuration.database_url.clone(),
        allow_unsafe_settings: configuration.allow_unsafe_postgres.is_on(),
        keys: key_file::house_keys(configuration)?,
        postgres_writers: postgres_writers(),
        readers: READERS,
    };
    let witnesses = configuration.witnesses.all()?;
    let database = Database::open(&options).map_err(|error| database_failure(&error))?;
    let house = House::open(database).await.map_err(Failure::running)?;
    Ok(house
        .known_as(configuration.house_names())
        .delaying_withdrawals_by(Duration::from_hours(
            configuration.payments.withdrawal_delay_hours.into(),
        ))
        .paying_by(configuration.payments.payout_method())
        .keeping_closed_accounts_for(configuration.closed_account_retention())
        .reached_at(&configuration.public_url)
        .witnessed_by(witnesses)
        .keeping_checkpoints_in(configuration.data_directory.join(LAST_CHECKPOINT)))
}

fn database_failure(error: &OpenError) -> Failure {
    let sentence = format!("The database cannot be opened: {error}");
    match error {
        OpenError::UnsafeSettings(_) => Failure::Running(format!(
            "{sentence}. Turn it on, or set GLASSHOUSE_ALLOW_UNSAFE_POSTGRES=on"
        )),
        OpenError::UnknownAuditKey(_) => Failure::Configuration(format!(
            "{sentence}. Restore that key in the audit key file: all servers on one database need the \
             same keys"
        )),
        OpenError::MigrationsMissing(..) | OpenError::NoRights(_) => Failure::Running(format!(
            "{sentence}. Run glasshouse migrate with the owner's GLASSHOUSE_OWNER_DATABASE_URL and the \
             DATABASE_URL of this server"
        )),
        OpenError::UnknownSeedKey(_) => Failure::Configuration(format!(
            "{sentence}. Restore that key in the seed key file: all servers on one database need the \
             same keys, and a key is needed until all its seeds are revealed"
        )),
        _ => Failure::Running(sentence),
    }
}
