//! The databases of the servers, and the roles that use them.

use std::path::Path;
use std::process::Output;

use glasshouse_casino::DatabaseUrl;
use glasshouse_testing::EmptyDatabase;

use super::{command, free_address};

/// Which database the servers of a test run use: SQLite, or `postgres` on the server of
/// `cargo xtask postgres`, or the same as `restricted` with a role that owns nothing.
const BACKEND_VARIABLE: &str = "GLASSHOUSE_TEST_HTTP_DATABASE";

/// The database that the test run chose; none for SQLite.
pub(super) fn chosen_database() -> Option<EmptyDatabase> {
    match std::env::var(BACKEND_VARIABLE).as_deref() {
        Ok("postgres") => Some(EmptyDatabase::postgres()),
        Ok("restricted") => Some(EmptyDatabase::postgres_with_roles()),
        Err(_) | Ok("sqlite") => None,
        Ok(other) => panic!("{BACKEND_VARIABLE} is {other}, not sqlite, postgres or restricted"),
    }
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
