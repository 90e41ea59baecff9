//! Has the checkpoints of the log cosigned. Each witness is asked on its own and in the background, so
//! that one that does not answer delays nothing.

use std::time::Duration;

use glasshouse_domain::Timestamp;
use glasshouse_persistence::public_log::{Cosignature, LogState};
use glasshouse_persistence::{DatabaseError, Scope, queries};
use glasshouse_transparency::checkpoint::Checkpoint;
use glasshouse_transparency::cosignature::add_cosignatures;
use glasshouse_transparency::proof::prove_consistency;
use glasshouse_transparency::witness::{AddCheckpoint, Answer};
use tokio::task::JoinSet;

use crate::error::CasinoError;
use crate::house::House;
use crate::public_log::cosigned::statuses;
use crate::public_log::reading::{Tiles, corrupt, end_of};
use crate::public_log::waiting::CHECKPOINT_PERIOD;
use crate::public_log::witness::{Witness, WitnessStatus};
use crate::public_log::witness_call::WitnessClient;

/// A checkpoint is cosigned again after this time, which shows that the witness still answers while
/// nobody plays.
const FRESHNESS: Duration = Duration::from_mins(1);
/// The longest time between two attempts while a witness does not answer.
const LONGEST_DELAY: Duration = Duration::from_mins(1);
const AGES_PERIOD: Duration = Duration::from_secs(5);
/// A witness that knows another size is asked again at once, and this often.
const ATTEMPTS: u32 = 3;

/// The witnesses of the log, in the order of the configuration.
///
/// # Errors
/// On a fault.
pub async fn read_witnesses(house: &House) -> Result<Vec<WitnessStatus>, CasinoError> {
    let stored = house
        .database
        .read::<_, CasinoError, _>(queries::last_cosignatures)
        .await?;
    Ok(statuses(&house.witnesses, &stored))
}

/// Sends new checkpoints to the witnesses. Runs forever if there are any.
pub async fn ask_witnesses(house: House) {
    if house.witnesses.is_empty() {
        return;
    }
    let client = match WitnessClient::new() {
        Ok(client) => client,
        Err(error) => {
            tracing::error!(error, "the witnesses of the public log cannot be called");
            return;
        }
    };
    let mut tasks = JoinSet::new();
    tasks.spawn(publish_ages(house.clone()));
    for witness in house.witnesses.iter() {
        tasks.spawn(follow(house.clone(), client.clone(), witness.clone()));
    }
    // None of them ends.
    tasks.join_next().await;
}

/// Publishes how old the last cosignature of each witness is.
async fn publish_ages(house: House) {
    loop {
        if let Ok(witnesses) = read_witnesses(&house).await {
            for witness in witnesses {
                let age = witness.cosigned.map_or(f64::INFINITY, |(_, at)| {
                    house.now().saturating_since(at).as_secs_f64()
                });
                metrics::gauge!("glasshouse_witness_cosignature_age_seconds", "witness" => witness.name)
                    .set(age);
            }
        }
        tokio::time::sleep(AGES_PERIOD).await;
    }
}

/// Sends each new checkpoint to a witness; of those that are signed in the meantime, the newest only.
async fn follow(house: House, client: WitnessClient, witness: Witness) {
    let mut conversation = Conversation {
        house,
        client,
        witness,
        last: None,
    };
    let mut delay = CHECKPOINT_PERIOD;
    let mut problem: Option<String> = None;
    loop {
        let outcome = conversation.advance().await;
        let witness = &conversation.witness;
        match outcome {
            Ok(()) => {
                if problem.take().is_some() {
                    tracing::info!(%witness, "the witness cosigns the public log again");
                }
                delay = CHECKPOINT_PERIOD;
            }
            Err(reason) => {
                if problem.as_ref() != Some(&reason) {
                    tracing::warn!(%witness, reason, "the witness does not cosign the public log");
                }
                problem = Some(reason);
                delay = (2 * delay).min(LONGEST_DELAY);
            }
        }
        tokio::time::sleep(delay).await;
    }
}

/// What was said to and by a witness.
struct Conversation {
    house: House,
    client: WitnessClient,
    witness: Witness,
    /// The size that the witness has confirmed last, and when; without a time if it has only named the
    /// size.
    last: Option<(u64, Option<Timestamp>)>,
}

