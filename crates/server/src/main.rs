//! The binary `glasshouse`: reads its configuration, puts the layers together, runs a command.
//!
//! The only place that reads the environment, prints for people and decides over the process.
//! It holds no rule of the house and no route.

mod administration;
mod allocator;
mod audit_key;
mod check;
mod configuration;
mod logging;
mod output;
mod private_data;
mod private_file;
mod provider;
mod secret;
mod serve;

use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _};
use glasshouse_casino::{BackupError, Database, DatabaseOptions, House, OpenError, back_up};

use configuration::{AdminCommand, Cli, Command, Configuration};
use output::{print_error, print_line};

/// Why a command fails: one sentence, and whose mistake it is.
pub(crate) enum Failure {
    /// The configuration is wrong.
    Configuration(String),
    /// Something went wrong while running.
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
    // A missing .env is the usual case; a broken one is told.
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
            open_house(&configuration).await?;
            print_line("The database is up to date.");
        }
        Command::Admin { command } => administration::run(&configuration, command).await?,
        Command::Check { audit_hash } => return check::run(&configuration, &audit_hash),
        Command::Backup { target } => {
            private_data::refuse_open(&configuration)?;
            back_up(&configuration.database_url, &target)
                .map_err(|error| refused_backup(&error))?;
            print_line(&format!("{} is a copy of the database.", target.display()));
        }
        Command::Openapi => print_line(&openapi()?),
    }
    Ok(ExitCode::SUCCESS)
}

fn openapi() -> Result<String, Failure> {
    serde_json::to_string_pretty(&glasshouse_api::openapi()).map_err(Failure::running)
}

/// Opens the database, with its migrations, and the house on it.
pub(crate) async fn open_house(configuration: &Configuration) -> Result<House, Failure> {
    private_data::refuse_open(configuration)?;
    let options = DatabaseOptions {
        url: configuration.database_url.clone(),
        allow_unsafe_settings: configuration.allow_unsafe_postgres.is_on(),
        audit_keys: audit_key::audit_keys(configuration)?,
    };
    let database = Database::open(&options).map_err(|error| refused_database(&error))?;
    let house = House::open(database).await.map_err(Failure::running)?;
    Ok(house.known_as(configuration.house_names()))
}

fn refused_backup(error: &BackupError) -> Failure {
    let sentence = format!("There is no backup: {error}");
    match error {
        BackupError::Postgres | BackupError::TargetExists(_) => Failure::Configuration(sentence),
        BackupError::Database(_) | BackupError::File(_) => Failure::Running(sentence),
    }
}

fn refused_database(error: &OpenError) -> Failure {
    let sentence = format!("The database cannot be opened: {error}");
    match error {
        OpenError::UnsafeSettings(_) => Failure::Running(format!(
            "{sentence}. Turn it on, or set GLASSHOUSE_ALLOW_UNSAFE_POSTGRES=on"
        )),
        OpenError::UnknownAuditKey(_) => Failure::Configuration(format!(
            "{sentence}. Put that key back into the file of audit keys: all servers on one database \
             need the same"
        )),
        _ => Failure::Running(sentence),
    }
}
