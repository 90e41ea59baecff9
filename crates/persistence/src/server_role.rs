//! The role with which servers use a PostgreSQL database. If it is not the owner of the tables, what is
//! append-only cannot be changed with it, whatever a server is made to do.

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Text};

use crate::connection::{AnyConnection, DatabaseUrl};
use crate::error::DatabaseError;
use crate::migrations::{applied_versions, known_versions};

/// The tables some of whose rows must not be changed, by the triggers that refuse it always: `refuses_update`
/// and `refuses_delete` say what is refused. Found in the catalog, so that new tables are included.
pub(crate) const PROTECTED_TABLES: &str = "
    SELECT c.oid, c.relname, c.relowner,
        bool_or(t.tgtype & 16 <> 0) AS refuses_update,
        bool_or(t.tgtype & 8 <> 0) AS refuses_delete
    FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc p ON p.oid = t.tgfoid
    WHERE c.relnamespace = current_schema()::regnamespace
        AND p.proname = 'refuse_change' AND NOT t.tgisinternal
        AND t.tgqual IS NULL AND t.tgattr::text = ''
    GROUP BY c.oid, c.relname, c.relowner";

/// The statements that leave the role `$1` what a server needs, and take everything else from it.
const GRANTS: &str = "
    SELECT format('GRANT USAGE ON SCHEMA %I TO %I', current_schema(), $1) AS value
    UNION ALL SELECT format('REVOKE CREATE ON SCHEMA %I FROM %I', current_schema(), $1)
    UNION ALL
    SELECT format('REVOKE ALL ON TABLE %1$I.%2$I FROM %3$I; GRANT %4$s ON TABLE %1$I.%2$I TO %3$I',
        current_schema(), c.relname, $1,
        CASE WHEN c.relname = '__diesel_schema_migrations' OR c.relkind = 'v' THEN 'SELECT'
        ELSE 'SELECT, INSERT'
            || CASE WHEN p.refuses_update THEN '' ELSE ', UPDATE' END
            || CASE WHEN p.refuses_delete THEN '' ELSE ', DELETE' END
        END)
    FROM pg_class c LEFT JOIN protected p ON p.oid = c.oid
    WHERE c.relkind IN ('r', 'p', 'v') AND c.relnamespace = current_schema()::regnamespace
    UNION ALL
    SELECT format('REVOKE ALL ON SEQUENCE %1$I.%2$I FROM %3$I;
        GRANT USAGE, SELECT ON SEQUENCE %1$I.%2$I TO %3$I', current_schema(), c.relname, $1)
    FROM pg_class c
    WHERE c.relkind = 'S' AND c.relnamespace = current_schema()::regnamespace";

/// Whether the role can apply migrations: it has the rights of the owner of the tables or, if there are
/// none, may create them.
const MAY_MIGRATE: &str = "
    SELECT CASE WHEN to_regclass('__diesel_schema_migrations') IS NULL
        THEN COALESCE(has_schema_privilege(current_schema()::text, 'CREATE'), FALSE)
        ELSE (SELECT pg_has_role(relowner, 'USAGE') FROM pg_class
            WHERE oid = to_regclass('__diesel_schema_migrations'))
        END AS value";

/// Two connections with the same value are to the same database.
const IDENTITY: &str = "
    SELECT current_database() || ' ' || pg_postmaster_start_time() || ' ' || oid AS value
    FROM pg_database WHERE datname = current_database()";

#[derive(QueryableByName)]
struct Named {
    #[diesel(sql_type = Text)]
    value: String,
}

#[derive(QueryableByName)]
struct Answer {
    #[diesel(sql_type = Bool)]
    value: bool,
}

#[derive(QueryableByName)]
struct Count {
    #[diesel(sql_type = BigInt)]
    value: i64,
}

/// The role for servers, after [`prepare_server_role`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ServerRole {
    /// Servers use the role that owns the tables, which can be restricted in nothing.
    Owner(String),
    /// The role was given what servers need, and nothing else.
    Granted(String),
}

