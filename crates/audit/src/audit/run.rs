//! Runs an audit: from the keys over the checkpoint to the last entry.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use glasshouse_transparency::checkpoint::Checkpoint;
use glasshouse_transparency::keys::VerifierKeys;

use crate::audit::cosigned::Witnesses;
use crate::audit::failure::Failure;
use crate::audit::report::Report;
use crate::audit::segment::{Target, Walk};
use crate::audit::served::check_served;
use crate::audit::state::State;
use crate::audit::tally::Tally;
use crate::audit::trust::{
    KeySource, SignedCheckpoint, TrustedKeys, check_continuation, served_checkpoint, trusted_keys,
};
use crate::fault::Fault;
use crate::log::{HouseConnection, ServedTiles};

/// What the house serves besides the log may be newer than the checkpoint that was read. It is
/// compared again when the log has grown, this often, before it is a contradiction.
const COMPARISONS: u32 = 5;
/// The checkpoint is read again this often if a cosignature is missing.
const COSIGNATURES: u32 = 3;
const DELAY: Duration = Duration::from_secs(1);
const PROGRESS_PERIOD: Duration = Duration::from_secs(10);

/// What to audit.
#[derive(Debug, Clone)]
pub struct Options {
    /// The address of the house.
    pub url: String,
    /// Where to remember the key, the last checkpoint and the sums.
    pub state: Option<PathBuf>,
    /// Verifier keys to trust. Without any, the key of the first run is trusted.
    pub keys: Vec<String>,
    /// Verifier keys of witnesses whose cosignatures are looked for.
    pub witnesses: Vec<String>,
    /// Whether to verify the entries again that earlier runs have verified.
    pub from_start: bool,
}

/// What came of an audit or of the evaluation of evidence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The report.
    pub report: String,
    /// Whether the house contradicts itself.
    pub is_contradiction: bool,
}

/// Audits a house.
///
/// # Errors
/// If something could not be verified. A contradiction is no error but an outcome.
pub fn run(options: &Options) -> Result<Outcome, Fault> {
    runtime()?.block_on(audit(options))
}

/// The threads that audits run on.
pub(crate) fn runtime() -> Result<tokio::runtime::Runtime, Fault> {
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(Fault::interrupted)
}

async fn audit(options: &Options) -> Result<Outcome, Fault> {
    let mut audit = Audit::begin(options).await?;
    let contradiction = match audit.verify().await {
        Ok(()) => None,
        Err(Failure::Contradiction(contradiction)) => Some(contradiction),
        Err(Failure::Fault(fault)) => return Err(fault),
    };
    let report = Report {
        url: options.url.clone(),
        keys: audit.trusted,
        is_first_use: audit.is_first_use,
        target: audit.target,
        known: audit.known,
        position: audit.position,
        tally: audit.tally,
        witnesses: audit.witnesses,
        contradiction,
    };
    Ok(Outcome {
        report: report.to_string(),
        is_contradiction: report.contradiction.is_some(),
    })
}

struct Audit<'o> {
    options: &'o Options,
    house: Arc<HouseConnection>,
    trusted: TrustedKeys,
    is_first_use: bool,
    /// The newest accepted checkpoint.
    target: Option<SignedCheckpoint>,
    known: u64,
    position: Checkpoint,
    tally: Tally,
    witnesses: Witnesses,
}

impl<'o> Audit<'o> {
    async fn begin(options: &'o Options) -> Result<Self, Fault> {
        let witnesses = Witnesses::parse(&options.witnesses)?;
        let house = Arc::new(HouseConnection::new(&options.url)?);
        let state = match &options.state {
            Some(file) => State::read(file)?,
            None => None,
        };
        let trusted = trusted_keys(&house, &options.keys, state.as_ref()).await?;
        let target = state
            .as_ref()
            .map(|state| remembered(state, &trusted.keys))
            .transpose()?;
        let empty = Checkpoint {
            size: 0,
            root: glasshouse_transparency::EMPTY_HASH,
        };
        let (position, tally) = match &state {
            Some(state) if !options.from_start => (state.position, state.tally.clone()),
            _ => (empty, Tally::default()),
        };
        Ok(Self {
            options,
            house,
            is_first_use: state.is_none(),
            trusted,
            target,
            known: position.size,
            position,
            tally,
            witnesses,
        })
    }

