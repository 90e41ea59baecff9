//! How often each value of a byte occurs in the words of the published rounds.

use serde::{Deserialize, Serialize};

/// The number of values of a byte.
const VALUES: usize = 256;

/// Counts of the values of bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<u64>", into = "Vec<u64>")]
pub(crate) struct ByteCounts([u64; VALUES]);

impl ByteCounts {
    pub(crate) fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            if let Some(count) = self.0.get_mut(usize::from(*byte)) {
                *count += 1;
            }
        }
    }

    pub(crate) fn add_all(&mut self, other: &Self) {
        for (count, more) in self.0.iter_mut().zip(other.0) {
            *count += more;
        }
    }

    pub(crate) fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The counts as floating-point numbers.
    #[expect(
        clippy::cast_precision_loss,
        reason = "statistics: chi-square is an approximation"
    )]
    pub(crate) fn numbers(&self) -> impl Iterator<Item = f64> + Clone {
        self.0.iter().map(|count| *count as f64)
    }
}

impl Default for ByteCounts {
    fn default() -> Self {
        Self([0; VALUES])
    }
}

impl TryFrom<Vec<u64>> for ByteCounts {
    type Error = &'static str;

    fn try_from(counts: Vec<u64>) -> Result<Self, Self::Error> {
        let counts = counts.try_into().map_err(|_| "not 256 counts")?;
        Ok(Self(counts))
    }
}

impl From<ByteCounts> for Vec<u64> {
    fn from(counts: ByteCounts) -> Self {
        counts.0.to_vec()
    }
}
