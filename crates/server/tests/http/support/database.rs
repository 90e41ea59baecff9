//! The databases of the servers, and the roles that use them.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::Path;
use std::process::Output;

use glasshouse_casino::DatabaseUrl;
use glasshouse_testing::{Backend, EmptyDatabase, audit_key_file};

use super::{command, free_address};

/// Which database the servers of a test run use: SQLite, or `postgres` on the server of
/// `cargo xtask postgres`, or the same as `restricted` with a role that owns nothing.
const BACKEND_VARIABLE: &str = "GLASSHOUSE_TEST_HTTP_DATABASE";

/// The database that the test run chose, for a server in a folder; none for SQLite, which is a file in that folder. It
/// is migrated, and the key that seals its audit log is in the folder, unless the server is given another.
pub(super) fn chosen_database(folder: &Path, has_own_key: bool) -> Option<EmptyDatabase> {
    let backend = match std::env::var(BACKEND_VARIABLE).as_deref() {
        Ok("postgres") => Backend::Postgres,
        Ok("restricted") => return Some(EmptyDatabase::postgres_with_roles()),
        Err(_) | Ok("sqlite") => Backend::Sqlite,
        Ok(other) => panic!("{BACKEND_VARIABLE} is {other}, not sqlite, postgres or restricted"),
    };
    if has_own_key {
        return (backend == Backend::Postgres).then(EmptyDatabase::postgres);
    }
    keep(folder, "audit-key", audit_key_file().as_bytes());
    let migrated = EmptyDatabase::migrated(backend);
    let DatabaseUrl::Sqlite(path) = &migrated.url else {
        return Some(migrated);
    };
    // Without templates there is no file yet, and the server migrates its own.
    if path.exists() {
        keep(folder, "glasshouse.db", &fs::read(path).unwrap());
    }
    None
}

/// Puts a file into the data directory of a server, which nobody else may read.
fn keep(folder: &Path, name: &str, content: &[u8]) {
    let data = folder.join("data");
    let mut private = fs::DirBuilder::new();
    private.recursive(true).mode(0o700).create(&data).unwrap();
    let mut file = fs::OpenOptions::new();
    let file = file.write(true).create_new(true).mode(0o600);
    file.open(data.join(name))
        .unwrap()
        .write_all(content)
        .unwrap();
}

/// The URL that servers are given.
pub(crate) fn served_url(database: &EmptyDatabase) -> &str {
    let roles = database.roles.as_ref();
    roles.map_or_else(|| url_of(database), |roles| &roles.server_url)
}

pub(crate) fn url_of(database: &EmptyDatabase) -> &str {
    match &database.url {
        DatabaseUrl::Postgres(url) => url,
        DatabaseUrl::Sqlite(_) => panic!("not a PostgreSQL database"),
    }
}

/// `glasshouse migrate` as the owner of the database, in the folder with the keys.
pub(crate) fn migrate(
    folder: &Path,
    database: &EmptyDatabase,
    settings: &[(&str, &str)],
) -> Output {
    let roles = database.roles.as_ref().expect("a database with roles");
    command(folder, &free_address(), &free_address())
        .arg("migrate")
        .envs(settings.iter().copied())
        .env("DATABASE_URL", &roles.server_url)
        .env("GLASSHOUSE_OWNER_DATABASE_URL", &roles.owner_url)
        .output()
        .unwrap()
}
