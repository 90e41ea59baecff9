//! What was found in evidence.

/// Where something is in the evidence, such as `failure 1` or `receipt 3`.
pub(crate) type Place = String;

/// A statement about parts of the evidence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Finding {
    /// The parts that it is about.
    pub(crate) places: Vec<Place>,
    /// What was found.
    pub(crate) text: String,
    /// What it is worth.
    pub(crate) weight: Weight,
}

/// What a finding is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Weight {
    /// The house contradicts itself, and everything that shows it is signed by the house.
    Proof,
    /// The house would contradict itself, but a part of it is only in the player's file.
    Claim,
}

impl Finding {
    pub(crate) fn proof(places: impl IntoIterator<Item = Place>, text: impl Into<String>) -> Self {
        Self {
            places: places.into_iter().collect(),
            text: text.into(),
            weight: Weight::Proof,
        }
    }

    pub(crate) fn claim(places: impl IntoIterator<Item = Place>, text: impl Into<String>) -> Self {
        Self {
            weight: Weight::Claim,
            ..Self::proof(places, text)
        }
    }
}

/// A part of the evidence with its place.
#[derive(Debug, Clone)]
pub(crate) struct Placed<T> {
    pub(crate) place: Place,
    pub(crate) value: T,
}

/// Joins findings of the same text: evidence often contains a receipt more than once.
pub(crate) fn merged(findings: Vec<Finding>) -> Vec<Finding> {
    let mut merged: Vec<Finding> = Vec::new();
    for finding in findings {
        let is_same =
            |known: &&mut Finding| (known.weight, &known.text) == (finding.weight, &finding.text);
        if let Some(known) = merged.iter_mut().find(is_same) {
            for place in finding.places {
                if !known.places.contains(&place) {
                    known.places.push(place);
                }
            }
        } else {
            merged.push(finding);
        }
    }
    merged
}
