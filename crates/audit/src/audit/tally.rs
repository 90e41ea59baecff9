//! What an audit has added up so far: sums, words, and what the log has stated about itself.

use std::collections::BTreeSet;

use glasshouse_transparency::entry::{Books, Entry, Rules};
use glasshouse_transparency::keys::VerifierKeys;
use glasshouse_transparency::origin::Origin;
use serde::{Deserialize, Serialize};

use crate::audit::contradiction::{Contradiction, EntryProblem};
use crate::audit::entries::{CheckedEntries, EntryTime, LogStatement};
use crate::audit::returns::{AllSums, add_sums, by_name, check_returns};
use crate::audit::statistics::{chi_square, chi_square_tails};
use crate::audit::words::ByteCounts;

/// How far an entry's time may be behind that of an entry before it, in seconds: several servers
/// add entries, each by its own clock, and in the order of their commits.
const TOLERANCE_BACK: i64 = 600;
/// How far an entry's time may be ahead of this computer's clock, which may be wrong too.
const TOLERANCE_AHEAD: i64 = 3_600;
/// From this number of expected occurrences of each value on, chi-square has its distribution far
/// out in its tails as well.
const MINIMUM_EXPECTED: u64 = 50;
/// Words that are less probable are a contradiction.
const MINIMUM_PROBABILITY: f64 = 1e-9;
const SECONDS_PER_DAY: i64 = 86_400;
/// The number of values of a byte.
const VALUES: u64 = 256;
const DEGREES_OF_FREEDOM: f64 = 255.0;

/// What has been added up.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tally {
    #[serde(with = "by_name")]
    pub(crate) games: AllSums,
    pub(crate) words: ByteCounts,
    pub(crate) blocks: u64,
    /// The latest time of an entry that is recorded at once, in seconds since 1970.
    latest_second: i64,
    /// The keys that the log names.
    pub(crate) keys: Vec<String>,
    /// The rules that the log names last.
    pub(crate) rules: Option<NamedRules>,
    /// The number of entries with books.
    pub(crate) books: u64,
    /// The day of the last books, since 1970.
    last_books_day: Option<i64>,
    /// The log that this one follows.
    pub(crate) restarted_from: Option<Former>,
}

/// The rules that an entry names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct NamedRules {
    pub(crate) index: u64,
    pub(crate) version: u32,
    pub(crate) sha256: String,
}

/// The log before a restart.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Former {
    pub(crate) origin: String,
    pub(crate) size: u64,
    pub(crate) root: String,
}

/// How the words are distributed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Uniformity {
    pub(crate) statistic: f64,
    /// The probability of a statistic that is at least as large.
    pub(crate) p_value: f64,
    /// The probability of one that is at most as large: words that were made up are often too
    /// regular.
    pub(crate) p_too_even: f64,
}

impl Tally {
    /// Adds verified entries, which follow those that were added before. `now` is the time in
    /// seconds since 1970.
    ///
    /// # Errors
    /// The index of the first entry that is wrong, and what is wrong with it.
    pub fn add(
        &mut self,
        checked: CheckedEntries,
        origin: &Origin,
        now: i64,
    ) -> Result<(), (u64, EntryProblem)> {
        let mut statements = checked.statements.iter().peekable();
        for (index, time) in (checked.first..).zip(&checked.times) {
            self.add_time(*time, now)
                .map_err(|problem| (index, problem))?;
            while let Some(statement) = statements.next_if(|next| next.index == index) {
                self.add_statement(statement, origin)
                    .map_err(|problem| (index, problem))?;
            }
        }
        add_sums(&mut self.games, &checked.sums);
        self.words.add_all(&checked.words);
        self.blocks += checked.blocks;
        checked.problem.map_or(Ok(()), Err)
    }

    fn add_time(&mut self, time: EntryTime, now: i64) -> Result<(), EntryProblem> {
        let EntryTime {
            second,
            may_be_late,
        } = time;
        if second > now.saturating_add(TOLERANCE_AHEAD) {
            return Err(EntryProblem::Future { second, now });
        }
        if may_be_late {
            return Ok(());
        }
        if second < self.latest_second.saturating_sub(TOLERANCE_BACK) {
            return Err(EntryProblem::Earlier {
                second,
                before: self.latest_second,
            });
        }
        self.latest_second = self.latest_second.max(second);
        Ok(())
    }

