//! Walks through the entries of a log in segments: downloads and verifies bundles in parallel, and
//! proves at the end of each segment that its entries are those of the signed tree.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::thread::available_parallelism;

use glasshouse_transparency::Hash;
use glasshouse_transparency::checkpoint::Checkpoint;
use glasshouse_transparency::entry::BundleError;
use glasshouse_transparency::origin::Origin;
use glasshouse_transparency::tile::{Bundle, FULL_WIDTH, RightEdge, TilePath};
use tokio::sync::Semaphore;

use crate::audit::contradiction::{Contradiction, EntryProblem};
use crate::audit::entries::{CheckedEntries, check_bundle};
use crate::audit::failure::Failure;
use crate::audit::tally::Tally;
use crate::audit::tree::{Difference, TreeCheck, check_tree, edge_of};
use crate::fault::Fault;
use crate::log::{InOrder, LogSource, ServedBundle, ServedTiles, fetch_bundle, first_of};

/// The number of entries of a full segment: the entries below one full tile of level 1.
const SEGMENT: u64 = 65_536;
/// How many bundles are downloaded and verified at a time. A usual one has 60 kB, and none more than
/// 17 MB.
const IN_FLIGHT: usize = 16;

/// The log that is walked through, as its house has signed it.
#[derive(Debug, Clone)]
pub struct Target {
    /// Its name.
    pub origin: Origin,
    /// Its size and root.
    pub checkpoint: Checkpoint,
    /// The time of the audit in seconds since 1970.
    pub now: i64,
}

/// A walk through the entries up to a checkpoint.
pub struct Walk<S> {
    source: Arc<S>,
    tiles: ServedTiles<S>,
    target: Target,
    edge: RightEdge,
    tally: Tally,
    /// Bundles that are being downloaded and verified.
    pending: InOrder<Result<Answer, Fault>>,
    /// The index of the bundle that is downloaded next.
    next_bundle: u64,
    processors: Arc<Semaphore>,
}

/// What came of a bundle.
enum Answer {
    Checked(ServedBundle, Box<CheckedEntries>),
    Malformed(Bundle, BundleError),
    Missing(Bundle),
}

/// Why a segment ends before its entries do.
enum Stop {
    Problem(ServedBundle, u64, EntryProblem),
    Malformed(Bundle, BundleError),
    Missing(Bundle),
}

impl<S: LogSource> Walk<S> {
    /// Begins at the first entry.
    #[must_use]
    pub fn new(source: Arc<S>, target: Target) -> Self {
        Self::from(source, target, RightEdge::empty(), Tally::default())
    }

    /// Continues where an earlier walk ended.
    ///
    /// # Errors
    /// If the log does not have the entries that were verified then.
    pub async fn resume(
        source: Arc<S>,
        target: Target,
        position: Checkpoint,
        tally: Tally,
    ) -> Result<Self, Failure> {
        let tiles = ServedTiles::new(Arc::clone(&source), target.checkpoint.size);
        let edge = edge_of(&tiles, position, target.checkpoint).await?;
        Ok(Self::from(source, target, edge, tally))
    }

    fn from(source: Arc<S>, target: Target, edge: RightEdge, tally: Tally) -> Self {
        let processors = available_parallelism().map_or(1, NonZeroUsize::get);
        Self {
            tiles: ServedTiles::new(Arc::clone(&source), target.checkpoint.size),
            source,
            target,
            next_bundle: edge.checkpoint().size / u64::from(FULL_WIDTH),
            edge,
            tally,
            pending: InOrder::new(IN_FLIGHT),
            processors: Arc::new(Semaphore::new(processors)),
        }
    }

    /// The tree of the entries that are verified.
    #[must_use]
    pub const fn position(&self) -> Checkpoint {
        self.edge.checkpoint()
    }

