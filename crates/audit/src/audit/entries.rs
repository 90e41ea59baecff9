//! Verifies the entries of one bundle: their form, and each round by replaying it. What depends on
//! earlier bundles is left to the tally.

use std::borrow::Cow;

use glasshouse_domain::{Game, Money, RulesVersion};
use glasshouse_games::game_round::GameKind;
use glasshouse_games::published::{PublishedRound, verify};
use glasshouse_games::registry::info;
use glasshouse_transparency::Hash;
use glasshouse_transparency::entry::{BundleError, Entry, Round, leaf_hash};

use crate::audit::contradiction::EntryProblem;
use crate::audit::returns::{AllSums, GameSums, add_sums};
use crate::audit::words::ByteCounts;
use crate::log::ServedBundle;

/// The entries of a bundle, verified as far as possible without the others.
#[derive(Debug)]
pub struct CheckedEntries {
    /// The index of the first entry.
    pub(crate) first: u64,
    /// The leaf hashes of the entries.
    pub(crate) leaves: Vec<Hash>,
    /// The time of each entry up to the first problem.
    pub(crate) times: Vec<EntryTime>,
    /// The entries that are no rounds.
    pub(crate) statements: Vec<LogStatement>,
    /// The sums of the rounds.
    pub(crate) sums: AllSums,
    pub(crate) words: ByteCounts,
    pub(crate) blocks: u64,
    /// The first entry that is wrong in itself.
    pub(crate) problem: Option<(u64, EntryProblem)>,
}

/// When an entry is from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EntryTime {
    /// Seconds since 1970.
    pub(crate) second: i64,
    /// Whether the entry may be recorded long after this time: a timed round ends by its rules even
    /// while no server is running.
    pub(crate) may_be_late: bool,
}

/// An entry of the log about itself.
#[derive(Debug)]
pub(crate) struct LogStatement {
    pub(crate) index: u64,
    pub(crate) entry: Entry,
    /// The sums of the rounds before it in the bundle.
    pub(crate) sums_before: AllSums,
}

/// Verifies the entries of a bundle from the given index on; those before are known already.
///
/// # Errors
/// If the bundle is not in the format of bundles.
pub fn check_bundle(bundle: &ServedBundle, from: u64) -> Result<CheckedEntries, BundleError> {
    let first = bundle.first().max(from);
    let mut checked = CheckedEntries {
        first,
        leaves: Vec::new(),
        times: Vec::new(),
        statements: Vec::new(),
        sums: AllSums::new(),
        words: ByteCounts::default(),
        blocks: 0,
        problem: None,
    };
    let lines = (bundle.first()..).zip(bundle.entries()?);
    for (index, line) in lines.filter(|(index, _)| *index >= first) {
        checked.leaves.push(leaf_hash(line));
        if checked.problem.is_none()
            && let Err(problem) = checked.add(index, line)
        {
            checked.problem = Some((index, problem));
        }
    }
    Ok(checked)
}

impl CheckedEntries {
    fn add(&mut self, index: u64, line: &[u8]) -> Result<(), EntryProblem> {
        let line = str::from_utf8(line).map_err(|_| EntryProblem::NotText)?;
        let entry = Entry::parse(line).map_err(EntryProblem::Form)?;
        let second = match &entry {
            Entry::Round(round) => {
                let may_be_late = self.add_round(round)?;
                self.times.push(EntryTime {
                    second: round.second,
                    may_be_late,
                });
                return Ok(());
            }
            Entry::Rules(rules) => rules.second,
            Entry::Books(books) => books.second,
            Entry::Key(key) => key.second,
            Entry::Restart(restart) => restart.second,
        };
        self.times.push(EntryTime {
            second,
            may_be_late: false,
        });
        self.statements.push(LogStatement {
            index,
            entry,
            sums_before: self.sums.clone(),
        });
        Ok(())
    }

    /// Replays a round. Returns whether it may be recorded long after its end.
    fn add_round(&mut self, round: &Round) -> Result<bool, EntryProblem> {
        let game = Game::parse(&round.game)
            .ok_or_else(|| EntryProblem::Newer(format!("the game {} is not known", round.game)))?;
        let rules = RulesVersion::of_number(round.rules.into()).ok_or_else(|| {
            EntryProblem::Newer(format!("version {} of the rules is not known", round.rules))
        })?;
        let replayed = verify(&PublishedRound {
            game,
            rules,
            stake: Money::from_cents(round.stake),
            payout: Money::from_cents(round.payout),
            terms: Cow::Borrowed(round.terms.as_str()),
            blocks: Cow::Borrowed(&round.words),
        })
        .map_err(EntryProblem::Round)?;
        let sums = GameSums::of_round(round.stake, round.payout, replayed.spread);
        self.sums.entry(game).or_default().add(&sums);
        self.words.add(round.words.as_flattened());
        self.blocks += u64::try_from(round.words.len()).unwrap_or(u64::MAX);
        Ok(info(game).kind == GameKind::Timed)
    }

    /// The sums of the rounds before a statement, given those before the bundle.
    pub(crate) fn sums_before(statement: &LogStatement, before: &AllSums) -> AllSums {
        let mut sums = before.clone();
        add_sums(&mut sums, &statement.sums_before);
        sums
    }
}
