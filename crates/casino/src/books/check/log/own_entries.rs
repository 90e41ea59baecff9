//! The entries that a log makes about itself: keys, rules, books, and the log that it follows.

use std::collections::BTreeMap;

use glasshouse_persistence::public_log::LogState;
use glasshouse_transparency::checkpoint::stated_end;
use glasshouse_transparency::entry::{Books, Entry, GameTotals, Round};

use crate::books::check::report::Finding;

/// What a log has said about itself so far, and the sums of its rounds.
#[derive(Debug, Default)]
pub(crate) struct OwnEntries {
    keys: String,
    rules_hash: String,
    follows: Option<(String, u64, [u8; 32])>,
    totals: BTreeMap<String, GameTotals>,
}

impl OwnEntries {
    /// Adds an entry. `named` says where it is.
    pub(crate) fn add(&mut self, entry: &Entry, index: u64, named: &str, wrong: &mut Finding) {
        match entry {
            Entry::Round(round) => self.add_round(round),
            Entry::Key(key) => {
                self.keys.push_str(&key.vkey);
                self.keys.push('\n');
            }
            Entry::Rules(rules) => self.rules_hash = hex::encode(rules.sha256),
            Entry::Books(books) if !self.is_right(books) => wrong.add(format!(
                "{named}: the books of {} are not the sums of the rounds before them",
                books.day
            )),
            Entry::Books(_) => {}
            Entry::Restart(restart) => {
                if index > 0 {
                    wrong.add(format!(
                        "{named}: only the first entry can follow another log"
                    ));
                }
                self.follows = Some((restart.origin.clone(), restart.size, restart.root.0));
            }
        }
    }

    fn add_round(&mut self, round: &Round) {
        let empty = || GameTotals {
            game: round.game.clone(),
            rounds: 0,
            stake: 0,
            payout: 0,
        };
        let totals = self.totals.entry(round.game.clone()).or_insert_with(empty);
        // A sum that overflows does not equal what was signed.
        totals.rounds = totals.rounds.saturating_add(1);
        totals.stake = totals.stake.saturating_add(round.stake);
        totals.payout = totals.payout.saturating_add(round.payout);
    }

    fn is_right(&self, books: &Books) -> bool {
        books.games.iter().eq(self.totals.values())
    }

    /// Compares what the log has said with what the database remembers of it. Returns the keys that
    /// the log names, a line each.
    pub(crate) fn finish(self, state: &LogState, name: &str, wrong: &mut Finding) -> String {
        if self.keys != state.keys {
            wrong.add(format!(
                "{name}: the database remembers other keys than it names"
            ));
        }
        if self.rules_hash != state.rules_hash {
            wrong.add(format!(
                "{name}: the database remembers other rules than it names"
            ));
        }
        let follows = state.follows.as_deref().and_then(stated_end);
        let follows = follows.map(|(origin, end)| (origin.to_string(), end.size, end.root.0));
        if self.follows != follows {
            wrong.add(format!(
                "{name}: the database remembers another log before it than it names"
            ));
        }
        self.keys
    }
}
