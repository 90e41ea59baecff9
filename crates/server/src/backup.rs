//! `glasshouse backup`: a directory with a consistent copy of the database and what is needed to restore it.

pub(crate) mod manifest;
pub(crate) mod postgres_programs;
pub(crate) mod private_folder;

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use glasshouse_casino::{DatabaseUrl, NeededKeys, SchemaVersion, Snapshot, copy_sqlite};

use crate::Failure;
use crate::check::Verdict;
use crate::configuration::Configuration;
use crate::needed_keys::{KeyReport, compare};
use crate::output::print_line;
use crate::secret::existing_secret;
use crate::{private_data, secret};

use manifest::{Contents, Kind, MANIFEST, Manifest, copy_summing};
use postgres_programs::Program;
use private_folder::{PrivateFolder, parent_of};

/// Writes a backup. The exit code is 3 if keys were asked for and one that is needed is not there.
pub(crate) fn run(
    configuration: &Configuration,
    target: &Path,
    keys: Option<&Path>,
) -> Result<ExitCode, Failure> {
    private_data::refuse_exposed_data(configuration)?;
    let key_folder = match keys {
        Some(keys) => {
            refuse_one_place(target, keys)?;
            Some(PrivateFolder::begin(keys)?)
        }
        None => None,
    };
    let folder = PrivateFolder::begin(target)?;
    let manifest = match &configuration.database_url {
        DatabaseUrl::Sqlite(path) => back_up_sqlite(path, &folder)?,
        DatabaseUrl::Postgres(url) => back_up_postgres(&configuration.database_url, url, &folder)?,
    };
    folder.write(MANIFEST, manifest.to_json()?.as_bytes())?;
    let needed = manifest.contents.as_ref();
    let needed = needed.map(|contents| NeededKeys::from(&contents.keys));
    let reports = compare(configuration, &needed.unwrap_or_default());
    let has_secret = match &key_folder {
        Some(key_folder) => write_keys(configuration, &reports, key_folder)?,
        None => false,
    };
    folder.finish()?;
    if let Some(key_folder) = key_folder {
        key_folder.finish()?;
    }
    print(target, &manifest, &reports);
    Ok(print_keys(keys, &reports, has_secret).exit_code())
}

fn back_up_sqlite(path: &Path, folder: &PrivateFolder) -> Result<Manifest, Failure> {
    let created_at = now();
    let copy = folder.path(Kind::Sqlite.file());
    copy_sqlite(path, &copy).map_err(|error| failed(&error))?;
    // What the copy contains is read from the copy, so that it cannot be anything else.
    let mut snapshot =
        Snapshot::open_any(&DatabaseUrl::Sqlite(copy.clone())).map_err(|error| failed(&error))?;
    let mut manifest = describe(&mut snapshot, Kind::Sqlite, created_at)?;
    snapshot.close().map_err(|error| failed(&error))?;
    let sum = File::open(&copy).and_then(|mut file| copy_summing(&mut file, &mut io::sink()));
    manifest.files.insert(
        Kind::Sqlite.file().to_owned(),
        sum.map_err(|error| failed(&error))?,
    );
    Ok(manifest)
}

fn back_up_postgres(
    url: &DatabaseUrl,
    text: &str,
    folder: &PrivateFolder,
) -> Result<Manifest, Failure> {
    let created_at = now();
    let mut snapshot = Snapshot::open_any(url).map_err(|error| failed(&error))?;
    let version = snapshot
        .postgres_version()
        .map_err(|error| failed(&error))?;
    let program = Program::dump(version.unwrap_or(0))?;
    // The copy and what is said about it are of the same point in time.
    let name = snapshot.export().map_err(|error| failed(&error))?;
    let mut manifest = describe(&mut snapshot, Kind::Postgres, created_at)?;
    let mut file = folder.create(Kind::Postgres.file())?;
    let sum = program.copy(text, &name.unwrap_or_default(), &mut file)?;
    snapshot.close().map_err(|error| failed(&error))?;
    manifest.written_by = Some(program.version);
    manifest.files.insert(Kind::Postgres.file().to_owned(), sum);
    Ok(manifest)
}

