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
