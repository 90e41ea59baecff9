//! One log: its entries in their places, the tree over them, and the signed checkpoint.

use glasshouse_persistence::books::BatchToCheck;
use glasshouse_persistence::public_log::LogState;
use glasshouse_persistence::{DatabaseError, Snapshot, queries};
use glasshouse_transparency::Hash;
use glasshouse_transparency::checkpoint::{Checkpoint, stated_end};
use glasshouse_transparency::entry::{Entry, leaf_hash};
use glasshouse_transparency::keys::VerifierKeys;
use glasshouse_transparency::tile::{FULL_WIDTH, RightEdge};

use crate::books::check::chunks::BATCHES_PER_CHUNK;
use crate::books::check::log::own_entries::OwnEntries;
use crate::books::check::log::suspects::Suspects;
use crate::books::check::report::{CheckReport, Finding};

/// The size of a hash in bytes.
const HASH_LENGTH: usize = 32;
/// More wrong entries are not kept: only the first ones are named.
const MAXIMUM_SUSPECTS: usize = 1_000;

/// What was found in all logs.
pub(crate) struct LogFindings {
    places: Finding,
    tree: Finding,
    history: Finding,
    own: Finding,
}

impl Default for LogFindings {
    fn default() -> Self {
        Self {
            places: Finding::new("every log has its entries in their places, without gaps"),
            tree: Finding::new(
                "the tiles and the signed checkpoint of every log follow from its entries",
            ),
            history: Finding::new("every log continues what was signed before it"),
            own: Finding::new("the keys, rules and books that every log states are right"),
        }
    }
}

impl LogFindings {
    /// Adds the findings to the report, after all logs were checked.
    pub(crate) fn finish(
        mut self,
        states: &[LogState],
        kept: Option<&str>,
        report: &mut CheckReport,
    ) {
        if kept.is_some_and(|kept| stated_end(kept).is_none()) {
            let row = "what was kept is not a checkpoint".to_owned();
            self.history.add(row);
        }
        let kept = kept.and_then(stated_end);
        let is_known = |origin: &str| {
            let mut names = states.iter().filter(|state| state.size > 0);
            names.any(|state| state.origin.as_deref() == Some(origin))
        };
        if let Some((origin, end)) = kept
            && !is_known(origin.as_str())
        {
            self.history.add(format!(
                "a checkpoint of {} entries of the log {origin} was signed, but the database does not \
                 contain that log",
                end.size
            ));
        }
        self.compare_ends(states);
        let Self {
            places,
            tree,
            history,
            own,
        } = self;
        report.invariants.extend([places, tree, history, own]);
    }
}

impl LogFindings {
    /// A log that is over must end as the one that follows it states, or before, if an old backup was
    /// restored.
    fn compare_ends(&mut self, states: &[LogState]) {
        for follows in states.iter().filter_map(|state| state.follows.as_deref()) {
            let Some((origin, last)) = stated_end(follows) else {
                continue;
            };
            let of_origin = |state: &&LogState| state.origin.as_deref() == Some(origin.as_str());
            let over = states.iter().find(of_origin);
            let end = over.and_then(|state| stated_end(&state.checkpoint));
            if let Some((_, end)) = end
                && (end.size > last.size || (end.size == last.size && end.root != last.root))
            {
                let row =
                    format!("{origin}: the log does not end as the one that follows it states");
                self.history.add(row);
            }
        }
    }
}

/// The name of a log in messages.
pub(crate) fn name_of(state: &LogState) -> &str {
    state.origin.as_deref().unwrap_or("without a name")
}

/// Checks one log. Returns the keys that it names, a line each, if its checkpoint is signed.
pub(crate) fn check_tree(
    snapshot: &mut Snapshot,
    (state, keys): (&LogState, Option<&VerifierKeys>),
    kept: Option<&str>,
    (findings, suspects): (&mut LogFindings, &mut Suspects),
) -> Result<Option<String>, DatabaseError> {
    let opened = keys.map(|keys| Checkpoint::open(&state.checkpoint, keys));
    let is_signed = matches!(&opened, Some(Ok(end)) if end.size == state.size);
    if !is_signed {
        let problem = match opened {
            Some(Ok(_)) => "it is of another size".to_owned(),
            Some(Err(error)) => error.to_string(),
            None => "there is no key".to_owned(),
        };
        let name = name_of(state);
        findings
            .tree
            .add(format!("{name}: the last checkpoint: {problem}"));
    }
    let mut check = TreeCheck {
        state,
        name: name_of(state),
        kept: kept.and_then(stated_end).and_then(|(origin, end)| {
            let is_this = state.origin.as_deref() == Some(origin.as_str());
            is_this.then_some(end)
        }),
        next: 0,
        edge: RightEdge::empty(),
        leaves: Vec::new(),
        is_whole: true,
        tile: None,
        suspects: Vec::new(),
        own: OwnEntries::default(),
        findings,
    };
    let mut from = 0;
    loop {
        let batches = snapshot.read(|connection| {
            queries::batches_of_log(connection, state.id, from, BATCHES_PER_CHUNK)
        })?;
        let Some((_, newest)) = batches.last().and_then(|batch| batch.place) else {
            break;
        };
        from = newest.saturating_add(1);
        for batch in &batches {
            check.add_batch(snapshot, batch)?;
        }
        check.append(snapshot)?;
    }
    let named = check.finish(snapshot, suspects)?;
    Ok(is_signed.then_some(named))
}

