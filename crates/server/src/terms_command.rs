//! `glasshouse terms`: publishes the Terms of Service.

use glasshouse_casino::administration::publish_terms;
use glasshouse_domain::TermsText;

use crate::configuration::{Configuration, TermsCommand};
use crate::output::print_line;
use crate::{Failure, open_house};

pub(crate) async fn run(
    configuration: &Configuration,
    command: TermsCommand,
) -> Result<(), Failure> {
    let TermsCommand::Publish { file } = command;
    // Read before the database is opened, so that a mistake in the name changes nothing.
    let text = std::fs::read_to_string(&file).map_err(|error| {
        Failure::Configuration(format!("{} cannot be read: {error}", file.display()))
    })?;
    let text = TermsText::parse(&text).map_err(|error| {
        Failure::Configuration(format!("{} cannot be published: {error}", file.display()))
    })?;
    let house = open_house(configuration).await?;
    let version = publish_terms(&house, text)
        .await
        .map_err(Failure::running)?;
    print_line(&format!(
        "Version {version} is in force. Players are asked to accept it before new rounds and deposits."
    ));
    Ok(())
}