    /// What has been added up.
    #[must_use]
    pub const fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Whether all entries are verified.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.position().size >= self.target.checkpoint.size
    }

    /// Verifies the next segment.
    ///
    /// # Errors
    /// The first contradiction in it, or a fault. Position and tally are unchanged then.
    pub async fn advance(&mut self) -> Result<(), Failure> {
        let start = self.position().size;
        let end = (start / SEGMENT + 1) * SEGMENT;
        let end = end.min(self.target.checkpoint.size);
        let mut leaves: Vec<Hash> = Vec::new();
        let mut tally = self.tally.clone();
        let mut stop = None;
        let mut reached = start;
        while reached < end && stop.is_none() {
            self.begin_downloads(start);
            let Some(answer) = self.pending.next().await else {
                break;
            };
            match answer?? {
                Answer::Checked(served, checked) => {
                    leaves.extend(&checked.leaves);
                    reached = start + u64::try_from(leaves.len()).unwrap_or(u64::MAX);
                    let added = tally.add(*checked, &self.target.origin, self.target.now);
                    stop = added
                        .err()
                        .map(|(index, problem)| Stop::Problem(served, index, problem));
                }
                Answer::Malformed(bundle, reason) => stop = Some(Stop::Malformed(bundle, reason)),
                Answer::Missing(bundle) => stop = Some(Stop::Missing(bundle)),
            }
        }
        let tree = check_tree(&self.tiles, &self.edge, leaves, self.target.checkpoint).await?;
        match (tree, stop) {
            (TreeCheck::Grown(edge), None) => {
                self.edge = *edge;
                self.tally = tally;
                Ok(())
            }
            (TreeCheck::Grown(_), Some(stop)) => Err(self.stopped(stop).await?),
            (TreeCheck::Differs(difference), stop) => Err(self.differs(&difference, stop).await?),
        }
    }

    fn begin_downloads(&mut self, start: u64) {
        while self.pending.has_room() {
            let Some(bundle) = self.bundle(self.next_bundle) else {
                return;
            };
            self.next_bundle += 1;
            let source = Arc::clone(&self.source);
            let processors = Arc::clone(&self.processors);
            self.pending
                .begin(async move { fetch_and_check(&*source, bundle, start, &processors).await });
        }
    }

    /// Why a segment cannot be verified to its end, if what was read of it is in the signed tree.
    async fn stopped(&self, stop: Stop) -> Result<Failure, Fault> {
        let range = |bundle: Bundle| {
            let first = first_of(bundle);
            (first, first + u64::from(bundle.width()) - 1)
        };
        Ok(match stop {
            Stop::Problem(served, index, problem) => wrong_entry(&served, index, problem),
            Stop::Malformed(bundle, reason) => {
                let (first, last) = range(bundle);
                Contradiction::MalformedBundle {
                    first,
                    last,
                    reason,
                }
                .into()
            }
            Stop::Missing(bundle) => {
                let (first, last) = range(bundle);
                let served = self.served_beginning(bundle).await?;
                Contradiction::EntriesMissing {
                    first: first + u64::from(served),
                    last,
                    size: self.target.checkpoint.size,
                }
                .into()
            }
        })
    }

    /// An entry is not in the signed tree. That comes before what is wrong in a later one.
    async fn differs(&self, difference: &Difference, stop: Option<Stop>) -> Result<Failure, Fault> {
        let Difference {
            index,
            served,
            signed,
        } = *difference;
        let also = match stop {
            Some(Stop::Problem(served, wrong, problem)) if wrong < index => {
                return Ok(wrong_entry(&served, wrong, problem));
            }
            Some(Stop::Problem(_, wrong, problem)) if wrong == index => Some(Box::new(problem)),
            _ => None,
        };
        let line = self.line(index).await?;
        Ok(Contradiction::Entry {
            index,
            line,
            problem: EntryProblem::NotInTree {
                served,
                signed,
                also,
            },
        }
        .into())
    }

    /// The text of an entry.
    async fn line(&self, index: u64) -> Result<String, Fault> {
        let Some(bundle) = self.bundle(index / u64::from(FULL_WIDTH)) else {
            return Ok(String::new());
        };
        let served = fetch_bundle(&*self.source, bundle).await?;
        Ok(served.map_or_else(String::new, |served| served.line(index)))
    }

    /// The bundle with this index, as wide as it is in the log.
    fn bundle(&self, index: u64) -> Option<Bundle> {
        let first = index.checked_mul(FULL_WIDTH.into())?;
        let width = self.target.checkpoint.size.checked_sub(first)?;
        let width = u16::try_from(width).unwrap_or(u16::MAX).min(FULL_WIDTH);
        Bundle::new(index, width)
    }

    /// The number of entries at the beginning of a bundle that are served, although the whole bundle
    /// is not.
    async fn served_beginning(&self, bundle: Bundle) -> Result<u16, Fault> {
        let (mut served, mut missing) = (0, bundle.width());
        while missing - served > 1 {
            let width = served.midpoint(missing);
            let Some(narrower) = Bundle::new(bundle.index(), width) else {
                break;
            };
            let found = self.source.read(TilePath::Entries(narrower)).await?;
            if found.is_some() {
                served = width;
            } else {
                missing = width;
            }
        }
        Ok(served)
    }
}

fn wrong_entry(bundle: &ServedBundle, index: u64, problem: EntryProblem) -> Failure {
    match problem {
        EntryProblem::Newer(reason) => Fault::Newer { index, reason }.into(),
        problem => Contradiction::Entry {
            index,
            line: bundle.line(index),
            problem,
        }
        .into(),
    }
}

async fn fetch_and_check(
    source: &impl LogSource,
    bundle: Bundle,
    from: u64,
    processors: &Semaphore,
) -> Result<Answer, Fault> {
    let Some(served) = fetch_bundle(source, bundle).await? else {
        return Ok(Answer::Missing(bundle));
    };
    let _permit = processors.acquire().await.map_err(Fault::interrupted)?;
    let checked = tokio::task::spawn_blocking(move || {
        let checked = check_bundle(&served, from)?;
        Ok((served, Box::new(checked)))
    });
    Ok(match checked.await.map_err(Fault::interrupted)? {
        Ok((served, checked)) => Answer::Checked(served, checked),
        Err(reason) => Answer::Malformed(bundle, reason),
    })
}