struct TreeCheck<'c> {
    state: &'c LogState,
    name: &'c str,
    /// The checkpoint that was kept outside of the database, if it is of this log.
    kept: Option<Checkpoint>,
    /// The index after the last entry.
    next: u64,
    /// The tree of all entries so far, unless one is missing.
    edge: RightEdge,
    /// The leaf hashes that are not in the tree yet.
    leaves: Vec<Hash>,
    /// Whether no entry was missing or surplus so far.
    is_whole: bool,
    /// The stored tile of leaf hashes that was read last.
    tile: Option<(u64, Vec<u8>)>,
    /// Entries of which the stored tile has another hash, or that the checkpoint does not have.
    suspects: Vec<Suspect>,
    own: OwnEntries,
    findings: &'c mut LogFindings,
}

/// An entry that is wrong, or whose tile is.
struct Suspect {
    /// Where it is.
    named: String,
    leaf: Hash,
    /// Whether the last checkpoint contains its place.
    is_signed: bool,
}

impl TreeCheck<'_> {
    fn add_batch(
        &mut self,
        snapshot: &mut Snapshot,
        batch: &BatchToCheck,
    ) -> Result<(), DatabaseError> {
        let (name, next) = (self.name, self.next);
        let first = batch.place.map_or(next, |(_, first)| first);
        if first != next {
            self.is_whole = false;
            self.findings.places.add(if first > next {
                format!("{name}: the entries {next} to {} are missing", first - 1)
            } else {
                let id = batch.id;
                format!("{name}: batch {id} begins at {first}, where other entries are")
            });
        }
        let lines = match batch.lines() {
            Ok(lines) => lines,
            Err(error) => {
                self.is_whole = false;
                self.findings.places.add(format!("{name}: {error}"));
                return Ok(());
            }
        };
        for (index, line) in (first..).zip(lines) {
            let leaf = leaf_hash(line);
            let named = format!("entry {index} of {name} (batch {})", batch.id);
            let is_as_stored = self.stored_leaf(snapshot, index)? == Some(leaf);
            let is_signed = index < self.state.size;
            if !(is_as_stored && is_signed) && self.suspects.len() < MAXIMUM_SUSPECTS {
                self.suspects.push(Suspect {
                    named: named.clone(),
                    leaf,
                    is_signed,
                });
            }
            self.leaves.push(leaf);
            self.next = index.saturating_add(1);
            match parse(line) {
                Some(entry) => {
                    let is_round = matches!(entry, Entry::Round(_));
                    if is_round == batch.note.is_empty() {
                        self.findings.places.add(format!("{named} is of no round"));
                    }
                    self.own.add(&entry, index, &named, &mut self.findings.own);
                }
                None => self.findings.places.add(format!("{named} is not an entry")),
            }
        }
        Ok(())
    }

    /// The leaf hash of an entry in the stored tile.
    fn stored_leaf(
        &mut self,
        snapshot: &mut Snapshot,
        index: u64,
    ) -> Result<Option<Hash>, DatabaseError> {
        let width = u64::from(FULL_WIDTH);
        let wanted = index / width;
        if self.tile.as_ref().is_none_or(|(read, _)| *read != wanted) {
            let log = self.state.id;
            let hashes =
                snapshot.read(|connection| queries::log_tile(connection, log, 0, wanted))?;
            self.tile = Some((wanted, hashes));
        }
        let at = usize::try_from(index % width).unwrap_or(usize::MAX);
        let hashes = self.tile.as_ref().map(|(_, hashes)| hashes.as_chunks().0);
        Ok(hashes.and_then(|hashes| hashes.get(at)).copied().map(Hash))
    }

    /// Appends the new leaf hashes to the tree and compares its higher tiles with the stored ones.
    fn append(&mut self, snapshot: &mut Snapshot) -> Result<(), DatabaseError> {
        let mut leaves = std::mem::take(&mut self.leaves);
        if !self.is_whole {
            return Ok(());
        }
        if let Some(kept) = self.kept {
            let size = self.edge.checkpoint().size;
            let before = usize::try_from(kept.size.saturating_sub(size)).unwrap_or(usize::MAX);
            if (1..=leaves.len()).contains(&before) {
                let after = leaves.split_off(before);
                self.append_all(snapshot, &leaves)?;
                if self.edge.checkpoint().root != kept.root {
                    self.findings.history.add(format!(
                        "{}: the first {} entries are not those that were signed",
                        self.name, kept.size
                    ));
                }
                leaves = after;
            }
        }
        self.append_all(snapshot, &leaves)
    }

    fn append_all(
        &mut self,
        snapshot: &mut Snapshot,
        leaves: &[Hash],
    ) -> Result<(), DatabaseError> {
        let changed = self.edge.append(leaves).unwrap_or_default();
        let higher = changed.iter().filter(|stored| stored.tile.level() > 0);
        for expected in higher {
            let (level, index) = (expected.tile.level(), expected.tile.index());
            let log = self.state.id;
            let stored =
                snapshot.read(|connection| queries::log_tile(connection, log, level, index))?;
            if !stored.starts_with(&expected.data) {
                let name = self.name;
                let row = format!("{name}: tile {index} of level {level} has other hashes");
                self.findings.tree.add(row);
            }
        }
        Ok(())
    }

    /// Compares the whole tree with the signed checkpoint. Returns the keys that the log names.
    fn finish(
        self,
        snapshot: &mut Snapshot,
        suspects: &mut Suspects,
    ) -> Result<String, DatabaseError> {
        let (state, name, findings) = (self.state, self.name, self.findings);
        if self.next < state.size {
            let (first, last) = (self.next, state.size - 1);
            let row = format!("{name}: the entries {first} to {last} are missing");
            findings.places.add(row);
        } else if self.next > state.size {
            let row = format!(
                "{name}: there are {} entries, but the last checkpoint is of {}",
                self.next, state.size
            );
            findings.places.add(row);
        }
        let signed = stated_end(&state.checkpoint).map(|(_, end)| end);
        let is_signed_tree = self.is_whole && signed == Some(self.edge.checkpoint());
        if !is_signed_tree {
            let row = format!("{name}: the entries do not lead to the root of the last checkpoint");
            findings.tree.add(row);
        }
        for Suspect {
            named,
            leaf,
            is_signed,
        } in self.suspects
        {
            let (finding, problem) = if !is_signed {
                (&mut findings.places, "is after the last checkpoint")
            } else if is_signed_tree {
                (&mut findings.tree, "has another hash in its tile")
            } else {
                (&mut findings.places, "is not the one in the tree")
            };
            let row = format!("{named} {problem}");
            finding.add(row.clone());
            suspects.add_entry(leaf, row);
        }
        check_tile_sizes(snapshot, state, name, &mut findings.tree)?;
        if let Some(kept) = self.kept.filter(|kept| kept.size > state.size) {
            findings.history.add(format!(
                "{name}: the log ends after {} entries, but a checkpoint of {} was signed: an old \
                 backup was restored, or entries were deleted",
                state.size, kept.size
            ));
        }
        Ok(self.own.finish(state, name, &mut findings.own))
    }
}

/// No hash may be missing or surplus in the tiles.
fn check_tile_sizes(
    snapshot: &mut Snapshot,
    state: &LogState,
    name: &str,
    wrong: &mut Finding,
) -> Result<(), DatabaseError> {
    let totals = snapshot.read(|connection| queries::tile_totals(connection, state.id))?;
    let mut expected = Vec::new();
    let mut hashes = state.size;
    while hashes > 0 {
        expected.push(hashes);
        hashes /= u64::from(FULL_WIDTH);
    }
    let stored = totals.iter().map(|total| {
        let bytes = usize::try_from(total.bytes).unwrap_or_default();
        u64::try_from(bytes / HASH_LENGTH).unwrap_or_default()
    });
    if !stored.eq(expected) {
        wrong.add(format!(
            "{name}: the tiles have more or fewer hashes than the tree"
        ));
    }
    Ok(())
}

fn parse(line: &[u8]) -> Option<Entry> {
    Entry::parse(str::from_utf8(line).ok()?).ok()
}
