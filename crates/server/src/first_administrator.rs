//! The first administrator's one-time password: a file that only its owner can read, and that is
//! deleted once another password was chosen.

use std::fs;
use std::io::{ErrorKind, IsTerminal as _, stdout};
use std::path::{Path, PathBuf};
use std::time::Duration;

use glasshouse_casino::administration::{
    FIRST_ADMINISTRATOR, InitialPassword, awaits_first_use, create_administrator, lacks_owner,
};
use glasshouse_casino::{AccountRefusal, CasinoError, House, Refusal, random_password};
use glasshouse_domain::Role;

use crate::configuration::Configuration;
use crate::{Failure, private_file};

const FILE: &str = "first-admin-password";
/// How often the server looks whether the password was used, while there is a file.
const INTERVAL: Duration = Duration::from_secs(2);

/// The file with the password.
pub(crate) fn file(configuration: &Configuration) -> PathBuf {
    configuration.data_directory.join(FILE)
}

/// Creates the owner `admin` if there is no owner, and returns the one-time password.
/// `None` if there is one, or the name is taken.
///
/// The password is written first, because one that is in the database only would be lost. A file that is
/// there already is that of a start that was interrupted, or of another server that is starting: its
/// password is used, so that the file is right whoever creates the administrator.
pub(crate) async fn create(house: &House, path: &Path) -> Result<Option<String>, Failure> {
    if !lacks_owner(house).await.map_err(Failure::running)? {
        return Ok(None);
    }
    let make = || {
        let password = random_password().map_err(Failure::running)?;
        Ok(format!("{password}\n"))
    };
    let password = private_file::read_or_make(path, make)?
        .trim_end()
        .to_owned();
    let initial = InitialPassword::OneTime(password.clone());
    match create_administrator(house, FIRST_ADMINISTRATOR, initial, Role::Owner).await {
        Ok(_) => Ok(Some(password)),
        // Another server was faster, or a player has the name; then the operator must decide, and
        // [`delete_when_used`] deletes the file.
        Err(CasinoError::Refused(Refusal::Account(AccountRefusal::UsernameTaken))) => Ok(None),
        Err(error) => Err(Failure::running(error)),
    }
}

/// What the operator is told: the password itself only on a terminal, because other output may be
/// kept for years in a log.
pub(crate) fn announcement(password: &str, path: &Path) -> String {
    if stdout().is_terminal() {
        format!(
            "First administrator: {FIRST_ADMINISTRATOR}, with this one-time password: {password}"
        )
    } else {
        let path = path.display();
        format!("First administrator: {FIRST_ADMINISTRATOR}, with the one-time password in {path}")
    }
}

/// Deletes the file, if there is one, once the password was used or has expired.
pub(crate) async fn delete_when_used(house: House, path: PathBuf) {
    while path.exists() {
        // An outage of the database is reported elsewhere.
        if let Ok(false) = awaits_first_use(&house, FIRST_ADMINISTRATOR).await {
            if let Err(error) = remove(&path) {
                tracing::warn!(%error, path = %path.display(), "cannot delete a used password");
            }
            return;
        }
        actix_web::rt::time::sleep(INTERVAL).await;
    }
}

fn remove(path: &Path) -> std::io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
