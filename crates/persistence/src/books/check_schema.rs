//! Compares the schema with that of the migrations, because a trigger that was dropped or disabled
//! no longer protects past records.

use std::collections::BTreeMap;

use diesel::prelude::*;
use diesel::sql_types::Text;

use crate::connection::AnyConnection;
use crate::error::DatabaseError;
use crate::migrations::known_versions;

/// The schemas that the migrations create, one object per line. They are stored because creating one takes
/// a database on PostgreSQL, and on SQLite more time than the rest of the check of a small house; a test compares
/// them with the migrations.
const POSTGRES_SCHEMA: &str = include_str!("../postgres_schema.txt");
const SQLITE_SCHEMA: &str = include_str!("../sqlite_schema.txt");

/// The result of comparing the schema with that of the migrations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SchemaCheck {
    /// The missing, changed or additional objects; empty if the schema is as expected.
    Differences(Vec<String>),
    /// The schema could not be compared, with the reason.
    Unknown(&'static str),
}

#[derive(QueryableByName)]
struct SchemaObject {
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = Text)]
    definition: String,
}

/// Tables, indexes, triggers and views as written in the migrations, including the comments inside
/// of the statements: changing such a comment in a released migration would be reported as a
/// difference.
const SQLITE_OBJECTS: &str = "SELECT type || ' ' || name AS name, COALESCE(sql, '') AS definition
    FROM sqlite_schema
    WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE '\\_\\_diesel%' ESCAPE '\\'";

/// Disabled triggers protect nothing. Triggers of foreign keys are created by PostgreSQL itself. Until version 15 it
/// writes the table before each column of a view.
const POSTGRES_OBJECTS: &str = "
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
    SELECT 'view ' || c.relname,
        regexp_replace(pg_get_viewdef(c.oid, true), '(?<!FROM |JOIN )\\m\\w+\\.', '', 'g')
    FROM pg_class c WHERE c.relkind IN ('v', 'm')
        AND c.relnamespace = current_schema()::regnamespace
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

type Objects = BTreeMap<String, String>;

/// Compares the database's schema with that of the migrations.
///
/// # Errors
/// If the database fails.
pub fn check_schema(connection: &mut AnyConnection) -> Result<SchemaCheck, DatabaseError> {
    let (versions, expected) = stored_schema(connection);
    if versions != known_versions(connection)?.join(" ") {
        return Ok(SchemaCheck::Unknown(
            "the expected schema is of other migrations",
        ));
    }
    let actual = actual_objects(connection)?;
    Ok(SchemaCheck::Differences(differences(&expected, &actual)))
}

/// The text of [`written_schema`] for the current migrations, from a database that was just migrated.
///
/// # Errors
/// If the database fails.
pub fn describe_schema(connection: &mut AnyConnection) -> Result<String, DatabaseError> {
    let mut text = known_versions(connection)?.join(" ");
    text.push('\n');
    for (name, definition) in actual_objects(connection)? {
        text.extend([name.as_str(), "\t", &definition, "\n"]);
    }
    Ok(text)
}

/// The expected result of [`describe_schema`].
#[must_use]
pub const fn written_schema(connection: &AnyConnection) -> &'static str {
    match connection {
        AnyConnection::Sqlite(_) => SQLITE_SCHEMA,
        AnyConnection::Postgres(_) => POSTGRES_SCHEMA,
    }
}

fn actual_objects(connection: &mut AnyConnection) -> Result<Objects, DatabaseError> {
    let query = match connection {
        AnyConnection::Sqlite(_) => SQLITE_OBJECTS,
        AnyConnection::Postgres(_) => POSTGRES_OBJECTS,
    };
    Ok(objects(diesel::sql_query(query).load(connection)?))
}

fn objects(rows: Vec<SchemaObject>) -> Objects {
    let normalized = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    rows.into_iter()
        .map(|row| (row.name, normalized(&row.definition)))
        .collect()
}

fn stored_schema(connection: &AnyConnection) -> (&'static str, Objects) {
    let schema = written_schema(connection);
    let (versions, lines) = schema.split_once('\n').unwrap_or_default();
    let objects = lines
        .lines()
        .filter_map(|line| line.split_once('\t'))
        .map(|(name, definition)| (name.to_owned(), definition.to_owned()))
        .collect();
    (versions, objects)
}

/// Operators may add indexes and tables, but nothing that acts by itself or refuses rows.
fn differences(expected: &Objects, actual: &Objects) -> Vec<String> {
    let mut found = Vec::new();
    for (name, definition) in expected {
        match actual.get(name) {
            None => found.push(format!("{name} is missing")),
            Some(other) if other != definition => {
                found.push(format!("{name} differs from the migrations"));
            }
            Some(_) => {}
        }
    }
    for name in actual.keys() {
        let is_active = ["trigger ", "rule ", "constraint "]
            .iter()
            .any(|kind| name.starts_with(kind));
        if is_active && !expected.contains_key(name) {
            found.push(format!("{name} is not part of the migrations"));
        }
    }
    found
}