    async fn verify(&mut self) -> Result<(), Failure> {
        self.follow().await?;
        // A witness cosigns a checkpoint a moment after it was signed.
        for _ in 0..COSIGNATURES {
            if !self.witnesses.is_one_missing() {
                break;
            }
            tokio::time::sleep(DELAY).await;
            self.follow().await?;
        }
        for comparison in 1.. {
            let outcome = check_served(&self.house, &self.trusted.keys, &self.tally).await;
            if outcome.is_ok() || comparison == COMPARISONS {
                outcome?;
                break;
            }
            tokio::time::sleep(DELAY).await;
            self.follow().await?;
        }
        self.tally.check_statistics()?;
        self.trust_named_keys()?;
        self.save()?;
        Ok(self.witnesses.check()?)
    }

    /// Verifies the log up to its newest checkpoint.
    async fn follow(&mut self) -> Result<(), Failure> {
        let known = self.target.as_ref().map(|target| target.note.as_str());
        let next = served_checkpoint(&self.house, &self.trusted.keys, known).await?;
        if let Some(before) = &self.target {
            let tiles = ServedTiles::new(Arc::clone(&self.house), next.checkpoint.size);
            check_continuation(&tiles, before, &next).await?;
        }
        let target = Target {
            origin: self.trusted.keys.origin().clone(),
            checkpoint: next.checkpoint,
            now: now(),
        };
        self.witnesses.note(&next);
        self.target = Some(next);
        // From here on the house is bound to this checkpoint, whatever else is found.
        self.save()?;
        self.walk(target).await
    }

    async fn walk(&mut self, target: Target) -> Result<(), Failure> {
        if self.position.size >= target.checkpoint.size {
            return Ok(());
        }
        let size = target.checkpoint.size;
        let source = Arc::clone(&self.house);
        let mut walk = if self.position.size == 0 {
            Walk::new(source, target)
        } else {
            Walk::resume(source, target, self.position, self.tally.clone()).await?
        };
        let mut told = Instant::now();
        while !walk.is_done() {
            walk.advance().await?;
            self.position = walk.position();
            self.tally = walk.tally().clone();
            self.save()?;
            if told.elapsed() >= PROGRESS_PERIOD {
                told = Instant::now();
                tracing::info!(verified = self.position.size, of = size, "auditing");
            }
        }
        Ok(())
    }

    /// The trusted keys vouch for the keys that their log names, so that the audit continues when the
    /// house changes its key.
    fn trust_named_keys(&mut self) -> Result<(), Fault> {
        let mut keys: Vec<&str> = self.trusted.keys.iter().collect();
        for named in &self.tally.keys {
            if !keys.contains(&named.as_str()) {
                keys.push(named);
            }
        }
        self.trusted.keys = VerifierKeys::parse(&keys.join("\n")).map_err(Fault::interrupted)?;
        Ok(())
    }

    fn save(&self) -> Result<(), Failure> {
        let (Some(file), Some(target)) = (&self.options.state, &self.target) else {
            return Ok(());
        };
        let state = State {
            keys: self.trusted.keys.iter().map(str::to_owned).collect(),
            is_key_from_house: self.trusted.source == KeySource::House,
            checkpoint: target.note.clone(),
            position: self.position,
            tally: self.tally.clone(),
        };
        Ok(state.write(file)?)
    }
}

/// The remembered checkpoint.
fn remembered(state: &State, keys: &VerifierKeys) -> Result<SignedCheckpoint, Fault> {
    let checkpoint = Checkpoint::open(&state.checkpoint, keys).map_err(|error| {
        Fault::Usage(format!(
            "The checkpoint in the state file is not one of {}: {error}. Use another state file for \
             another log or key.",
            keys.origin()
        ))
    })?;
    Ok(SignedCheckpoint {
        checkpoint,
        note: state.checkpoint.clone(),
    })
}

/// The time in seconds since 1970.
pub(crate) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| {
        i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
    })
}
