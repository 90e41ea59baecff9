//! The file that a browser saves (`frontend/src/lib/trust/evidence.ts`), and the receipts, checkpoints
//! and seeds that are anywhere in it.

use std::path::Path;

use glasshouse_games::fairness::{ClientSeed, ServerSeed};
use glasshouse_transparency::receipt::SignedReceipt;
use serde::Deserialize;
use serde_json::Value;

use crate::evidence::finding::{Place, Placed};
use crate::fault::Fault;
use crate::files;

const FORMAT: &str = "glasshouse evidence v1";
/// Nothing that a browser saves is nested deeper.
const MAXIMUM_DEPTH: u32 = 12;

#[derive(Deserialize)]
struct File {
    format: String,
    #[serde(default)]
    keys: Vec<String>,
    #[serde(default)]
    checkpoints: Vec<Value>,
    #[serde(default)]
    failures: Vec<FailureItem>,
    #[serde(default)]
    receipts: Vec<Value>,
}

#[derive(Deserialize)]
struct FailureItem {
    kind: String,
    #[serde(default)]
    message: String,
    #[serde(default)]
    evidence: Value,
}

/// A failure that the browser has noticed.
#[derive(Debug)]
pub(crate) struct NoticedFailure {
    pub(crate) place: Place,
    pub(crate) kind: String,
    pub(crate) message: String,
    /// What the browser has seen the house answer.
    pub(crate) answers: Vec<SeenAnswer>,
    /// What the browser was shown of a seed pair before, and when it noticed the failure.
    pub(crate) shown: Option<(Value, Value)>,
}

/// An answer of the house, of which only the player's file tells.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct SeenAnswer {
    /// The path of the call.
    pub(crate) path: String,
    pub(crate) status: u16,
    #[serde(default)]
    pub(crate) body: Value,
}

/// A seed pair that the house is said to have revealed.
#[derive(Debug, Clone)]
pub(crate) struct RevealedPair {
    pub(crate) server_seed: ServerSeed,
    pub(crate) stated_hash: String,
    pub(crate) client_seed: Option<ClientSeed>,
}

/// The parts of the evidence.
#[derive(Debug, Default)]
pub(crate) struct Evidence {
    /// The keys that the browser has accepted.
    pub(crate) keys: Vec<String>,
    pub(crate) failures: Vec<NoticedFailure>,
    pub(crate) receipts: Vec<Placed<SignedReceipt>>,
    /// Texts that look like signed checkpoints.
    pub(crate) notes: Vec<Placed<String>>,
    pub(crate) pairs: Vec<Placed<RevealedPair>>,
}

impl Evidence {
    /// Reads a file.
    pub(crate) fn read(file: &Path) -> Result<Self, Fault> {
        let text = files::read(file)?.ok_or_else(|| Fault::file(file, "does not exist"))?;
        Self::parse(&text)
            .map_err(|reason| Fault::file(file, format!("is not evidence of a browser: {reason}")))
    }

    fn parse(text: &str) -> Result<Self, String> {
        let file: File = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if file.format != FORMAT {
            return Err(format!("its format is {:?}, not {FORMAT:?}", file.format));
        }
        let mut evidence = Self {
            keys: file.keys,
            ..Self::default()
        };
        for (number, receipt) in (1..).zip(&file.receipts) {
            evidence.collect(receipt, &format!("receipt {number}"), 0);
        }
        for (number, note) in (1..).zip(&file.checkpoints) {
            evidence.collect(note, &format!("checkpoint {number}"), 0);
        }
        for (number, failure) in (1..).zip(file.failures) {
            let place = format!("failure {number}");
            evidence.collect(&failure.evidence, &place, 0);
            let part = |name| failure.evidence.get(name).cloned();
            let answers = part("answers").and_then(|answers| serde_json::from_value(answers).ok());
            evidence.failures.push(NoticedFailure {
                place,
                shown: part("shownBefore").zip(part("shownNow")),
                answers: answers.unwrap_or_default(),
                kind: failure.kind,
                message: failure.message,
            });
        }
        Ok(evidence)
    }

    /// Finds what can be judged, wherever it is.
    fn collect(&mut self, value: &Value, place: &str, depth: u32) {
        if depth > MAXIMUM_DEPTH {
            return;
        }
        let placed = || place.to_owned();
        match value {
            Value::String(text) if is_note(text) => self.notes.push(Placed {
                place: placed(),
                value: text.clone(),
            }),
            Value::Array(items) => {
                for item in items {
                    self.collect(item, place, depth + 1);
                }
            }
            Value::Object(fields) => {
                if let Ok(receipt) = SignedReceipt::deserialize(value) {
                    self.receipts.push(Placed {
                        place: placed(),
                        value: receipt,
                    });
                    return;
                }
                if let Some(pair) = revealed_pair(value) {
                    self.pairs.push(Placed {
                        place: placed(),
                        value: pair,
                    });
                }
                for field in fields.values() {
                    self.collect(field, place, depth + 1);
                }
            }
            _ => {}
        }
    }
}

fn is_note(text: &str) -> bool {
    text.contains("\n\n\u{2014} ")
}

fn revealed_pair(value: &Value) -> Option<RevealedPair> {
    let text = |name| value.get(name)?.as_str();
    let client_seed = text("clientSeed").and_then(|text| ClientSeed::parse(text).ok());
    Some(RevealedPair {
        server_seed: ServerSeed::from_text(text("serverSeed")?.to_owned()).ok()?,
        stated_hash: text("serverSeedHash")?.to_owned(),
        client_seed,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn everything_that_can_be_judged_is_found_with_its_place() {
        let note = "a/b\n1\nroot\n\n\u{2014} a/b c2ln\n";
        let receipt = json!({"text": "t", "index": 0, "path": [], "note": note});
        let file = json!({
            "format": FORMAT,
            "player": 7,
            "keys": ["key"],
            "checkpoints": [note],
            "failures": [{
                "kind": "seed_mismatch",
                "message": "m",
                "evidence": {
                    "shownNow": {"serverSeed": "s", "serverSeedHash": "h", "clientSeed": "c"},
                    "before": receipt,
                },
            }],
            "receipts": [receipt, receipt],
        });
        let evidence = Evidence::parse(&file.to_string()).unwrap();
        let places = |receipts: &[Placed<SignedReceipt>]| {
            let places = receipts.iter().map(|receipt| receipt.place.clone());
            places.collect::<Vec<_>>()
        };
        assert_eq!(
            places(&evidence.receipts),
            ["receipt 1", "receipt 2", "failure 1"]
        );
        assert_eq!(evidence.notes.len(), 1);
        assert_eq!(evidence.notes[0].place, "checkpoint 1");
        assert_eq!(evidence.pairs[0].place, "failure 1");
        assert_eq!(evidence.failures[0].kind, "seed_mismatch");
    }

    #[test]
    fn other_files_are_refused() {
        for text in ["", "{}", "[]", r#"{"format":"other"}"#] {
            assert!(Evidence::parse(text).is_err(), "{text}");
        }
    }
}
