//! The witnesses of the public log.

use std::path::PathBuf;

use clap::Args;
use glasshouse_casino::public_log::Witness;

use crate::Failure;

/// Who cosigns the checkpoints of the public log.
#[derive(Args, Clone)]
pub(crate) struct WitnessesConfiguration {
    /// The witnesses that cosign the public log, separated by commas: of each its address and its
    /// verifier key, with a space in between
    #[arg(
        long,
        global = true,
        env = "GLASSHOUSE_WITNESSES",
        value_name = "URL VKEY",
        value_delimiter = ','
    )]
    witnesses: Vec<String>,

    /// A file with a witness per line, in the same form. Empty lines and lines that begin with # are
    /// ignored
    #[arg(
        long,
        global = true,
        env = "GLASSHOUSE_WITNESSES_FILE",
        value_name = "FILE"
    )]
    witnesses_file: Option<PathBuf>,
}

impl WitnessesConfiguration {
    /// All witnesses.
    pub(crate) fn all(&self) -> Result<Vec<Witness>, Failure> {
        let file = match &self.witnesses_file {
            Some(file) => std::fs::read_to_string(file).map_err(|error| {
                let variable = "GLASSHOUSE_WITNESSES_FILE";
                Failure::Configuration(format!("{variable}: {}: {error}", file.display()))
            })?,
            None => String::new(),
        };
        let is_witness = |line: &&str| !line.is_empty() && !line.starts_with('#');
        let listed = self.witnesses.iter().map(|text| text.trim());
        let in_file = file.lines().map(str::trim);
        listed
            .chain(in_file)
            .filter(is_witness)
            .map(|text| {
                text.parse().map_err(|error| {
                    Failure::Configuration(format!("GLASSHOUSE_WITNESSES: {error}"))
                })
            })
            .collect()
    }
}
