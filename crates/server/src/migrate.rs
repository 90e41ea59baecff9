//! `glasshouse migrate`: applies pending migrations and, if servers use another role than the owner of the
//! tables, gives that role what servers need.

use glasshouse_casino::books::check_role;
use glasshouse_casino::{DatabaseUrl, ServerRole, ServerRoleError, prepare_server_role};

use crate::check::print_role;
use crate::configuration::Configuration;
use crate::output::print_line;
use crate::{Failure, open_house};

pub(crate) async fn run(mut configuration: Configuration) -> Result<(), Failure> {
    let Some(owner) = configuration.owner_database_url.clone() else {
        open_house(&configuration).await?;
        print_line("The database is up to date.");
        return Ok(());
    };
    let server = configuration.database_url.clone();
    if !matches!(
        (&owner, &server),
        (DatabaseUrl::Postgres(_), DatabaseUrl::Postgres(_))
    ) {
        return Err(Failure::Configuration(
            "GLASSHOUSE_OWNER_DATABASE_URL is for PostgreSQL: SQLite has no roles".to_owned(),
        ));
    }
    configuration.database_url = owner.clone();
    open_house(&configuration).await?;
    print_line("The database is up to date.");
    let prepared = prepare_server_role(&owner, &server).map_err(|error| failure(&error))?;
    if let ServerRole::Granted(role) = prepared {
        print_line(&format!("The role {role} was given what servers need."));
    }
    print_role(&check_role(&server).map_err(Failure::running)?);
    Ok(())
}

fn failure(error: &ServerRoleError) -> Failure {
    let sentence = format!("The role of DATABASE_URL cannot be given its rights: {error}");
    match error {
        ServerRoleError::NoRoles | ServerRoleError::OtherDatabase => {
            Failure::Configuration(sentence)
        }
        ServerRoleError::Database(_) => Failure::Running(sentence),
    }
}
