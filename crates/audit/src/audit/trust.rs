//! Which keys are trusted, and the checkpoint that they have signed.

use glasshouse_transparency::checkpoint::Checkpoint;
use glasshouse_transparency::keys::VerifierKeys;
use glasshouse_transparency::proof::{prove_consistency, verify_consistency};

use crate::audit::contradiction::Contradiction;
use crate::audit::failure::Failure;
use crate::audit::state::State;
use crate::audit::tree::unreadable;
use crate::fault::Fault;
use crate::log::{HouseConnection, ServedTiles};

const KEY_PATH: &str = "transparency/key";
const CHECKPOINT_PATH: &str = "log/checkpoint";

/// The keys that an audit trusts.
#[derive(Debug, Clone)]
pub(crate) struct TrustedKeys {
    pub(crate) keys: VerifierKeys,
    pub(crate) source: KeySource,
}

/// Why keys are trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeySource {
    /// Whoever runs the audit has given them.
    Given,
    /// They were given, or vouched for by given ones, in an earlier run.
    Remembered,
    /// The house itself has named them, in an earlier run or just now.
    House,
}

/// A checkpoint whose signature is verified.
#[derive(Debug, Clone)]
pub(crate) struct SignedCheckpoint {
    pub(crate) checkpoint: Checkpoint,
    pub(crate) note: String,
}

/// The keys to trust: the given ones, else the remembered ones, else the ones that the house names.
pub(crate) async fn trusted_keys(
    house: &HouseConnection,
    given: &[String],
    state: Option<&State>,
) -> Result<TrustedKeys, Fault> {
    let parse = |text: &str| {
        VerifierKeys::parse(text)
            .map_err(|error| Fault::Usage(format!("The verifier key is not usable: {error}")))
    };
    if !given.is_empty() {
        let keys = parse(&given.join("\n"))?;
        return Ok(TrustedKeys {
            keys,
            source: KeySource::Given,
        });
    }
    if let Some(state) = state {
        let keys = parse(&state.keys.join("\n"))?;
        let source = if state.is_key_from_house {
            KeySource::House
        } else {
            KeySource::Remembered
        };
        return Ok(TrustedKeys { keys, source });
    }
    let served = served_keys(house).await?;
    let keys = parse(&served)?;
    Ok(TrustedKeys {
        keys,
        source: KeySource::House,
    })
}

/// The verifier keys that the house publishes, a line each.
pub(crate) async fn served_keys(house: &HouseConnection) -> Result<String, Fault> {
    house
        .text(KEY_PATH)
        .await?
        .ok_or_else(|| Fault::Usage("There is no house that publishes a verifier key.".to_owned()))
}

/// The checkpoint of the log. `known` is one from before, which the log must still have.
pub(crate) async fn served_checkpoint(
    house: &HouseConnection,
    keys: &VerifierKeys,
    known: Option<&str>,
) -> Result<SignedCheckpoint, Failure> {
    let Some(note) = house.text(CHECKPOINT_PATH).await? else {
        return Err(match known {
            Some(known) => Contradiction::Gone(known.to_owned()).into(),
            None => Fault::Usage("The house has no public log yet.".to_owned()).into(),
        });
    };
    match Checkpoint::open(&note, keys) {
        Ok(checkpoint) => Ok(SignedCheckpoint { checkpoint, note }),
        Err(reason) => Err(Contradiction::Checkpoint { reason, note }.into()),
    }
}

/// Verifies that the log continues the one of an earlier checkpoint.
pub(crate) async fn check_continuation(
    tiles: &ServedTiles<HouseConnection>,
    before: &SignedCheckpoint,
    now: &SignedCheckpoint,
) -> Result<(), Failure> {
    let (old, new) = (before.checkpoint, now.checkpoint);
    if old.size > new.size {
        return Err(Contradiction::Truncated {
            before: old.size,
            now: new.size,
            note_before: before.note.clone(),
            note_now: now.note.clone(),
        }
        .into());
    }
    let proof = tiles
        .read(move |tiles| prove_consistency(old.size, &new, tiles))
        .await?
        .map_err(|error| unreadable(error, new.size, old.size))?;
    verify_consistency(&proof, &old, &new).map_err(|_| {
        Contradiction::Forked {
            before: old.size,
            note_before: before.note.clone(),
            note_now: now.note.clone(),
        }
        .into()
    })
}
