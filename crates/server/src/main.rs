//! The binary `glasshouse`: reads its configuration, puts the layers together, runs a command.
//!
//! The only place that reads the environment, prints for people and decides over the process.
//! It holds no rule of the house and no route.

mod administration;
mod allocator;
mod check;
mod configuration;
mod logging;
mod output;
mod private_file;
mod provider;
mod secret;
mod serve;

use std::process::ExitCode;

use clap::Parser;
use glasshouse_casino::{Database, DatabaseOptions, House};

use configuration::{AdminCommand, Cli, Command, Configuration};
use output::{complain, say};

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
    // A missing .env is the usual case; a broken one is told.
    if let Err(error) = dotenvy::dotenv()
        && !error.not_found()
    {
        complain(&format!("The file .env cannot be read: {error}"));
        return ExitCode::from(2);
    }
    let cli = Cli::parse();
    logging::start(&cli.configuration);
    let outcome = actix_web::rt::System::new().block_on(run(cli));
    match outcome {
        Ok(code) => code,
        Err(Failure::Configuration(sentence)) => {
            complain(&sentence);
            ExitCode::from(2)
        }
        Err(Failure::Running(sentence)) => {
            complain(&sentence);
            ExitCode::FAILURE
        }
    }
}

async fn run(cli: Cli) -> Result<ExitCode, Failure> {
    let configuration = cli.configuration;
    match cli.command.unwrap_or(Command::Serve) {
        Command::Serve => serve::serve(configuration).await?,
        Command::Migrate => {
            open_house(&configuration).await?;
            say("The database is up to date.");
        }
        Command::Admin { command } => administration::run(&configuration, command).await?,
        Command::Check => return check::run(&configuration).await,
        Command::Openapi => say(&openapi()?),
    }
    Ok(ExitCode::SUCCESS)
}

fn openapi() -> Result<String, Failure> {
    serde_json::to_string_pretty(&glasshouse_api::openapi()).map_err(Failure::running)
}

/// Opens the database, with its migrations, and the house on it.
pub(crate) async fn open_house(configuration: &Configuration) -> Result<House, Failure> {
    let options = DatabaseOptions {
        url: configuration.database_url.clone(),
        allow_unsafe_settings: configuration.allow_unsafe_postgres.is_on(),
    };
    let database = Database::open(&options).map_err(|error| {
        let advice = match error {
            glasshouse_casino::OpenError::UnsafeSettings(_) => {
                ". Turn it on, or set GLASSHOUSE_ALLOW_UNSAFE_POSTGRES=on"
            }
            _ => "",
        };
        Failure::Running(format!("The database cannot be opened: {error}{advice}"))
    })?;
    let house = House::open(database).await.map_err(Failure::running)?;
    Ok(house.known_as(configuration.house_names()))
}