impl Conversation {
    /// Has the newest checkpoint cosigned, if it is not yet.
    ///
    /// # Errors
    /// Why it is not cosigned, in words.
    async fn advance(&mut self) -> Result<(), String> {
        let stored = match self.last {
            Some(last) => last,
            None => self.stored().await.map_err(|error| error.to_string())?,
        };
        let (mut known, mut at) = stored;
        for _ in 0..ATTEMPTS {
            self.last = Some((known, at));
            let due = self.due(known, at).await;
            let Some((request, end)) = due.map_err(|error| error.to_string())? else {
                return Ok(());
            };
            let Some(size) = self.ask(&request, end).await? else {
                return Ok(());
            };
            if size == request.old_size {
                return Err(format!(
                    "it has cosigned another log of {size} entries, which this one does not continue"
                ));
            }
            if size == known {
                return Err(format!(
                    "it has cosigned a log of {size} entries, but this one has {}: an old backup was \
                     restored",
                    end.size
                ));
            }
            // The next request continues from the size that the witness knows.
            (known, at) = (size, None);
        }
        Ok(())
    }

    /// The size of the stored cosignature, and its time; 0 if there is none.
    async fn stored(&self) -> Result<(u64, Option<Timestamp>), CasinoError> {
        let statuses = read_witnesses(&self.house).await?;
        let key = self.witness.key.to_string();
        let own = statuses.into_iter().find(|status| status.key == key);
        let cosigned = own.and_then(|status| status.cosigned);
        Ok(cosigned.map_or((0, None), |(size, at)| (size, Some(at))))
    }

    /// The request for the newest checkpoint, if it is to be cosigned.
    async fn due(
        &self,
        known: u64,
        at: Option<Timestamp>,
    ) -> Result<Option<(AddCheckpoint, Checkpoint)>, CasinoError> {
        let now = self.house.now();
        let is_fresh = at.is_some_and(|at| now.saturating_since(at) < FRESHNESS);
        self.house
            .database
            .read::<_, CasinoError, _>(move |connection| {
                let state: LogState = queries::log_state(connection)?;
                let Some(end) = end_of(&state) else {
                    return Ok(None);
                };
                if end.size == known && is_fresh {
                    return Ok(None);
                }
                // A witness that knows a larger log gets the chance to say so.
                let proof = if known <= end.size {
                    let tiles = Tiles::of(state.id, connection);
                    prove_consistency(known, &end, &tiles).map_err(corrupt)?
                } else {
                    Vec::new()
                };
                let request = AddCheckpoint {
                    old_size: known.min(end.size),
                    proof,
                    note: state.checkpoint,
                };
                Ok::<_, DatabaseError>(Some((request, end)))
            })
            .await
    }

    /// Sends a request, and stores the cosignature. Returns the size that the witness knows if it is
    /// not the one of the request.
    async fn ask(
        &mut self,
        request: &AddCheckpoint,
        end: Checkpoint,
    ) -> Result<Option<u64>, String> {
        match self.client.add_checkpoint(&self.witness, request).await? {
            Answer::Cosigned(lines) => {
                let at = self.keep(&request.note, &lines, end.size).await?;
                self.last = Some((end.size, Some(at)));
                Ok(None)
            }
            Answer::Conflict { size } => Ok(Some(size)),
            Answer::UnknownLog => Err("it does not know the log".to_owned()),
            Answer::NotSigned => Err("it does not know the key that signs the log".to_owned()),
            Answer::Malformed => Err("it does not accept the request".to_owned()),
            Answer::InvalidProof => Err(format!(
                "it says that the log of {} entries does not continue the one of {} entries that it \
                 has cosigned",
                end.size, request.old_size
            )),
        }
    }

    /// Verifies a cosignature and stores it.
    async fn keep(&self, note: &str, lines: &str, size: u64) -> Result<Timestamp, String> {
        let key = std::slice::from_ref(&self.witness.key);
        let cosigned = add_cosignatures(note, lines, key)
            .map_err(|error| format!("its cosignature is refused: {error}"))?;
        // What is added comes last.
        let line = cosigned.lines().next_back().unwrap_or_default();
        let at = self.house.now();
        let cosignature = Cosignature {
            witness: self.witness.key.to_string(),
            size,
            line: format!("{line}\n"),
            at,
        };
        self.house
            .database
            .write(Scope::nobody(), move |transaction| {
                Ok::<_, CasinoError>(transaction.save_cosignature(&cosignature)?)
            })
            .await
            .map_err(|error| error.to_string())?;
        Ok(at)
    }
}
