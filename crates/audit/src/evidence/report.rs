//! The report about evidence, as text.

use std::fmt::{self, Display, Formatter};

use crate::audit::{KeySource, SignedCheckpoint, TrustedKeys};
use crate::evidence::file::{Evidence, NoticedFailure};
use crate::evidence::finding::{Finding, Placed, Weight};

/// What is to be said about evidence.
pub(crate) struct Report<'e> {
    evidence: &'e Evidence,
    keys: &'e TrustedKeys,
    invalid: Vec<Placed<String>>,
    pub(crate) findings: Vec<Finding>,
    compared: Option<Judged>,
}

/// What was found, and how much was compared.
pub(crate) struct Judged {
    pub(crate) findings: Vec<Finding>,
    pub(crate) receipts: usize,
    pub(crate) checkpoints: usize,
    /// The number of entries of settled rounds that are in the log.
    pub(crate) entries: usize,
    pub(crate) log: SignedCheckpoint,
}

impl<'e> Report<'e> {
    pub(crate) const fn new(
        evidence: &'e Evidence,
        keys: &'e TrustedKeys,
        invalid: Vec<Placed<String>>,
    ) -> Self {
        Self {
            evidence,
            keys,
            invalid,
            findings: Vec::new(),
            compared: None,
        }
    }

    pub(crate) fn add(&mut self, mut judged: Judged) {
        self.findings.append(&mut judged.findings);
        self.compared = Some(judged);
    }

    /// Whether the house is proved to contradict itself.
    pub(crate) fn is_proof(&self) -> bool {
        self.of_weight(Weight::Proof).next().is_some()
    }

    fn of_weight(&self, weight: Weight) -> impl Iterator<Item = &Finding> {
        self.findings
            .iter()
            .filter(move |finding| finding.weight == weight)
    }

    fn write_keys(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        for key in self.keys.keys.iter() {
            writeln!(formatter, "Key: {key}")?;
        }
        if self.keys.source == KeySource::House {
            writeln!(
                formatter,
                "WARNING: The key comes from the house itself. A house that denies its signatures would \
                 name another key: compare it, and give it with --key."
            )?;
        }
        let is_unknown = |key: &&String| self.keys.keys.iter().all(|known| known != **key);
        for key in self.evidence.keys.iter().filter(is_unknown) {
            writeln!(
                formatter,
                "The player's browser has accepted a key that is not trusted here: {key}. What only it \
                 has signed does not count."
            )?;
        }
        Ok(())
    }

    fn write_compared(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        if let Some(compared) = &self.compared {
            writeln!(
                formatter,
                "Signed by the house: {} receipts and {} checkpoints. {} entries of settled rounds were \
                 found in the log of {} entries.",
                compared.receipts,
                compared.checkpoints,
                compared.entries,
                compared.log.checkpoint.size
            )?;
        }
        for Placed { place, value } in &self.invalid {
            writeln!(
                formatter,
                "{place} contains a receipt that proves nothing, because anybody could have made it: \
                 {value}."
            )?;
        }
        Ok(())
    }

    fn write_failure(
        &self,
        formatter: &mut Formatter<'_>,
        failure: &NoticedFailure,
    ) -> fmt::Result {
        let NoticedFailure {
            place,
            kind,
            message,
            ..
        } = failure;
        let concerns = |finding: &&Finding| finding.places.contains(place);
        let verdict = if self.of_weight(Weight::Proof).any(|found| concerns(&found)) {
            "proves a contradiction, see below"
        } else if self.of_weight(Weight::Claim).any(|found| concerns(&found)) {
            "claims a contradiction, see below, but a part of it is not signed by the house"
        } else {
            "proves no contradiction: nothing in it that the house has signed contradicts anything else \
             that it has signed"
        };
        writeln!(formatter, "{place} ({kind}: {message}) {verdict}.")
    }
}

impl Display for Report<'_> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "Evidence against {}", self.keys.keys.origin())?;
        self.write_keys(formatter)?;
        self.write_compared(formatter)?;
        for failure in &self.evidence.failures {
            self.write_failure(formatter, failure)?;
        }
        for claim in self.of_weight(Weight::Claim) {
            writeln!(
                formatter,
                "CLAIM ({}): {}",
                claim.places.join(", "),
                claim.text
            )?;
        }
        for proof in self.of_weight(Weight::Proof) {
            let places = match proof.places.as_slice() {
                [] => "in the log itself".to_owned(),
                places => places.join(", "),
            };
            writeln!(formatter, "CONTRADICTION ({places}): {}", proof.text)?;
        }
        if self.is_proof() {
            Ok(())
        } else {
            writeln!(formatter, "The evidence proves no contradiction.")
        }
    }
}
