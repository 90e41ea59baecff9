//! `glasshouse restore`: restores a backup, or tries out whether it can be restored.

mod advice;

use std::fs::{self, File};
use std::io::{self, Seek as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use glasshouse_casino::{DatabaseUrl, RestorationTarget, Snapshot};
use tempfile::NamedTempFile;

use crate::backup::manifest::{Contents, FileSum, Kind, Manifest, copy_summing};
use crate::backup::postgres_programs::Program;
use crate::backup::private_folder::{parent_of, refuse_existing, rename_new, sync};
use crate::check::{self, Verdict};
use crate::configuration::{Configuration, RestoreArguments};
use crate::output::print_line;
use crate::private_data::{refuse_exposed_data, sqlite_files};
use crate::{Failure, restore::advice::print_next_steps};

/// What is to be done with the backup.
enum Plan<'a> {
    /// Restore it into a temporary file, which is removed.
    TrySqlite,
    /// Restore it into an empty database, which is emptied again.
    TryPostgres(&'a str),
    /// Restore it into a file that does not exist.
    Sqlite(&'a Path),
    /// Restore it into an empty database.
    Postgres(&'a str),
}

/// The exit codes are those of the check: 0 if everything is correct, 1 if the backup is damaged or an
/// invariant is broken, 2 if it cannot be restored or checked, 3 if something could not be checked.
pub(crate) fn run(
    configuration: &Configuration,
    arguments: &RestoreArguments,
) -> Result<ExitCode, Failure> {
    let manifest = Manifest::read(&arguments.backup)?;
    let verdict = match plan(arguments, &manifest)? {
        Plan::TrySqlite => try_sqlite(configuration, arguments, &manifest)?,
        Plan::TryPostgres(url) => try_postgres(configuration, arguments, &manifest, url)?,
        Plan::Sqlite(path) => {
            refuse_exposed_data(configuration)?;
            restore_sqlite(configuration, arguments, &manifest, path)?
        }
        Plan::Postgres(url) => {
            refuse_exposed_data(configuration)?;
            let mut target = open_empty(url)?;
            match fill(&mut target, arguments, &manifest, url)? {
                Verdict::Broken => Verdict::Broken,
                _ => conclude(configuration, arguments, &manifest)?,
            }
        }
    };
    Ok(verdict.exit_code())
}

fn plan<'a>(arguments: &'a RestoreArguments, manifest: &Manifest) -> Result<Plan<'a>, Failure> {
    let refusal = |sentence: &str| Err(Failure::Configuration(sentence.to_owned()));
    match (manifest.database, &arguments.into, arguments.verify) {
        (Kind::Sqlite, None, true) => Ok(Plan::TrySqlite),
        (Kind::Postgres, Some(DatabaseUrl::Postgres(url)), true) => Ok(Plan::TryPostgres(url)),
        (Kind::Sqlite, Some(DatabaseUrl::Sqlite(path)), false) => Ok(Plan::Sqlite(path)),
        (Kind::Postgres, Some(DatabaseUrl::Postgres(url)), false) => Ok(Plan::Postgres(url)),
        (Kind::Postgres, None, true) => refusal(
            "The backup is of a PostgreSQL database: give --into the URL of an empty one, which is \
             emptied again afterwards",
        ),
        (Kind::Sqlite, Some(_), true) => refusal(
            "A backup of a SQLite database is verified in a temporary file: leave --into out",
        ),
        (_, None, false) => refusal(
            "Give --into the URL of the database to restore into, or --verify to try it out",
        ),
        (kind, Some(into), _) => Err(Failure::Configuration(format!(
            "The backup is of a {} database, and cannot be restored into {into}",
            kind.name()
        ))),
    }
}

fn try_sqlite(
    configuration: &Configuration,
    arguments: &RestoreArguments,
    manifest: &Manifest,
) -> Result<Verdict, Failure> {
    // Removed whatever happens; only its owner can look into it.
    let folder = tempfile::tempdir().map_err(|error| failed(&error))?;
    let Some(copy) = copy_file(arguments, manifest, folder.path())? else {
        return Ok(Verdict::Broken);
    };
    let url = DatabaseUrl::Sqlite(copy.path().to_owned());
    let verdict = examine(configuration, arguments, manifest, &url)?;
    print_verified(verdict);
    print_line("The temporary copy was removed.");
    Ok(verdict)
}

fn restore_sqlite(
    configuration: &Configuration,
    arguments: &RestoreArguments,
    manifest: &Manifest,
    target: &Path,
) -> Result<Verdict, Failure> {
    // A journal of another database would be applied to this one.
    for file in sqlite_files(target) {
        refuse_existing(&file)?;
    }
    let parent = parent_of(target);
    fs::create_dir_all(&parent).map_err(|error| failed(&error))?;
    let Some(copy) = copy_file(arguments, manifest, &parent)? else {
        return Ok(Verdict::Broken);
    };
    let copy = copy.into_temp_path();
    rename_new(&copy, target)
        .and_then(|()| sync(&parent))
        .map_err(|error| Failure::Running(format!("{}: {error}", target.display())))?;
    // Under its old name there is nothing left to remove.
    drop(copy.keep());
    conclude(configuration, arguments, manifest)
}

/// Copies the SQLite database of a backup into a new file in a folder; `None` if it is damaged.
fn copy_file(
    arguments: &RestoreArguments,
    manifest: &Manifest,
    folder: &Path,
) -> Result<Option<NamedTempFile>, Failure> {
    let Some((mut from, expected)) = open_database_file(&arguments.backup, manifest)? else {
        return Ok(None);
    };
    let mut copy = NamedTempFile::new_in(folder).map_err(|error| failed(&error))?;
    let sum = copy_summing(&mut from, &mut copy).map_err(|error| failed(&error))?;
    copy.as_file().sync_all().map_err(|error| failed(&error))?;
    Ok(is_as_backed_up(manifest, &sum, expected).then_some(copy))
}

fn try_postgres(
    configuration: &Configuration,
    arguments: &RestoreArguments,
    manifest: &Manifest,
    url: &str,
) -> Result<Verdict, Failure> {
    let mut target = open_empty(url)?;
    let outcome = match fill(&mut target, arguments, manifest, url) {
        Ok(Verdict::Broken) => return Ok(Verdict::Broken),
        Ok(_) => {
            let url = DatabaseUrl::Postgres(url.to_owned());
            examine(configuration, arguments, manifest, &url)
        }
        Err(failure) => Err(failure),
    };
    target.clear().map_err(|error| {
        Failure::Running(format!("The database could not be emptied again: {error}"))
    })?;
    let verdict = outcome?;
    print_verified(verdict);
    print_line("The database was emptied again.");
    Ok(verdict)
}

fn open_empty(url: &str) -> Result<RestorationTarget, Failure> {
    let mut target = RestorationTarget::open(url).map_err(|error| failed(&error))?;
    let objects = target.objects().map_err(|error| failed(&error))?;
    match objects.first() {
        None => Ok(target),
        Some(first) => Err(Failure::Configuration(format!(
            "The database is not empty: it has {} tables and other objects, such as {}. Nothing is \
             overwritten: create a new database",
            objects.len(),
            first.replace("IF EXISTS ", "")
        ))),
    }
}

/// Fills an empty database of PostgreSQL, unless the backup is damaged.
fn fill(
    target: &mut RestorationTarget,
    arguments: &RestoreArguments,
    manifest: &Manifest,
    url: &str,
) -> Result<Verdict, Failure> {
    let program = Program::restore(manifest.written_by.as_deref())?;
    let Some((mut file, expected)) = open_database_file(&arguments.backup, manifest)? else {
        return Ok(Verdict::Broken);
    };
    let sum = copy_summing(&mut file, &mut io::sink()).map_err(|error| failed(&error))?;
    if !is_as_backed_up(manifest, &sum, expected) {
        return Ok(Verdict::Broken);
    }
    file.rewind().map_err(|error| failed(&error))?;
    program.fill(url, file)?;
    target.analyze().map_err(|error| failed(&error))?;
    Ok(Verdict::Holds)
}

/// Opens the file with the database; `None` if it is missing.
fn open_database_file<'m>(
    backup: &Path,
    manifest: &'m Manifest,
) -> Result<Option<(File, &'m FileSum)>, Failure> {
    let name = manifest.database_file();
    let path: PathBuf = backup.join(name);
    let Some(expected) = manifest.files.get(name) else {
        return Err(Failure::Configuration(format!(
            "{} is no backup: its manifest does not list {name}",
            backup.display()
        )));
    };
    match File::open(&path) {
        Ok(file) => Ok(Some((file, expected))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            print_line(&format!("DAMAGED {name} is missing. Nothing was restored."));
            Ok(None)
        }
        Err(error) => Err(Failure::Running(format!("{}: {error}", path.display()))),
    }
}