/// Why a role could not be prepared for servers.
#[derive(Debug, thiserror::Error)]
pub enum ServerRoleError {
    /// SQLite has no roles.
    #[error("only PostgreSQL has roles")]
    NoRoles,
    /// The two URLs lead to different databases.
    #[error("the owner's URL and the server's lead to different databases or schemas")]
    OtherDatabase,
    /// A database fault.
    #[error(transparent)]
    Database(#[from] DatabaseError),
}

/// What a role that does not own the tables lacks to use the database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Missing {
    pub(crate) role: String,
    /// The number of migrations; `None` if the role was given no rights.
    pub(crate) migrations: Option<usize>,
}

/// The role of a connection.
pub(crate) fn role_of(postgres: &mut PgConnection) -> Result<String, DatabaseError> {
    let role: Named =
        diesel::sql_query("SELECT CAST(current_user AS TEXT) AS value").get_result(postgres)?;
    Ok(role.value)
}

/// Whether migrations can be applied over this connection.
///
/// # Errors
/// If the database fails.
pub fn may_migrate(connection: &mut AnyConnection) -> Result<bool, DatabaseError> {
    let AnyConnection::Postgres(postgres) = connection else {
        return Ok(true);
    };
    let answer: Answer = diesel::sql_query(MAY_MIGRATE).get_result(postgres)?;
    Ok(answer.value)
}

/// What a role that cannot migrate lacks to use the database; `None` if all migrations were applied.
pub(crate) fn missing(connection: &mut AnyConnection) -> Result<Option<Missing>, DatabaseError> {
    let known = known_versions(connection)?;
    let AnyConnection::Postgres(postgres) = connection else {
        return Ok(None);
    };
    let role = role_of(postgres)?;
    let Some(applied) = applied_versions(postgres)? else {
        let migrations = None;
        return Ok(Some(Missing { role, migrations }));
    };
    let is_applied = |version: &&String| applied.contains(version);
    let pending = known.len() - known.iter().filter(is_applied).count();
    Ok((pending > 0).then_some(Missing {
        role,
        migrations: Some(pending),
    }))
}

/// Gives the role of `server` what servers need in the database of `owner`, whose migrations were applied,
/// and takes everything else from it.
///
/// # Errors
/// See [`ServerRoleError`].
pub fn prepare_server_role(
    owner: &DatabaseUrl,
    server: &DatabaseUrl,
) -> Result<ServerRole, ServerRoleError> {
    let (AnyConnection::Postgres(mut own), AnyConnection::Postgres(mut other)) =
        (owner.connect()?, server.connect()?)
    else {
        return Err(ServerRoleError::NoRoles);
    };
    if identity(&mut own)? != identity(&mut other)? {
        return Err(ServerRoleError::OtherDatabase);
    }
    let role = role_of(&mut other)?;
    if role == role_of(&mut own)? {
        return Ok(ServerRole::Owner(role));
    }
    grant(&mut own, &role)?;
    // What the role sees depends on its own search path.
    let mut connection = server.connect()?;
    if tables(&mut AnyConnection::Postgres(own))? != tables(&mut connection)? {
        return Err(ServerRoleError::OtherDatabase);
    }
    Ok(ServerRole::Granted(role))
}

fn grant(owner: &mut PgConnection, role: &str) -> Result<(), DatabaseError> {
    let query = format!("WITH protected AS ({PROTECTED_TABLES}) {GRANTS}");
    owner.transaction(|owner| {
        let statements: Vec<Named> = diesel::sql_query(query).bind::<Text, _>(role).load(owner)?;
        for statement in statements {
            owner.batch_execute(&statement.value)?;
        }
        Ok(())
    })
}

fn identity(postgres: &mut PgConnection) -> Result<String, DatabaseError> {
    let identity: Named = diesel::sql_query(IDENTITY).get_result(postgres)?;
    Ok(identity.value)
}

/// The internal number of the table of migrations that a connection sees; 0 if it sees none.
fn tables(connection: &mut AnyConnection) -> Result<i64, DatabaseError> {
    let number: Count = diesel::sql_query(
        "SELECT COALESCE(CAST(CAST(to_regclass('__diesel_schema_migrations') AS oid) AS BIGINT), 0) AS value",
    )
    .get_result(connection)?;
    Ok(number.value)
}
