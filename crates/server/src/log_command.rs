//! `glasshouse log`: keys for the public log, and another log if the present one cannot be continued.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use glasshouse_casino::is_in_use;
use glasshouse_casino::public_log::{
    Checkpoint, LogSummary, Origin, end_to_follow, log_summary, new_log_name, restart_public_log,
    stated_end,
};

use crate::configuration::{Configuration, LogCommand};
use crate::key_file::log_key_line;
use crate::log_key_change::LogKeyChange;
use crate::output::print_line;
use crate::{Failure, LAST_CHECKPOINT, open_house, private_data};

/// What is to be done, before it is done.
struct Plan {
    summary: LogSummary,
    /// The end of the log that the new one follows.
    follows: (Origin, Checkpoint),
    key: LogKeyChange,
}

pub(crate) async fn run(configuration: &Configuration, command: LogCommand) -> Result<(), Failure> {
    match command {
        LogCommand::NewKey { origin } => print_line(&new_key(configuration, origin)?),
        LogCommand::Restart { origin, yes } => restart(configuration, origin, yes).await?,
    }
    Ok(())
}

fn parse_origin(text: &str) -> Result<Origin, Failure> {
    Origin::parse(text).map_err(|error| Failure::Configuration(format!("{text}: {error}")))
}

/// A private key for the log of the database, or for the one that the house would begin.
fn new_key(configuration: &Configuration, origin: Option<String>) -> Result<String, Failure> {
    let current = || -> Result<Option<String>, Failure> {
        let summary = summary_of(configuration)?;
        Ok(summary.logs.last().and_then(|log| log.origin.clone()))
    };
    let origin = match origin.map_or_else(current, |origin| Ok(Some(origin)))? {
        Some(origin) => parse_origin(&origin)?,
        None => configuration.log_origin()?,
    };
    log_key_line(&origin)
}

fn summary_of(configuration: &Configuration) -> Result<LogSummary, Failure> {
    log_summary(&configuration.database_url)
        .map_err(|error| Failure::Running(format!("The database cannot be opened: {error}")))
}

async fn restart(
    configuration: &Configuration,
    origin: Option<String>,
    yes: bool,
) -> Result<(), Failure> {
    private_data::refuse_exposed_data(configuration)?;
    let plan = Plan::new(configuration, origin)?;
    plan.print(configuration);
    if !yes {
        return Err(Failure::Configuration(
            "Nothing was changed. To do this, run the command again with --yes".to_owned(),
        ));
    }
    plan.key.apply()?;
    let house = open_house(configuration).await?;
    let report = restart_public_log(&house).await.map_err(Failure::running)?;
    if let Some(file) = report.kept_in {
        print_line(&format!(
            "The last checkpoint of the old log is in {}.",
            file.display()
        ));
    }
    let begun = report.checkpoint.as_deref().and_then(stated_end);
    let Some((origin, end)) = begun.filter(|(origin, _)| origin == plan.key.origin()) else {
        return Err(Failure::Running(
            "The new log has no checkpoint yet: the servers will sign it when they start"
                .to_owned(),
        ));
    };
    print_line(&format!(
        "The log {origin} has begun, with {} entries.",
        end.size
    ));
    print_line("Publish its key, which is also at /transparency/key:");
    for key in house.log_keys().iter() {
        print_line(&format!("  {key}"));
    }
    Ok(())
}

impl Plan {
    fn new(configuration: &Configuration, origin: Option<String>) -> Result<Self, Failure> {
        let summary = summary_of(configuration)?;
        if summary.logs.is_empty() {
            return Err(Failure::Configuration(format!(
                "{} has no log: start the server on it first",
                configuration.database_url
            )));
        }
        let in_use = is_in_use(&configuration.database_url).map_err(Failure::running)?;
        if in_use {
            return Err(Failure::Configuration(
                "The database is in use: stop all servers first".to_owned(),
            ));
        }
        let kept = read_kept(&kept_file(configuration))?;
        let follows = end_to_follow(&summary.logs, kept.as_deref())
            .map_err(|error| Failure::Configuration(format!("No log was begun: {error}")))?
            .as_deref()
            .and_then(stated_end)
            .ok_or_else(|| {
                Failure::Configuration(
                    "No log was begun: there is none yet that it could follow".to_owned(),
                )
            })?;
        let origin = match origin {
            Some(origin) => parse_origin(&origin)?,
            None => new_log_name(&configuration.log_origin()?)
                .map_err(|error| Failure::Configuration(error.to_string()))?,
        };
        let mut names: Vec<String> = summary
            .logs
            .iter()
            .filter(|log| log.size > 0)
            .filter_map(|log| log.origin.clone())
            .collect();
        names.push(follows.0.to_string());
        let key = LogKeyChange::plan(configuration, &names, origin)?;
        Ok(Self {
            summary,
            follows,
            key,
        })
    }

    fn print(&self, configuration: &Configuration) {
        let (origin, end) = &self.follows;
        if let Some(log) = self.summary.logs.last() {
            let name = log.origin.as_deref().unwrap_or("that was not begun");
            print_line(&format!(
                "The log in the database is {name}, with {} entries.",
                log.size
            ));
        }
        print_line(&format!(
            "The last checkpoint that is known is that of {origin} with {} entries.",
            end.size
        ));
        print_line(&format!(
            "Another log, {}, will begin. Its first entry says that it follows that checkpoint.",
            self.key.origin()
        ));
        print_line(&format!(
            "The {} entries that wait for their place will be in the new log.",
            self.summary.waiting_entries
        ));
        print_line(
            "The entries and tiles of the old log stay in the database, but are no longer served \
             under /log/. Receipts stay as they are.",
        );
        let kept = kept_file(configuration);
        if kept.exists() {
            print_line(&format!(
                "{} will be renamed, because it is of the old log.",
                kept.display()
            ));
        }
        self.key.print();
    }
}

/// Where the last checkpoint is kept outside of the database.
pub(crate) fn kept_file(configuration: &Configuration) -> PathBuf {
    configuration.data_directory.join(LAST_CHECKPOINT)
}

/// The checkpoint that is kept in a file; `None` if there is no such file.
pub(crate) fn read_kept(file: &Path) -> Result<Option<String>, Failure> {
    match fs::read_to_string(file) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Failure::Running(format!(
            "{} cannot be read: {error}",
            file.display()
        ))),
    }
}
