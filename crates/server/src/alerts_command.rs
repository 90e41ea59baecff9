//! `glasshouse alerts`: tries out whether alerts arrive.

use std::sync::Arc;

use glasshouse_casino::alerts::{Trial, try_alerts};
use glasshouse_domain::AlertChannel;

use crate::configuration::{AlertsCommand, Configuration};
use crate::output::print_line;
use crate::{Failure, mailer, open_house};

pub(crate) async fn run(
    configuration: &Configuration,
    command: AlertsCommand,
) -> Result<(), Failure> {
    let AlertsCommand::Test = command;
    let options = configuration
        .alerts
        .options()
        .map_err(Failure::Configuration)?;
    if options.webhook.is_none() && options.mail_to.is_empty() {
        return Err(Failure::Configuration(
            "Nobody gets alerts: set GLASSHOUSE_ALERT_WEBHOOK_URL or GLASSHOUSE_ALERT_MAIL"
                .to_owned(),
        ));
    }
    let mailer = Arc::new(mailer::set_up(configuration)?);
    let folder = mailer::folder(configuration);
    let house = open_house(configuration).await?;
    let host = options.webhook.as_ref().map(ToString::to_string);
    let trials = try_alerts(&house, &options, mailer)
        .await
        .map_err(Failure::running)?;
    let receiver = |trial: &Trial| match trial.channel {
        AlertChannel::Webhook => format!("The webhook at {}", host.as_deref().unwrap_or_default()),
        AlertChannel::Mail => trial.recipient.clone(),
    };
    for trial in &trials {
        let receiver = receiver(trial);
        match (&trial.problem, trial.channel, &folder) {
            (Some(problem), _, _) => print_line(&format!("{receiver}: not delivered: {problem}")),
            (None, AlertChannel::Mail, Some(folder)) => print_line(&format!(
                "{receiver}: written into {}, because there is no SMTP server",
                folder.display()
            )),
            (None, _, _) => print_line(&format!("{receiver}: delivered")),
        }
    }
    let failed = trials.iter().filter(|trial| trial.problem.is_some());
    match failed.count() {
        0 => Ok(()),
        1 => Err(Failure::Running(
            "One receiver did not get the test alert.".to_owned(),
        )),
        failed => Err(Failure::Running(format!(
            "{failed} receivers did not get the test alert."
        ))),
    }
}
