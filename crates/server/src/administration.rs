//! `glasshouse admin`: creates administrators, grants and revokes roles, sets the approval thresholds, issues
//! one-time passwords, removes lost second factors, and reopens accounts.

use std::io::Read;

use glasshouse_casino::administration::{
    InitialPassword, create_administrator, reset_password, reset_second_factor, set_role,
    set_thresholds,
};
use glasshouse_casino::privacy::reopen_account;
use glasshouse_casino::{House, random_password};
use glasshouse_domain::{ApprovalThresholds, Role};

use crate::configuration::{Configuration, ThresholdArguments};
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
            role,
            password_stdin,
        } => {
            let one_time = if password_stdin {
                None
            } else {
                Some(random_password().map_err(Failure::running)?)
            };
            let initial = match &one_time {
                Some(password) => InitialPassword::OneTime(password.clone()),
                None => InitialPassword::Chosen(read_password()?),
            };
            let role = Role::from(role);
            create_administrator(&house, &username, initial, role)
                .await
                .map_err(Failure::running)?;
            print_role(&username, role);
            if let Some(password) = one_time {
                print_one_time(&password);
            }
        }
        AdminCommand::Reset { username } => {
            let password = reset_password(&house, &username)
                .await
                .map_err(Failure::running)?;
            print_line(&format!("All sessions of {username} have ended."));
            print_one_time(&password);
        }
        AdminCommand::ResetSecondFactor { username } => {
            reset_second_factor(&house, &username)
                .await
                .map_err(Failure::running)?;
            print_line(&format!(
                "{username} has no second factor any more, and all sessions have ended."
            ));
        }
        AdminCommand::Reopen { username } => {
            reopen_account(&house, &username)
                .await
                .map_err(Failure::running)?;
            print_line(&format!("The account of {username} is open again."));
        }
        AdminCommand::Grant { username, role } => {
            let role = Role::from(role);
            set_role(&house, &username, role)
                .await
                .map_err(Failure::running)?;
            print_role(&username, role);
        }
        AdminCommand::Revoke { username } => {
            set_role(&house, &username, Role::Player)
                .await
                .map_err(Failure::running)?;
            print_line(&format!("{username} is a player."));
        }
        AdminCommand::Thresholds(given) => set_given_thresholds(&house, given).await?,
    }
    Ok(())
}

/// Sets the thresholds that are given, and prints all.
async fn set_given_thresholds(house: &House, given: ThresholdArguments) -> Result<(), Failure> {
    let thresholds = set_thresholds(house, move |present| ApprovalThresholds {
        adjustment: given.adjustment.unwrap_or(present.adjustment),
        confirmation: given.confirmation.unwrap_or(present.confirmation),
        withdrawal: given.withdrawal.unwrap_or(present.withdrawal),
        person_per_day: given.person_per_day.unwrap_or(present.person_per_day),
        house_per_day: given.house_per_day.unwrap_or(present.house_per_day),
        automatic_withdrawal: given
            .automatic_withdrawal
            .unwrap_or(present.automatic_withdrawal),
    })
    .await
    .map_err(Failure::running)?;
    print_line(&format!("One person may move alone: {thresholds}."));
    Ok(())
}

fn print_role(username: &str, role: Role) {
    let role = role.as_str();
    print_line(&format!(
        "{username} is an administrator with the role {role}."
    ));
}

/// The operator passes it on, or keeps it for the next minutes.
fn print_one_time(password: &str) {
    print_line(&format!(
        "One-time password, valid for 72 hours: {password}"
    ));
}

fn read_password() -> Result<String, Failure> {
    let mut text = String::new();
    std::io::stdin()
        .read_to_string(&mut text)
        .map_err(Failure::running)?;
    Ok(text.trim_end_matches(['\r', '\n']).to_owned())
}
