//! What the role of a connection could do to tables that are append-only. Triggers refuse changes to
//! everybody, but whoever owns a table can turn its triggers off.

use diesel::prelude::*;
use diesel::sql_types::{Bool, Text};

use crate::connection::AnyConnection;
use crate::error::DatabaseError;
use crate::server_role::{PROTECTED_TABLES, role_of};

/// The first version of PostgreSQL in which the right to change a setting can be granted.
const SETTINGS_ARE_GRANTED: &str =
    "SELECT current_setting('server_version_num')::int >= 150000 AS value";

const MAY_TURN_TRIGGERS_OFF: &str =
    "SELECT has_parameter_privilege('session_replication_role', 'SET') AS value";

/// What the role could do, one line for each way.
const ABILITIES: &str = "
    SELECT 'it is ' || CASE WHEN rolname = current_user THEN 'a superuser'
        ELSE 'a member of the superuser ' || rolname END AS value
    FROM pg_roles WHERE rolsuper AND pg_has_role(oid, 'MEMBER')
    UNION ALL
    SELECT 'it may create roles' FROM pg_roles WHERE rolname = current_user AND rolcreaterole
    UNION ALL
    SELECT 'it is a member of ' || rolname FROM pg_roles
    WHERE rolname IN ('pg_execute_server_program', 'pg_write_server_files')
        AND pg_has_role(oid, 'MEMBER')
    UNION ALL
    SELECT 'it has the rights of the owner of the database' FROM pg_database
    WHERE datname = current_database() AND pg_has_role(datdba, 'MEMBER')
    UNION ALL
    SELECT 'it has the rights of the owner of the schema ' || nspname FROM pg_namespace
    WHERE nspname = current_schema() AND pg_has_role(nspowner, 'MEMBER')
    UNION ALL
    SELECT 'it has the rights of the owner of the function ' || proname FROM pg_proc
    WHERE pronamespace = current_schema()::regnamespace AND prorettype = 'trigger'::regtype
        AND pg_has_role(proowner, 'MEMBER')
    UNION ALL
    SELECT 'it has the rights of the owner of the table ' || relname FROM protected
    WHERE pg_has_role(relowner, 'MEMBER')
    UNION ALL
    SELECT 'it may ' || may.what || ' ' || relname FROM protected,
        LATERAL (VALUES
            ('change rows of', refuses_update AND has_any_column_privilege(oid, 'UPDATE')),
            ('delete rows of', refuses_delete AND has_table_privilege(oid, 'DELETE')),
            ('empty', has_table_privilege(oid, 'TRUNCATE')),
            ('add triggers to', has_table_privilege(oid, 'TRIGGER'))
        ) AS may (what, is_so)
    WHERE may.is_so AND NOT pg_has_role(relowner, 'MEMBER')
    ORDER BY 1";

/// The role of a connection, and what it could do to tables that are append-only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RoleCheck {
    /// SQLite has no roles: whoever can write the file can change everything.
    NoRoles,
    /// A role of PostgreSQL.
    Role {
        /// The role's name.
        name: String,
        /// How it could change what is append-only; empty if it could not.
        abilities: Vec<String>,
    },
}

#[derive(QueryableByName)]
struct Ability {
    #[diesel(sql_type = Text)]
    value: String,
}

#[derive(QueryableByName)]
struct Answer {
    #[diesel(sql_type = Bool)]
    value: bool,
}

/// Finds out what the role of the connection could do to tables that are append-only.
///
/// # Errors
/// If the database fails.
pub fn check_role(connection: &mut AnyConnection) -> Result<RoleCheck, DatabaseError> {
    let AnyConnection::Postgres(postgres) = connection else {
        return Ok(RoleCheck::NoRoles);
    };
    let name = role_of(postgres)?;
    let query = format!("WITH protected AS ({PROTECTED_TABLES}) {ABILITIES}");
    let found: Vec<Ability> = diesel::sql_query(query).load(postgres)?;
    let mut abilities: Vec<String> = found.into_iter().map(|row| row.value).collect();
    let are_granted: Answer = diesel::sql_query(SETTINGS_ARE_GRANTED).get_result(postgres)?;
    if are_granted.value {
        let may: Answer = diesel::sql_query(MAY_TURN_TRIGGERS_OFF).get_result(postgres)?;
        if may.value {
            abilities.push("it may set session_replication_role, which turns triggers off".into());
        }
    }
    Ok(RoleCheck::Role { name, abilities })
}