/// Begins a manifest with what is in the database. Before an upgrade, the database has the tables of an
/// earlier version, whose contents this one cannot tell.
fn describe(snapshot: &mut Snapshot, kind: Kind, created_at: String) -> Result<Manifest, Failure> {
    let version: SchemaVersion = snapshot.schema_version().map_err(|error| failed(&error))?;
    let mut manifest = Manifest::new(created_at, kind, version.last_applied());
    if version.is_current() {
        let inventory = snapshot.inventory().map_err(|error| failed(&error))?;
        manifest.contents = Some(Contents::from(&inventory));
    }
    Ok(manifest)
}

/// Whoever gets hold of a database and its keys can predict rounds, so one place must not have both.
fn refuse_one_place(target: &Path, keys: &Path) -> Result<(), Failure> {
    let (target, keys) = (absolute(target)?, absolute(keys)?);
    if target.starts_with(&keys) || keys.starts_with(&target) {
        return Err(Failure::Configuration(
            "The keys must not be in the same place as the database that they protect: give --keys \
             another directory, best on another disk"
                .to_owned(),
        ));
    }
    Ok(())
}

/// The path without links in the directories that exist.
fn absolute(path: &Path) -> Result<PathBuf, Failure> {
    let unusable = |error: io::Error| {
        Failure::Running(format!("{} cannot be written: {error}", path.display()))
    };
    let parent = parent_of(path).canonicalize().map_err(unusable)?;
    Ok(parent.join(path.file_name().unwrap_or_default()))
}

/// Writes the files of this machine's keys under their default names. Returns whether there is also the
/// secret that signs cookies.
fn write_keys(
    configuration: &Configuration,
    reports: &[KeyReport],
    folder: &PrivateFolder,
) -> Result<bool, Failure> {
    for report in reports {
        if let Some(text) = report.text()? {
            folder.write(report.default_name, text.as_bytes())?;
        }
    }
    let Some(text) = existing_secret(configuration)? else {
        return Ok(false);
    };
    folder.write(secret::FILE, text.as_bytes())?;
    Ok(true)
}

fn print(target: &Path, manifest: &Manifest, reports: &[KeyReport]) {
    let kind = manifest.database.name();
    print_line(&format!(
        "{} is a backup of the {kind} database as of {}.",
        target.display(),
        manifest.created_at
    ));
    for (name, sum) in &manifest.files {
        print_line(&format!(
            "  {name}: {} bytes, SHA-256 {}",
            sum.bytes, sum.sha256
        ));
    }
    let Some(contents) = &manifest.contents else {
        print_line(
            "The database has the tables of another version of Glasshouse, so this one cannot tell what \
             is in it and which keys it needs.",
        );
        return;
    };
    if let Some(hash) = &contents.audit_hash {
        print_line(&format!("Hash of the audit log: {hash}"));
    }
    print_line("A house that is restored from it needs these keys:");
    for report in reports {
        for id in &report.needed {
            let place = report.path.display();
            let place = if report.has(id) {
                format!("in {place}")
            } else {
                format!("NOT in {place}")
            };
            print_line(&format!("  {} {id}, {place}", report.name));
        }
    }
}

fn print_keys(keys: Option<&Path>, reports: &[KeyReport], has_secret: bool) -> Verdict {
    let Some(keys) = keys else {
        print_line(
            "The keys are not in the backup. Keep copies of them in another place; --keys DIRECTORY \
             writes them.",
        );
        return Verdict::Holds;
    };
    print_line(&format!(
        "{} has the keys. Keep it in another place than the backup.",
        keys.display()
    ));
    if !has_secret {
        print_line(
            "There is no secret that signs cookies: users of a restored house sign in again.",
        );
    }
    let incomplete =
        |report: &KeyReport| !report.missing.is_empty() || !report.missing_for_check.is_empty();
    if reports.iter().any(incomplete) {
        print_line("Not all keys that the database needs are there: see NOT above.");
        return Verdict::Incomplete;
    }
    Verdict::Holds
}

fn now() -> String {
    let now = jiff::Timestamp::now();
    now.round(jiff::Unit::Second).unwrap_or(now).to_string()
}

fn failed(error: &impl std::fmt::Display) -> Failure {
    Failure::Running(format!("The backup failed: {error}"))
}
