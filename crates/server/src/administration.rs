//! `glasshouse admin`: creates administrators, and grants and revokes the role.

use std::io::Read;

use glasshouse_casino::administration::{create_administrator, set_role};
use glasshouse_casino::random_password;
use glasshouse_domain::Role;

use crate::configuration::Configuration;
use crate::output::print_line;
use crate::{AdminCommand, Failure, open_house};

pub(crate) async fn run(
    configuration: &Configuration,
    command: AdminCommand,
) -> Result<(), Failure> {
    let house = open_house(configuration).await?;
    match command {
        AdminCommand::Create {
            username,
            password_stdin,
        } => {
            let chosen_password = if password_stdin {
                Some(read_password()?)
            } else {
                None
            };
            let is_chosen = chosen_password.is_some();
            let password = chosen_password
                .map_or_else(random_password, Ok)
                .map_err(Failure::running)?;
            create_administrator(&house, &username, password.clone())
                .await
                .map_err(Failure::running)?;
            print_line(&format!("{username} is an administrator."));
            if !is_chosen {
                print_line(&format!("The password, shown this once: {password}"));
            }
        }
        AdminCommand::Grant { username } => {
            set_role(&house, &username, Role::Administrator)
                .await
                .map_err(Failure::running)?;
            print_line(&format!("{username} is an administrator."));
        }
        AdminCommand::Revoke { username } => {
            set_role(&house, &username, Role::Player)
                .await
                .map_err(Failure::running)?;
            print_line(&format!("{username} is a player."));
        }
    }
    Ok(())
}

fn read_password() -> Result<String, Failure> {
    let mut text = String::new();
    std::io::stdin()
        .read_to_string(&mut text)
        .map_err(Failure::running)?;
    Ok(text.trim_end_matches(['\r', '\n']).to_owned())
}