    fn add_statement(
        &mut self,
        statement: &LogStatement,
        origin: &Origin,
    ) -> Result<(), EntryProblem> {
        match &statement.entry {
            // Rounds are in the sums.
            Entry::Round(_) => {}
            Entry::Rules(Rules {
                version, sha256, ..
            }) => {
                self.rules = Some(NamedRules {
                    index: statement.index,
                    version: *version,
                    sha256: hex::encode(sha256),
                });
            }
            Entry::Books(books) => {
                self.check_day(books)?;
                check_books(books, &CheckedEntries::sums_before(statement, &self.games))?;
                self.books += 1;
            }
            Entry::Key(key) => {
                let named = VerifierKeys::parse(&key.vkey);
                if !named.is_ok_and(|named| named.origin() == origin) {
                    return Err(EntryProblem::Key(origin.to_string()));
                }
                if !self.keys.contains(&key.vkey) {
                    self.keys.push(key.vkey.clone());
                }
            }
            Entry::Restart(restart) => {
                if statement.index != 0 {
                    return Err(EntryProblem::Restart);
                }
                self.restarted_from = Some(Former {
                    origin: restart.origin.clone(),
                    size: restart.size,
                    root: restart.root.to_string(),
                });
            }
        }
        Ok(())
    }

    fn check_day(&mut self, books: &Books) -> Result<(), EntryProblem> {
        let day = books.day.as_days();
        let is_over = day < books.second.div_euclid(SECONDS_PER_DAY);
        if !is_over || self.last_books_day.is_some_and(|last| last >= day) {
            return Err(EntryProblem::BooksDay);
        }
        self.last_books_day = Some(day);
        Ok(())
    }

    /// How the bytes of the words are distributed; `None` if there are too few to tell.
    pub(crate) fn uniformity(&self) -> Option<Uniformity> {
        if self.words.total() < VALUES.saturating_mul(MINIMUM_EXPECTED) {
            return None;
        }
        let statistic = chi_square(self.words.numbers());
        let (p_too_even, p_value) = chi_square_tails(statistic, DEGREES_OF_FREEDOM);
        Some(Uniformity {
            statistic,
            p_value,
            p_too_even,
        })
    }

    /// Finds statistics that are absurdly improbable for an honest house.
    pub(crate) fn check_statistics(&self) -> Result<(), Contradiction> {
        check_returns(&self.games)?;
        let Some(uniformity) = self.uniformity() else {
            return Ok(());
        };
        let p_value = uniformity.p_value.min(uniformity.p_too_even);
        if p_value < MINIMUM_PROBABILITY {
            return Err(Contradiction::Words {
                blocks: self.blocks,
                statistic: uniformity.statistic,
                p_value,
            });
        }
        Ok(())
    }
}

/// Compares the books with the sums of the rounds before them.
fn check_books(books: &Books, sums: &AllSums) -> Result<(), EntryProblem> {
    let mut stated_games = BTreeSet::new();
    for stated in &books.games {
        if !stated_games.insert(stated.game.as_str()) {
            return Err(EntryProblem::BooksTwice(stated.game.clone()));
        }
        let of_game = sums.iter().find(|(game, _)| game.as_str() == stated.game);
        let computed = of_game.map_or([0; 3], |(_, sums)| sums.totals());
        let stated_totals = [stated.rounds, stated.stake, stated.payout];
        if stated_totals != computed {
            return Err(EntryProblem::Books {
                game: stated.game.clone(),
                stated: stated_totals,
                computed,
            });
        }
    }
    let missing = sums
        .iter()
        .find(|(game, _)| !stated_games.contains(game.as_str()));
    match missing {
        None => Ok(()),
        Some((game, sums)) => Err(EntryProblem::Books {
            game: game.as_str().to_owned(),
            stated: [0; 3],
            computed: sums.totals(),
        }),
    }
}
