//! `glasshouse maintenance`: starts and ends maintenance without the panel.

use glasshouse_casino::administration::{SwitchChange, set_switch_as_operator};
use glasshouse_domain::HouseSwitch;

use crate::configuration::{Configuration, MaintenanceCommand};
use crate::output::print_line;
use crate::{Failure, open_house};

pub(crate) async fn run(
    configuration: &Configuration,
    command: MaintenanceCommand,
) -> Result<(), Failure> {
    let (is_on, reason) = match command {
        MaintenanceCommand::On { reason } => (true, reason),
        MaintenanceCommand::Off { reason } => (false, reason),
    };
    let house = open_house(configuration).await?;
    let change = SwitchChange {
        switch: HouseSwitch::Maintenance,
        is_on,
        reason,
    };
    set_switch_as_operator(&house, change)
        .await
        .map_err(Failure::running)?;
    print_line(if is_on {
        "Maintenance is on: within two seconds, all servers refuse new rounds, deposits, withdrawals and \
         registrations. Rounds in play can be finished."
    } else {
        "Maintenance is off."
    });
    Ok(())
}
