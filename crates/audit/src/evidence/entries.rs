//! The public entries that receipts refer to: whether the log has them, and whether they say the
//! same.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use glasshouse_transparency::Hash;
use glasshouse_transparency::entry::{Entry, Round, leaf_hash};
use glasshouse_transparency::receipt::{Receipt, RoundState, RoundStatement, Statement};
use glasshouse_transparency::tile::{Bundle, FULL_WIDTH, RightEdge, Tile};

use crate::audit::{Contradiction, EntryProblem, Failure, SignedCheckpoint};
use crate::evidence::finding::{Finding, Placed};
use crate::evidence::named::about;
use crate::fault::Fault;
use crate::log::{InOrder, LogSource, fetch_bundle, fetch_tile};

/// How many tiles are downloaded at a time.
const IN_FLIGHT: usize = 16;
/// Entries appear in the log within ten seconds. After this time they are not just late.
const PATIENCE_MICROS: i64 = 10 * 60 * 1_000_000;

/// The entries of rounds in the log, by their leaf hash.
#[derive(Debug, Default)]
pub(crate) struct LoggedRounds {
    rounds: HashMap<[u8; 32], Logged>,
    /// The entries that are not in the log.
    missing: BTreeSet<[u8; 32]>,
}

/// A round in the log.
#[derive(Debug)]
pub(crate) struct Logged {
    pub(crate) index: u64,
    pub(crate) round: Option<Round>,
    /// Why the entry that the house serves is not the one that it has signed.
    problem: Option<String>,
}

/// The settled rounds among receipts.
pub(crate) fn settled(
    receipts: &[Placed<Receipt>],
) -> impl Iterator<Item = (&Placed<Receipt>, &RoundStatement, i64, Hash)> {
    receipts
        .iter()
        .filter_map(|receipt| match &receipt.value.statement {
            Statement::Round(round) => match round.state {
                RoundState::Settled { payout, entry } => Some((receipt, round, payout, entry)),
                RoundState::Open => None,
            },
            _ => None,
        })
}

impl LoggedRounds {
    /// Looks for the entries of receipts in the log of a checkpoint.
    ///
    /// # Errors
    /// If the log's tiles are not those of the checkpoint, or cannot be read.
    pub(crate) async fn find<S: LogSource>(
        source: Arc<S>,
        target: &SignedCheckpoint,
        receipts: &[Placed<Receipt>],
    ) -> Result<Self, Failure> {
        let wanted: BTreeSet<[u8; 32]> = settled(receipts).map(|(.., entry)| entry.0).collect();
        if wanted.is_empty() {
            return Ok(Self::default());
        }
        let places = find_leaves(&source, target, &wanted).await?;
        let mut found = Self::default();
        for (leaf, index) in places {
            let size = target.checkpoint.size;
            let logged = match read_round(&*source, index, size, Hash(leaf)).await {
                Err(Failure::Contradiction(contradiction)) => Logged {
                    index,
                    round: None,
                    problem: Some(contradiction.to_string()),
                },
                read => read?,
            };
            found.rounds.insert(leaf, logged);
        }
        found.missing = wanted
            .into_iter()
            .filter(|leaf| !found.rounds.contains_key(leaf))
            .collect();
        Ok(found)
    }

    /// The entry with a leaf hash.
    pub(crate) fn get(&self, entry: Hash) -> Option<&Logged> {
        self.rounds.get(&entry.0)
    }

    /// Finds receipts whose entries are missing or say something else. `now` is the time in
    /// microseconds since 1970.
    pub(crate) fn contradictions(
        &self,
        receipts: &[Placed<Receipt>],
        target: &SignedCheckpoint,
        now: i64,
    ) -> Vec<Finding> {
        let mut findings = Vec::new();
        for (receipt, round, payout, entry) in settled(receipts) {
            if self.missing.contains(&entry.0) {
                findings.push(missing(receipt, round, (entry, target), now));
            }
            let problem = self.get(entry).and_then(|logged| {
                logged.problem.clone().or_else(|| {
                    let stated = logged.round.as_ref().map(|logged| (logged.stake, logged.payout));
                    (stated != Some((round.stake, payout))).then(|| {
                        let index = logged.index;
                        format!("entry {index} of the log does not have the stake and payout of its receipt")
                    })
                })
            });
            if let Some(problem) = problem {
                findings.push(Finding::proof(
                    [receipt.place.clone()],
                    format!("{}{problem}:\n{}", about([round.round]), receipt.value),
                ));
            }
        }
        findings
    }

