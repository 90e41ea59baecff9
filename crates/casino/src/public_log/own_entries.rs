//! The entries that the log makes about itself: its keys, the rules, and the books.

use glasshouse_domain::{RulesVersion, Timestamp};
use glasshouse_persistence::Transaction;
use glasshouse_persistence::public_log::LogState;
use glasshouse_transparency::checkpoint::stated_end;
use glasshouse_transparency::entry::{Books, Entry, GameTotals, Key, Restart, Rules};
use glasshouse_transparency::keys::SigningKeys;
use glasshouse_transparency::time::UtcDay;

use crate::error::CasinoError;
use crate::public_log::rules::{rules_hash, rules_text};

/// Entries of the log itself, as lines.
#[derive(Default)]
pub(crate) struct OwnEntries {
    pub(crate) lines: Vec<String>,
}

impl OwnEntries {
    fn add(&mut self, entry: &Entry) -> Result<(), CasinoError> {
        self.lines
            .push(entry.to_line().map_err(CasinoError::public_log)?);
        Ok(())
    }
}

/// Whether the log has something to say about itself.
pub(crate) fn are_entries_due(
    state: &LogState,
    keys: &SigningKeys,
    now: Timestamp,
) -> Result<bool, CasinoError> {
    let has_new_key = keys
        .verifier_keys()
        .iter()
        .any(|vkey| state.keys.lines().all(|known| known != vkey));
    let rules = rules_hash(&rules_text().map_err(CasinoError::public_log)?);
    let has_new_rules = state.rules_hash != hex::encode(rules);
    Ok(has_new_key || has_new_rules || state.books_day.is_none_or(|day| day < now.day()))
}

/// The entries that are due: new keys, changed rules, and the books of the day that has ended. They
/// are noted in the state, so each is made once.
pub(crate) fn own_entries(
    transaction: &mut Transaction<'_, '_>,
    state: &mut LogState,
    keys: &SigningKeys,
    (now, is_books_day): (Timestamp, bool),
) -> Result<OwnEntries, CasinoError> {
    let mut own = OwnEntries::default();
    let second = now.second();
    if let Some(follows) = state
        .follows
        .as_ref()
        .filter(|_| state.size == 0 && state.keys.is_empty())
    {
        own.add(&restart(follows, second)?)?;
    }
    for vkey in keys.verifier_keys().iter() {
        if state.keys.lines().all(|known| known != vkey) {
            own.add(&Entry::Key(Key {
                vkey: vkey.to_owned(),
                second,
            }))?;
            state.keys.push_str(vkey);
            state.keys.push('\n');
        }
    }
    let sha256 = rules_hash(&rules_text().map_err(CasinoError::public_log)?);
    if state.rules_hash != hex::encode(sha256) {
        own.add(&Entry::Rules(Rules {
            version: RulesVersion::CURRENT.number().into(),
            sha256,
            second,
        }))?;
        state.rules_hash = hex::encode(sha256);
    }
    if is_books_day {
        own.add(&books(
            transaction,
            state.id,
            state.books_day.unwrap_or_default(),
            second,
        )?)?;
    }
    if is_books_day || state.books_day.is_none() {
        state.books_day = Some(now.day());
    }
    Ok(own)
}

/// The first entry of a log that follows another one.
fn restart(follows: &str, second: i64) -> Result<Entry, CasinoError> {
    let (origin, end) = stated_end(follows)
        .ok_or_else(|| CasinoError::public_log("the end of the log that this one follows"))?;
    Ok(Entry::Restart(Restart {
        origin: origin.to_string(),
        size: end.size,
        root: end.root,
        second,
    }))
}

/// The books at the end of a day.
fn books(
    transaction: &mut Transaction<'_, '_>,
    log: i64,
    day: i64,
    second: i64,
) -> Result<Entry, CasinoError> {
    let totals = transaction.totals_since(Some(log))?;
    let balances = transaction.all_balances()?;
    let games = totals.into_iter().filter(|total| total.rounds > 0);
    Ok(Entry::Books(Books {
        day: UtcDay::from_days(day),
        games: games
            .map(|total| GameTotals {
                game: total.game,
                rounds: total.rounds,
                stake: total.staked_cents,
                payout: total.paid_cents,
            })
            .collect(),
        balances: balances.cents,
        accounts: balances.accounts,
        second,
    }))
}
