//! The key of a log that follows another one. Its name is that of the new log.

use std::fs;
use std::path::PathBuf;

use glasshouse_casino::public_log::{Origin, aside_suffix};

use crate::Failure;
use crate::configuration::Configuration;
use crate::key_file::{log_key_file, log_key_line};
use crate::output::print_line;
use crate::private_file::create;

/// What happens to the file of log keys.
pub(crate) enum LogKeyChange {
    /// The file already has the key of the new log.
    AsGiven { path: PathBuf, origin: Origin },
    /// A key is generated. If there is a file of the old log's keys, it is renamed.
    New {
        path: PathBuf,
        origin: Origin,
        aside: Option<PathBuf>,
    },
}

impl LogKeyChange {
    /// Plans the key of a log with the name `origin`. `names` are those of the logs that exist.
    pub(crate) fn plan(
        configuration: &Configuration,
        names: &[String],
        origin: Origin,
    ) -> Result<Self, Failure> {
        let file = log_key_file(configuration);
        let Some(keys) = file.read_existing()? else {
            let path = file.path;
            return Ok(Self::New {
                path,
                origin,
                aside: None,
            });
        };
        let origin_of_keys = keys.keys().origin().clone();
        if names.iter().all(|name| name != origin_of_keys.as_str()) {
            let path = file.path;
            return Ok(Self::AsGiven {
                path,
                origin: origin_of_keys,
            });
        }
        if file.is_configured {
            return Err(Failure::Configuration(format!(
                "No log was begun: {} has the key of {origin_of_keys}. Keep a copy of that file, and replace \
                 it by a key of the new log: glasshouse log new-key --origin {origin}",
                file.path.display()
            )));
        }
        let mut aside = file.path.clone().into_os_string();
        aside.push(format!("-{}", aside_suffix()));
        Ok(Self::New {
            path: file.path,
            origin,
            aside: Some(aside.into()),
        })
    }

    /// The name of the new log.
    pub(crate) const fn origin(&self) -> &Origin {
        match self {
            Self::AsGiven { origin, .. } | Self::New { origin, .. } => origin,
        }
    }

    pub(crate) fn print(&self) {
        match self {
            Self::AsGiven { path, .. } => {
                print_line(&format!("{} has the key of the new log.", path.display()));
            }
            Self::New { path, aside, .. } => {
                if let Some(aside) = aside {
                    print_line(&format!(
                        "{} will be renamed to {}, because its keys are of the old log.",
                        path.display(),
                        aside.display()
                    ));
                }
                print_line(&format!(
                    "A key of the new log will be generated in {}. All servers need the same file.",
                    path.display()
                ));
            }
        }
    }

    /// Makes the change.
    pub(crate) fn apply(&self) -> Result<(), Failure> {
        let Self::New {
            path,
            origin,
            aside,
        } = self
        else {
            return Ok(());
        };
        let unusable = |error: std::io::Error| {
            Failure::Running(format!("{} cannot be replaced: {error}", path.display()))
        };
        if let Some(aside) = aside {
            fs::rename(path, aside).map_err(unusable)?;
        }
        create(path, &format!("{}\n", log_key_line(origin)?)).map_err(unusable)
    }
}
