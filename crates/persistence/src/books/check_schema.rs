//! Compares the schema with that of the migrations, because a trigger that was dropped or disabled
//! no longer protects past records.

use std::collections::BTreeMap;

use diesel::prelude::*;
use diesel::sql_types::Text;

use crate::connection::AnyConnection;
use crate::error::DatabaseError;
use crate::migrations::{fresh_sqlite, known_versions};

/// What the migrations make of a PostgreSQL database, one thing a line. PostgreSQL cannot be asked
/// without a database to make it in, so it is written down; a test holds it against the migrations.
const POSTGRES_SCHEMA: &str = include_str!("../postgres_schema.txt");

/// How a database differs from what the migrations make.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SchemaCheck {
    /// What is missing, changed or too much; empty if all is as it should be.
    Differences(Vec<String>),
    /// It could not be compared, and why.
    Unknown(&'static str),
}

#[derive(QueryableByName)]
struct Part {
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = Text)]
    definition: String,
}

/// Tables, indexes, triggers and views, as they were written.
const SQLITE_PARTS: &str = "SELECT type || ' ' || name AS name, COALESCE(sql, '') AS definition
    FROM sqlite_schema
    WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE '\\_\\_diesel%' ESCAPE '\\'";

/// Triggers that are off keep nobody from anything; those of foreign keys are PostgreSQL's own.
const POSTGRES_PARTS: &str = "
    SELECT 'trigger ' || t.tgname || ' on ' || c.relname AS name,
        pg_get_triggerdef(t.oid, true)
            || CASE WHEN t.tgenabled = 'O' THEN '' ELSE ' switched off' END AS definition
    FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
    WHERE NOT t.tgisinternal AND c.relnamespace = current_schema()::regnamespace
    UNION ALL
    SELECT DISTINCT 'trigger of a foreign key of ' || c.relname, 'switched off'
    FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
    WHERE t.tgisinternal AND t.tgenabled <> 'O'
        AND c.relnamespace = current_schema()::regnamespace
    UNION ALL
    SELECT 'constraint ' || k.conname || ' on ' || c.relname,
        pg_get_constraintdef(k.oid, true)
    FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
    WHERE k.contype IN ('c', 'f', 'p', 'u', 'x')
        AND c.relnamespace = current_schema()::regnamespace
        AND c.relname NOT LIKE '\\_\\_diesel%'
    UNION ALL
    SELECT 'index ' || c.relname || ' on ' || o.relname,
        pg_get_indexdef(i.indexrelid, 0, true)
            || CASE WHEN i.indisvalid THEN '' ELSE ' invalid' END
    FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_class o ON o.oid = i.indrelid
    WHERE c.relnamespace = current_schema()::regnamespace
        AND o.relname NOT LIKE '\\_\\_diesel%'
    UNION ALL
    SELECT 'column ' || c.relname || '.' || a.attname,
        format_type(a.atttypid, a.atttypmod) || CASE WHEN a.attnotnull THEN ' not null' ELSE '' END
            || COALESCE(' default ' || pg_get_expr(d.adbin, d.adrelid, true), '')
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
    LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    WHERE a.attnum > 0 AND NOT a.attisdropped AND c.relkind IN ('r', 'p')
        AND c.relnamespace = current_schema()::regnamespace
        AND c.relname NOT LIKE '\\_\\_diesel%'
    UNION ALL
    SELECT 'function ' || p.proname, p.prosrc
    FROM pg_proc p WHERE p.pronamespace = current_schema()::regnamespace
        AND p.proname NOT LIKE 'diesel%'
    UNION ALL
    SELECT 'rule ' || r.rulename || ' on ' || c.relname, pg_get_ruledef(r.oid, true)
    FROM pg_rewrite r JOIN pg_class c ON c.oid = r.ev_class
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
    UNION ALL
    SELECT 'setting session_replication_role', current_setting('session_replication_role')";

type Parts = BTreeMap<String, String>;

/// Compares the database with what the migrations make.
///
/// # Errors
/// If the database fails.
pub fn check_schema(connection: &mut AnyConnection) -> Result<SchemaCheck, DatabaseError> {
    let expected = match connection {
        AnyConnection::Sqlite(_) => {
            parts(diesel::sql_query(SQLITE_PARTS).load(&mut fresh_sqlite()?)?)
        }
        AnyConnection::Postgres(_) => {
            let (versions, expected) = written_down();
            if versions != known_versions(connection)?.join(" ") {
                return Ok(SchemaCheck::Unknown(
                    "the list of PostgreSQL's triggers and constraints is of other migrations",
                ));
            }
            expected
        }
    };
    let actual = present(connection)?;
    Ok(SchemaCheck::Differences(differences(&expected, &actual)))
}

/// The text of `postgres_schema.txt` for the migrations of this program, of a database that they
/// have just made.
///
/// # Errors
/// If the database fails.
pub fn describe_schema(connection: &mut AnyConnection) -> Result<String, DatabaseError> {
    let mut text = known_versions(connection)?.join(" ");
    text.push('\n');
    for (name, definition) in present(connection)? {
        text.extend([name.as_str(), "\t", &definition, "\n"]);
    }
    Ok(text)
}

/// The text that [`describe_schema`] must return for PostgreSQL.
#[must_use]
pub const fn written_schema() -> &'static str {
    POSTGRES_SCHEMA
}

fn present(connection: &mut AnyConnection) -> Result<Parts, DatabaseError> {
    let query = match connection {
        AnyConnection::Sqlite(_) => SQLITE_PARTS,
        AnyConnection::Postgres(_) => POSTGRES_PARTS,
    };
    Ok(parts(diesel::sql_query(query).load(connection)?))
}

fn parts(rows: Vec<Part>) -> Parts {
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    rows.into_iter()
        .map(|row| (row.name, plain(&row.definition)))
        .collect()
}

fn written_down() -> (&'static str, Parts) {
    let (versions, lines) = POSTGRES_SCHEMA.split_once('\n').unwrap_or_default();
    let parts = lines
        .lines()
        .filter_map(|line| line.split_once('\t'))
        .map(|(name, definition)| (name.to_owned(), definition.to_owned()))
        .collect();
    (versions, parts)
}

/// An operator may add an index or a table; what acts by itself or refuses rows is ours alone.
fn differences(expected: &Parts, actual: &Parts) -> Vec<String> {
    let mut found = Vec::new();
    for (name, definition) in expected {
        match actual.get(name) {
            None => found.push(format!("{name} is missing")),
            Some(other) if other != definition => {
                found.push(format!("{name} is not as the migrations make it"));
            }
            Some(_) => {}
        }
    }
    for name in actual.keys() {
        let is_active = ["trigger ", "rule ", "constraint "]
            .iter()
            .any(|kind| name.starts_with(kind));
        if is_active && !expected.contains_key(name) {
            found.push(format!("{name} is none of the migrations'"));
        }
    }
    found
}
