//! The data directory, and what this machine allows the server.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use glasshouse_casino::DatabaseUrl;
use rlimit::Resource;
use rustix::fs::{Access, access, statvfs};

use super::findings::Findings;
use crate::Failure;
use crate::backup::private_folder::parent_of;
use crate::configuration::Configuration;
use crate::private_data::refuse_exposed_data;
use crate::secret::existing_secret;

/// With less free space than this, the disk is about to be full.
const LITTLE_SPACE_BYTES: u64 = 1 << 30;
/// With less, not even a start is safe.
const NO_SPACE_BYTES: u64 = 64 << 20;
/// Files that a server has open besides its connections.
const OTHER_FILES: u64 = 200;

pub(super) fn examine(configuration: &Configuration, findings: &mut Findings) {
    examine_directory(&configuration.data_directory, findings);
    match refuse_exposed_data(configuration) {
        Ok(()) => findings.ok(
            "Permissions",
            "only their owner can access the house's files",
        ),
        Err(Failure::Configuration(sentence) | Failure::Running(sentence)) => {
            findings.problem("Permissions", sentence);
        }
    }
    let mut places = vec![configuration.data_directory.clone()];
    if let DatabaseUrl::Sqlite(path) = &configuration.database_url {
        let folder = parent_of(path);
        if !places.contains(&folder) {
            places.push(folder);
        }
    }
    for place in places {
        examine_space(&place, findings);
    }
    examine_secret(configuration, findings);
    examine_open_files(configuration, findings);
}

fn examine_directory(folder: &Path, findings: &mut Findings) {
    let item = "Data directory";
    let shown = folder.display();
    match fs::metadata(folder) {
        Ok(metadata) if !metadata.is_dir() => findings.problem(
            item,
            format!("{shown} is not a directory: set GLASSHOUSE_DATA to one"),
        ),
        Ok(_) => match access(folder, Access::WRITE_OK | Access::EXEC_OK) {
            Ok(()) => findings.ok(item, shown),
            Err(error) => findings.problem(
                item,
                format!("{shown} cannot be written ({error}): give it to the user of the server"),
            ),
        },
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let parent = existing_parent(folder);
            match access(&parent, Access::WRITE_OK | Access::EXEC_OK) {
                Ok(()) => findings.ok(
                    item,
                    format!("{shown} does not exist yet: it is made at the first start"),
                ),
                Err(error) => findings.problem(
                    item,
                    format!(
                        "{shown} does not exist and cannot be made in {} ({error}): make it, and give \
                         it to the user of the server",
                        parent.display()
                    ),
                ),
            }
        }
        Err(error) => findings.problem(item, format!("{shown} cannot be used: {error}")),
    }
}

/// The nearest directory above that exists.
fn existing_parent(path: &Path) -> PathBuf {
    let mut parent = parent_of(path);
    while !parent.exists() && parent.parent().is_some() {
        parent = parent_of(&parent);
    }
    parent
}

fn examine_space(folder: &Path, findings: &mut Findings) {
    let item = "Free space";
    let place = if folder.exists() {
        folder.to_owned()
    } else {
        existing_parent(folder)
    };
    let shown = folder.display();
    let free = match statvfs(&place) {
        Ok(found) => found.f_bavail.saturating_mul(found.f_frsize),
        Err(error) => {
            findings.warning(item, format!("{shown}: it cannot be found out: {error}"));
            return;
        }
    };
    let finding = format!("{} MB for {shown}", free >> 20);
    if free < NO_SPACE_BYTES {
        findings.problem(item, format!("{finding}: free some, or play stops"));
    } else if free < LITTLE_SPACE_BYTES {
        findings.warning(item, format!("{finding}: free some before play stops"));
    } else {
        findings.ok(item, finding);
    }
}

fn examine_secret(configuration: &Configuration, findings: &mut Findings) {
    let item = "Cookie secret";
    match existing_secret(configuration) {
        Ok(Some(_)) if configuration.secret.is_some() => findings.ok(item, "it is set"),
        Ok(Some(_)) => findings.ok(item, "it is in the data directory"),
        Ok(None) => findings.ok(
            item,
            "there is none yet: it is generated at the first start",
        ),
        Err(Failure::Configuration(sentence) | Failure::Running(sentence)) => {
            findings.problem(item, sentence);
        }
    }
}

/// The server raises its limit as far as it may.
fn examine_open_files(configuration: &Configuration, findings: &mut Findings) {
    let item = "Open files";
    let connections = u64::try_from(configuration.connections.max_connections).unwrap_or(u64::MAX);
    match rlimit::getrlimit(Resource::NOFILE) {
        Ok((_, hard)) if hard < connections.saturating_add(OTHER_FILES) => findings.warning(
            item,
            format!(
                "the server may open {hard} files, but GLASSHOUSE_MAX_CONNECTIONS is {connections}: raise \
                 the limit (ulimit -Hn, or LimitNOFILE of its systemd unit), or lower the number"
            ),
        ),
        Ok((_, hard)) => findings.ok(item, format!("the server may open {hard}")),
        Err(error) => findings.warning(item, format!("the limit cannot be read: {error}")),
    }
}
