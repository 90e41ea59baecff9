//! Databases that are copies of one that has been migrated.
//!
//! Applying all migrations takes several times as long as most tests do. So the first test that needs a database
//! migrates one for all, and the others copy it.

use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};

use diesel::connection::SimpleConnection;
use diesel::sql_types::{BigInt, Text};
use diesel::{Connection, PgConnection, QueryableByName, RunQueryDsl};
use glasshouse_persistence::DatabaseUrl;

use crate::{Backend, EmptyDatabase, open_database, server_url};

/// The environment variable with a folder for the migrated databases of a test run. Without it, every test migrates its
/// own.
const TEMPLATES_VARIABLE: &str = "GLASSHOUSE_TEST_TEMPLATES";
/// An arbitrary number that must be the same for every test.
const TEMPLATE_LOCK: i64 = 7_193_012;

impl EmptyDatabase {
    /// Creates a database with the current schema, as [`open_database`] leaves it.
    #[must_use]
    pub fn migrated(backend: Backend) -> Self {
        match (backend, std::env::var_os(TEMPLATES_VARIABLE)) {
            (_, None) => Self::new(backend),
            (Backend::Sqlite, Some(folder)) => Self::copy_of_file(Path::new(&folder)),
            (Backend::Postgres, Some(_)) => {
                let mut server = PgConnection::establish(&server_url()).unwrap();
                let template = template_on_server(&mut server);
                Self::postgres_from(&mut server, &template)
            }
        }
    }

    fn copy_of_file(folder: &Path) -> Self {
        let template = folder.join(format!("{}.db", template_name()));
        if !template.exists() {
            // Two tests may do this at the same time; then the second file replaces the first.
            let new = Self::sqlite();
            drop(open_database(&new.url));
            // The tables are in the write-ahead log until the last thread has closed its connection.
            let complete = new.copy();
            let unfinished = template.with_extension(std::process::id().to_string());
            fs::copy(path_of(&complete), &unfinished).unwrap();
            fs::rename(&unfinished, &template).unwrap();
        }
        let copy = Self::sqlite();
        fs::copy(template, path_of(&copy)).unwrap();
        copy
    }
}

fn path_of(database: &EmptyDatabase) -> &Path {
    match &database.url {
        DatabaseUrl::Sqlite(path) => path,
        DatabaseUrl::Postgres(_) => panic!("expected SQLite"),
    }
}

/// The name of the migrated database on the server, which is created if it is not there.
fn template_on_server(server: &mut PgConnection) -> String {
    #[derive(QueryableByName)]
    struct Found {
        #[diesel(sql_type = BigInt)]
        count: i64,
    }
    let name = template_name();
    server
        .batch_execute(&format!("SELECT pg_advisory_lock({TEMPLATE_LOCK})"))
        .unwrap();
    let found: Found =
        diesel::sql_query("SELECT COUNT(*) AS count FROM pg_database WHERE datname = $1")
            .bind::<Text, _>(&name)
            .get_result(server)
            .unwrap();
    if found.count == 0 {
        let new = EmptyDatabase::postgres();
        drop(open_database(&new.url));
        new.copy_to(&name);
    }
    server
        .batch_execute(&format!("SELECT pg_advisory_unlock({TEMPLATE_LOCK})"))
        .unwrap();
    name
}

/// A name that changes with the migrations, for a server or folder that is used for longer than a test run.
fn template_name() -> String {
    let mut files = Vec::new();
    collect(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("../../migrations"),
        &mut files,
    );
    files.sort();
    let mut hasher = DefaultHasher::new();
    for file in files {
        fs::read(&file).unwrap().hash(&mut hasher);
    }
    format!("glasshouse_template_{:016x}", hasher.finish())
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files);
        } else {
            files.push(path);
        }
    }
}