    /// The number of entries that were found.
    pub(crate) fn len(&self) -> usize {
        self.rounds.len()
    }
}

/// Reads all leaf hashes of the log, proves that they are those of the signed tree, and returns the
/// indexes of those that are wanted.
async fn find_leaves<S: LogSource>(
    source: &Arc<S>,
    target: &SignedCheckpoint,
    wanted: &BTreeSet<[u8; 32]>,
) -> Result<BTreeMap<[u8; 32], u64>, Failure> {
    let size = target.checkpoint.size;
    let mut found = BTreeMap::new();
    let mut edge = RightEdge::empty();
    let mut pending = InOrder::new(IN_FLIGHT);
    let mut next = 0;
    while edge.checkpoint().size < size {
        while pending.has_room()
            && let Some(tile) = leaf_tile(next, size)
        {
            next += 1;
            let source = Arc::clone(source);
            pending.begin(async move { (tile, fetch_tile(&*source, tile).await) });
        }
        let Some(answer) = pending.next().await else {
            break;
        };
        let (tile, hashes) = answer?;
        let hashes = hashes?
            .filter(|hashes| hashes.len() == tile.data_length())
            .ok_or(Contradiction::TileMissing { tile, size })?;
        let start = edge.checkpoint().size;
        let leaves: Vec<Hash> = hashes
            .as_chunks()
            .0
            .iter()
            .map(|hash| Hash(*hash))
            .collect();
        for (index, leaf) in (start..).zip(&leaves) {
            if wanted.contains(&leaf.0) {
                found.insert(leaf.0, index);
            }
        }
        edge.append(&leaves).map_err(Fault::interrupted)?;
    }
    if edge.checkpoint() == target.checkpoint {
        Ok(found)
    } else {
        Err(Contradiction::WrongTiles { size, at: 0 }.into())
    }
}

/// The tile of leaf hashes with this index in a log of this size.
fn leaf_tile(index: u64, size: u64) -> Option<Tile> {
    let width = size.checked_sub(index.checked_mul(FULL_WIDTH.into())?)?;
    Tile::new(
        0,
        index,
        u16::try_from(width).unwrap_or(u16::MAX).min(FULL_WIDTH),
    )
}

/// What it means that the entry of a settled round is not in the log.
fn missing(
    receipt: &Placed<Receipt>,
    round: &RoundStatement,
    (entry, target): (Hash, &SignedCheckpoint),
    now: i64,
) -> Finding {
    let age = now.saturating_sub(receipt.value.time.as_micros());
    let text = format!(
        "{}the entry {} of a settled round is not in the log",
        about([round.round]),
        hex::encode(entry.0)
    );
    let signed = format!("{}\n{}", receipt.value, target.note);
    let places = [receipt.place.clone()];
    if age > PATIENCE_MICROS {
        Finding::proof(places, format!("{text}:\n{signed}"))
    } else {
        Finding::claim(
            places,
            format!(
                "{text}, {} seconds after its receipt. It must be there after ten minutes; evaluate \
                 the evidence again then:\n{signed}",
                age / 1_000_000
            ),
        )
    }
}

/// Reads the entry with this index in the log, which must have the signed leaf hash.
async fn read_round(
    source: &impl LogSource,
    index: u64,
    size: u64,
    signed: Hash,
) -> Result<Logged, Failure> {
    let missing = || Contradiction::EntriesMissing {
        first: index,
        last: index,
        size,
    };
    let number = index / u64::from(FULL_WIDTH);
    let tile = leaf_tile(number, size).ok_or_else(missing)?;
    let bundle = Bundle::new(number, tile.width()).ok_or_else(missing)?;
    let served = fetch_bundle(source, bundle).await?;
    let line = served.ok_or_else(missing)?.line(index);
    let served = leaf_hash(line.as_bytes());
    if served != signed {
        let problem = EntryProblem::NotInTree {
            served,
            signed,
            also: None,
        };
        return Err(Contradiction::Entry {
            index,
            line,
            problem,
        }
        .into());
    }
    let round = match Entry::parse(&line) {
        Ok(Entry::Round(round)) => Some(round),
        _ => None,
    };
    Ok(Logged {
        index,
        round,
        problem: None,
    })
}