fn is_as_backed_up(manifest: &Manifest, found: &FileSum, expected: &FileSum) -> bool {
    let name = manifest.database_file();
    if found == expected {
        print_line(&format!(
            "{name} is as it was backed up at {}: SHA-256 {}",
            manifest.created_at, found.sha256
        ));
        return true;
    }
    print_line(&format!(
        "DAMAGED {name} is not as it was backed up: it has {} bytes and SHA-256 {} instead of {} bytes \
         and {}. Nothing was restored.",
        found.bytes, found.sha256, expected.bytes, expected.sha256
    ));
    false
}

/// Checks what was restored for good, and says what to do next.
fn conclude(
    configuration: &Configuration,
    arguments: &RestoreArguments,
    manifest: &Manifest,
) -> Result<Verdict, Failure> {
    let Some(url) = &arguments.into else {
        return Ok(Verdict::Broken);
    };
    print_line(&format!("The database was restored into {url}."));
    let verdict = examine(configuration, arguments, manifest, url).map_err(|failure| {
        let (Failure::Configuration(reason) | Failure::Running(reason)) = failure;
        Failure::Configuration(format!(
            "The database was restored, but not checked: {reason}"
        ))
    })?;
    print_verified(verdict);
    print_next_steps(configuration, manifest, url);
    Ok(verdict)
}

