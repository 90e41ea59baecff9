//! Names the rounds that a finding is about, as players know them.

use std::collections::BTreeSet;

use glasshouse_transparency::receipt::{Receipt, SeedHash, Statement};

use crate::evidence::finding::Placed;

/// As many rounds are named one by one.
const MAXIMUM_NAMED: usize = 20;

/// The beginning of a sentence about rounds, such as `rounds 1, 2 and 3: `; empty without rounds.
pub(crate) fn about(rounds: impl IntoIterator<Item = i64>) -> String {
    let rounds: BTreeSet<i64> = rounds.into_iter().collect();
    let mut names: Vec<String> = rounds.iter().map(i64::to_string).collect();
    if names.len() > MAXIMUM_NAMED {
        let others = names.len() - MAXIMUM_NAMED;
        names.truncate(MAXIMUM_NAMED);
        names.push(format!("{others} more"));
    }
    match names.split_last() {
        None => String::new(),
        Some((only, [])) => format!("round {only}: "),
        Some((last, others)) => format!("rounds {} and {last}: ", others.join(", ")),
    }
}

/// The round of a receipt.
pub(crate) const fn round_of(receipt: &Receipt) -> Option<i64> {
    match &receipt.statement {
        Statement::Round(round) => Some(round.round),
        _ => None,
    }
}

/// The rounds that were played with a seed pair, as far as there are receipts of them.
pub(crate) fn rounds_of_pair(
    receipts: &[Placed<Receipt>],
    pair: SeedHash,
) -> impl Iterator<Item = i64> {
    receipts
        .iter()
        .filter_map(move |receipt| match &receipt.value.statement {
            Statement::Round(round) if round.pair == pair => Some(round.round),
            _ => None,
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_are_named_once_and_in_order() {
        assert_eq!(about([]), "");
        assert_eq!(about([7, 7]), "round 7: ");
        assert_eq!(about([9, 7, 8]), "rounds 7, 8 and 9: ");
        let many = about(0..100);
        assert!(many.ends_with("18, 19 and 80 more: "), "{many}");
    }
}
