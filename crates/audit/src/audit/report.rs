//! The report of an audit, as text.

use std::fmt::{self, Display, Formatter};

use glasshouse_domain::{Game, Money};
use glasshouse_games::game_round::ReturnOf;
use glasshouse_games::registry::info;
use glasshouse_transparency::checkpoint::Checkpoint;

use crate::audit::contradiction::Contradiction;
use crate::audit::cosigned::Witnesses;
use crate::audit::returns::{GameSums, measure};
use crate::audit::tally::Tally;
use crate::audit::trust::{KeySource, SignedCheckpoint, TrustedKeys};

/// What an audit has found.
#[derive(Debug)]
pub(crate) struct Report {
    pub(crate) url: String,
    pub(crate) keys: TrustedKeys,
    /// Whether the keys came from the house in this run.
    pub(crate) is_first_use: bool,
    /// The checkpoint that the log was verified against, if it could be accepted.
    pub(crate) target: Option<SignedCheckpoint>,
    /// The number of entries that were verified in earlier runs.
    pub(crate) known: u64,
    /// The tree of all verified entries.
    pub(crate) position: Checkpoint,
    pub(crate) tally: Tally,
    /// The witnesses that were asked for.
    pub(crate) witnesses: Witnesses,
    pub(crate) contradiction: Option<Contradiction>,
}

impl Display for Report {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "Audit of {}", self.url)?;
        self.write_keys(formatter)?;
        self.write_entries(formatter)?;
        self.write_games(formatter)?;
        self.write_words(formatter)?;
        match &self.contradiction {
            None => writeln!(formatter, "No contradiction was found."),
            Some(contradiction) => writeln!(
                formatter,
                "CONTRADICTION: {contradiction}\nKeep the state file and this report: together with \
                 the house's key they are evidence."
            ),
        }
    }
}

impl Report {
    fn write_keys(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "Log: {}", self.keys.keys.origin())?;
        let source = match (self.keys.source, self.is_first_use) {
            (KeySource::Given, _) => "given",
            (KeySource::Remembered, _) => "remembered",
            (KeySource::House, true) => "from the house itself",
            (KeySource::House, false) => "remembered, at first from the house itself",
        };
        for key in self.keys.keys.iter() {
            writeln!(formatter, "Key: {key} ({source})")?;
        }
        if self.keys.source == KeySource::House {
            writeln!(
                formatter,
                "WARNING: The key was not compared with anything: a house that shows you another log \
                 than it shows others would name another key, too. Compare it with the key that others \
                 see, and give it with --key."
            )?;
        }
        Ok(())
    }

    fn write_entries(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        if let Some(SignedCheckpoint { checkpoint, .. }) = &self.target {
            writeln!(
                formatter,
                "Checkpoint: {} entries, root {}",
                checkpoint.size, checkpoint.root
            )?;
        }
        write!(formatter, "{}", self.witnesses)?;
        let verified = self.position.size;
        let new = verified.saturating_sub(self.known);
        writeln!(
            formatter,
            "Verified: {verified} entries, {new} of them in this run"
        )?;
        let rounds: i64 = self.tally.games.values().map(|sums| sums.rounds).sum();
        writeln!(
            formatter,
            "Entries: {rounds} rounds, {} books, {} keys{}",
            self.tally.books,
            self.tally.keys.len(),
            match &self.tally.rules {
                Some(rules) => format!(", rules of version {}", rules.version),
                None => String::new(),
            }
        )?;
        if let Some(former) = &self.tally.restarted_from {
            writeln!(
                formatter,
                "The log says that it follows {} after {} entries with the root {}.",
                former.origin, former.size, former.root
            )?;
        }
        Ok(())
    }

    fn write_games(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        if self.tally.games.is_empty() {
            return Ok(());
        }
        writeln!(
            formatter,
            "{:<12}{:>12}{:>16}{:>16}{:>12}  {:<23}{:>12}{:>10}",
            "Game",
            "rounds",
            "stakes in $",
            "payouts in $",
            "RTP in %",
            "95 % interval",
            "exact",
            "off by"
        )?;
        for (game, sums) in &self.tally.games {
            write_game(formatter, *game, sums)?;
        }
        Ok(())
    }

    fn write_words(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match self.tally.uniformity() {
            Some(uniformity) => writeln!(
                formatter,
                "Words: {} blocks, chi-square {:.1} with 255 degrees of freedom, p = {:.4}",
                self.tally.blocks, uniformity.statistic, uniformity.p_value
            ),
            None => writeln!(
                formatter,
                "Words: {} blocks, too few to judge their distribution",
                self.tally.blocks
            ),
        }
    }
}

fn write_game(formatter: &mut Formatter<'_>, game: Game, sums: &GameSums) -> fmt::Result {
    let facts = info(game);
    write!(
        formatter,
        "{:<12}{:>12}{:>16}{:>16}",
        game.as_str(),
        sums.rounds,
        Money::from_cents(sums.stake).to_string(),
        Money::from_cents(sums.payout).to_string(),
    )?;
    let Some(measured) = measure(sums) else {
        return writeln!(formatter);
    };
    let interval = format!("{:.3} to {:.3}", measured.interval.0, measured.interval.1);
    let kind = match facts.return_of {
        ReturnOf::EveryStrategy => "",
        ReturnOf::BestPlay => ", with best play",
    };
    writeln!(
        formatter,
        "{:>12.4}  {interval:<23}{:>12.4}{:>+9.2}σ{kind}",
        measured.percent, measured.expected_percent, measured.deviations
    )
}