/// Checks the books of what was restored, and that it is what the manifest says.
fn examine(
    configuration: &Configuration,
    arguments: &RestoreArguments,
    manifest: &Manifest,
    url: &DatabaseUrl,
) -> Result<Verdict, Failure> {
    let mut noted_hashes = arguments.audit_hash.clone();
    let contents = manifest.contents.as_ref();
    noted_hashes.extend(contents.and_then(|contents| contents.audit_hash.clone()));
    let report = check::check(
        configuration,
        url,
        &check::Arguments {
            noted_hashes: &noted_hashes,
            log_keys: arguments.log_keys.as_deref(),
            is_copy: true,
        },
    )?;
    check::print(&report);
    let mut verdict = check::verdict(&report);
    let mut snapshot = Snapshot::open(url).map_err(|error| failed(&error))?;
    let inventory = snapshot.inventory().map_err(|error| failed(&error))?;
    match contents {
        None => {
            print_line("   NOT CHECKED the manifest does not say what is in the database");
            verdict = verdict.max(Verdict::Incomplete);
        }
        Some(contents) if *contents == Contents::from(&inventory) => {
            print_line("         holds the database has what the manifest says");
        }
        Some(_) => {
            print_line("        BROKEN the database does not have what the manifest says");
            verdict = Verdict::Broken;
        }
    }
    Ok(verdict)
}

fn print_verified(verdict: Verdict) {
    print_line(match verdict {
        Verdict::Holds => {
            "Verified: the file is as it was backed up, it can be restored, and all invariants hold."
        }
        Verdict::Incomplete => {
            "The file is as it was backed up, it can be restored, and what could be checked holds, but not \
             everything could be checked: see NOT CHECKED above. The keys are those of GLASSHOUSE_DATA."
        }
        Verdict::Broken => {
            "The file is as it was backed up and can be restored, but it is BROKEN: see above. Do not open \
             the house on it, and look for an earlier backup."
        }
    });
}

fn failed(error: &impl std::fmt::Display) -> Failure {
    Failure::Running(format!("The backup cannot be restored: {error}"))
}
