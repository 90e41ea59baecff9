//! Which of the given witnesses have cosigned what an audit has seen.

use std::fmt::{self, Display, Formatter};

use glasshouse_transparency::cosignature::{WitnessKey, cosignatures};
use glasshouse_transparency::time::UtcTime;

use crate::audit::contradiction::Contradiction;
use crate::audit::trust::SignedCheckpoint;
use crate::fault::Fault;

/// The witnesses whose cosignatures are looked for.
#[derive(Debug)]
pub(crate) struct Witnesses(Vec<Watched>);

#[derive(Debug)]
struct Watched {
    key: WitnessKey,
    /// The largest log that was served with the witness' cosignature, and the time in it.
    cosigned: Option<(u64, u64)>,
    /// The checkpoint with a cosignature that does not match it.
    invalid: Option<String>,
}

impl Witnesses {
    /// Parses the verifier keys of the witnesses.
    ///
    /// # Errors
    /// If one is not the key of a witness.
    pub(crate) fn parse(keys: &[String]) -> Result<Self, Fault> {
        let parse = |text: &String| {
            let key = WitnessKey::parse(text).map_err(|_| {
                Fault::Usage(format!("{text} is not the verifier key of a witness."))
            })?;
            Ok(Watched {
                key,
                cosigned: None,
                invalid: None,
            })
        };
        keys.iter().map(parse).collect::<Result<_, _>>().map(Self)
    }

    /// Notes who has cosigned a checkpoint that the house has signed.
    pub(crate) fn note(&mut self, signed: &SignedCheckpoint) {
        for watched in &mut self.0 {
            match cosignatures(&signed.note, std::slice::from_ref(&watched.key)) {
                Ok(found) => {
                    let found = found.last().map(|found| found.second);
                    let cosigned = found.map(|second| (signed.checkpoint.size, second));
                    watched.cosigned = cosigned.max(watched.cosigned);
                }
                Err(_) => watched.invalid = Some(signed.note.clone()),
            }
        }
    }

    /// Whether a witness has cosigned nothing that was seen.
    pub(crate) fn is_one_missing(&self) -> bool {
        let is_missing =
            |watched: &Watched| watched.cosigned.is_none() && watched.invalid.is_none();
        self.0.iter().any(is_missing)
    }

    /// # Errors
    /// If a cosignature did not match its checkpoint.
    pub(crate) fn check(&self) -> Result<(), Contradiction> {
        for Watched { key, invalid, .. } in &self.0 {
            if let Some(note) = invalid {
                return Err(Contradiction::Cosignature {
                    witness: key.name().clone(),
                    note: note.clone(),
                });
            }
        }
        Ok(())
    }
}

impl Display for Witnesses {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        for watched in &self.0 {
            write!(formatter, "Witness {}: ", watched.key.name())?;
            match (&watched.invalid, watched.cosigned) {
                (Some(_), _) => writeln!(formatter, "INVALID COSIGNATURE, see below")?,
                (None, Some((size, second))) => {
                    writeln!(formatter, "cosigned {size} entries at {}", time(second))?;
                }
                (None, None) => writeln!(
                    formatter,
                    "NO COSIGNATURE. It does not vouch for this log: perhaps it was not reached, or \
                     others are shown another log. Ask whoever runs it for the last size and root that \
                     it has cosigned."
                )?,
            }
        }
        Ok(())
    }
}

fn time(second: u64) -> String {
    let micros = i64::try_from(second)
        .ok()
        .and_then(|second| second.checked_mul(1_000_000));
    micros.map_or_else(
        || format!("second {second}"),
        |micros| UtcTime::from_micros(micros).to_string(),
    )
}
