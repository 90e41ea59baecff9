//! What a player was told, which must be what the house has stored.

use std::collections::HashMap;

use anyhow::{Result, bail};

/// A player's own books.
#[derive(Debug, Default)]
pub(crate) struct Book {
    /// What the player began with.
    pub(crate) initial_cents: i64,
    /// By the round's ID.
    pub(crate) rounds: HashMap<i64, Round>,
    /// The amounts requested, by the withdrawal's ID.
    pub(crate) withdrawals: HashMap<i64, i64>,
    /// The withdrawals whose cancellation was acknowledged.
    pub(crate) cancelled: Vec<i64>,
    /// The amounts of deposits that were paid at the provider, by the order's ID.
    pub(crate) deposits: HashMap<String, i64>,
}

/// A round that was acknowledged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Round {
    pub(crate) stake_cents: i64,
    /// None until the player has seen its end.
    pub(crate) payout_cents: Option<i64>,
}

impl Book {
    /// Notes a round that was just started. Its ID must be new.
    pub(crate) fn begin(&mut self, id: i64, round: Round) -> Result<()> {
        match self.rounds.insert(id, round) {
            None => Ok(()),
            Some(before) => bail!("round {id} was given twice: {before:?}, then {round:?}"),
        }
    }

    /// Notes how a round has ended.
    pub(crate) fn end(&mut self, id: i64, stake_cents: i64, payout_cents: i64) -> Result<()> {
        let Some(round) = self.rounds.get_mut(&id) else {
            bail!("round {id} has ended, but was never started");
        };
        if let Some(before) = round.payout_cents
            && before != payout_cents
        {
            bail!("round {id} has paid {before} cents, then {payout_cents}");
        }
        round.payout_cents = Some(payout_cents);
        round.stake_cents = stake_cents;
        Ok(())
    }

    /// Compares the rounds with what the house has stored, all of which must be known: none may be lost, and none
    /// may be there that was not acknowledged.
    pub(crate) fn compare(&self, stored: &HashMap<i64, (i64, i64)>) -> Result<()> {
        for (id, round) in &self.rounds {
            let Some((stake_cents, payout_cents)) = stored.get(id) else {
                bail!("round {id} was acknowledged, but is not in the history: {round:?}");
            };
            let expected_payout = round.payout_cents.unwrap_or(*payout_cents);
            if (*stake_cents, *payout_cents) != (round.stake_cents, expected_payout) {
                bail!(
                    "round {id} was acknowledged as {round:?}, and stored as {stake_cents}, {payout_cents}"
                );
            }
        }
        match stored.keys().find(|id| !self.rounds.contains_key(id)) {
            Some(id) => bail!("round {id} is in the history, but nobody was told of it"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round(stake_cents: i64, payout_cents: Option<i64>) -> Round {
        Round {
            stake_cents,
            payout_cents,
        }
    }

    #[test]
    fn lost_doubled_and_changed_rounds_are_found() {
        let mut book = Book::default();
        book.begin(1, round(100, Some(0))).unwrap();
        book.begin(2, round(50, None)).unwrap();
        let check = |stored: &[(i64, (i64, i64))], is_right: bool| {
            let stored = stored.iter().copied().collect();
            assert_eq!(book.compare(&stored).is_ok(), is_right, "{stored:?}");
        };
        check(&[(1, (100, 0)), (2, (50, 75))], true);
        check(&[(1, (100, 0))], false);
        check(&[(1, (100, 0)), (2, (50, 75)), (3, (50, 0))], false);
        check(&[(1, (100, 200)), (2, (50, 75))], false);
        check(&[(1, (100, 0)), (2, (60, 75))], false);
    }

    #[test]
    fn a_round_is_given_once_and_ends_once() {
        let mut book = Book::default();
        book.begin(1, round(100, None)).unwrap();
        assert!(book.begin(1, round(100, None)).is_err());
        book.end(1, 200, 300).unwrap();
        book.end(1, 200, 300).unwrap();
        assert!(book.end(1, 200, 301).is_err());
        assert!(book.end(2, 200, 300).is_err());
        book.compare(&HashMap::from([(1, (200, 300))])).unwrap();
    }
}
