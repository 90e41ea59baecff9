//! Changes that jobs have made but the batch has not written yet.

use std::collections::BTreeMap;

use glasshouse_domain::{
    Game, LARGE_WIN_FLOOR, LedgerPosting, LedgerReference, Spread, Timestamp, UserId,
};

use crate::accounts::account::Account;
use crate::accounts::daily_statements::StatementDelta;
use crate::books::house_flows::FlowDeltas;
use crate::books::house_totals::HouseDeltas;
use crate::engine::exposure::ExposureDeltas;
use crate::rounds::hourly_statistics::{HourDelta, HourKey};
use crate::rounds::round::Round;
use crate::rounds::statistics::StatisticsDelta;

/// A round to be written, open or settled, with its idempotency keys.
#[derive(Debug)]
pub(crate) struct StagedRound {
    pub(crate) round: Round,
    /// The expected payout and its variance, once the round is settled.
    pub(crate) spread: Spread,
    pub(crate) idempotency_key: Option<String>,
    /// Whether other servers are notified.
    pub(crate) is_announced: bool,
    pub(crate) settlement_key: Option<String>,
}

/// The settlement of a round that was already written as open.
#[derive(Debug)]
pub(crate) struct StagedSettlement {
    pub(crate) round: Round,
    pub(crate) spread: Spread,
    pub(crate) key: Option<String>,
}

/// A ledger entry to be written.
#[derive(Debug)]
pub(crate) struct StagedEntry {
    pub(crate) player: UserId,
    pub(crate) sequence: i64,
    pub(crate) posting: LedgerPosting,
    pub(crate) reference: LedgerReference,
    pub(crate) at: Timestamp,
}

/// The changes of the house's totals and flows, which a batch writes last.
#[derive(Debug, Default)]
pub(crate) struct HouseChanges {
    pub(crate) totals: HouseDeltas,
    pub(crate) flows: FlowDeltas,
    /// Changed when a round is staged, not when it is written.
    pub(crate) exposures: ExposureDeltas,
}

impl HouseChanges {
    /// Adds what is staged.
    pub(crate) fn add(&mut self, staged: &Staged) {
        self.totals.add(staged.settled_spreads());
        for entry in &staged.entries {
            self.flows.add_entry(&entry.posting, entry.at);
        }
    }

    /// Adds the changes of another job.
    pub(crate) fn absorb(&mut self, other: Self) {
        self.totals.absorb(other.totals);
        self.flows.absorb(other.flows);
        self.exposures.absorb(other.exposures);
    }
}

/// The changes of a job or batch that are not written yet.
#[derive(Debug, Default)]
pub(crate) struct Staged {
    /// Sorted by player, as in every statement that locks several accounts.
    pub(crate) accounts: BTreeMap<UserId, Account>,
    /// Written after the settlements, because a player can have only one open round per game.
    pub(crate) rounds: Vec<StagedRound>,
    pub(crate) settlements: Vec<StagedSettlement>,
    pub(crate) entries: Vec<StagedEntry>,
}

impl Staged {
    pub(crate) fn is_empty(&self) -> bool {
        self.accounts.is_empty()
            && self.rounds.is_empty()
            && self.settlements.is_empty()
            && self.entries.is_empty()
    }

    pub(crate) fn absorb(&mut self, other: Self) {
        self.accounts.extend(other.accounts);
        // Settlements first: the rounds that they settle may still be staged here as open.
        for settlement in other.settlements {
            self.settle(settlement);
        }
        self.rounds.extend(other.rounds);
        self.entries.extend(other.entries);
    }

    /// Stages a settlement. A round that is still staged is changed in place.
    pub(crate) fn settle(&mut self, settlement: StagedSettlement) {
        let unwritten = self
            .rounds
            .iter_mut()
            .find(|staged| staged.round.id == settlement.round.id);
        match unwritten {
            Some(staged) => {
                staged.round = settlement.round;
                staged.spread = settlement.spread;
                staged.settlement_key = settlement.key;
            }
            None => self.settlements.push(settlement),
        }
    }

    /// The staged rounds that are settled.
    pub(crate) fn settled_rounds(&self) -> impl Iterator<Item = &Round> {
        self.settled_spreads().map(|(round, _)| round)
    }

    /// The staged rounds that are settled, with the expected payout and variance of each.
    pub(crate) fn settled_spreads(&self) -> impl Iterator<Item = (&Round, Spread)> {
        let written = self.rounds.iter();
        let written = written.map(|staged| (&staged.round, staged.spread));
        let settled = self.settlements.iter();
        let settled = settled.map(|staged| (&staged.round, staged.spread));
        written.chain(settled).filter(|(round, _)| !round.is_open())
    }

    /// The settled rounds whose profit may be worth an alert.
    pub(crate) fn large_wins(&self) -> impl Iterator<Item = &Round> {
        self.settled_rounds()
            .filter(|round| round.profit() >= LARGE_WIN_FLOOR)
    }

    /// The changes of the statistics, one entry per player and game.
    pub(crate) fn statistics(&self) -> BTreeMap<(UserId, Game), StatisticsDelta> {
        let mut deltas = BTreeMap::<_, StatisticsDelta>::new();
        for round in self.settled_rounds() {
            let delta = deltas.entry((round.player, round.game)).or_default();
            delta.add(round);
        }
        deltas
    }

    /// The changes of the statistics by hour.
    pub(crate) fn hourly_statistics(&self) -> BTreeMap<HourKey, HourDelta> {
        let mut deltas = BTreeMap::<_, HourDelta>::new();
        for round in self.settled_rounds() {
            if let Some(key) = HourKey::of(round) {
                deltas.entry(key).or_default().add(round);
            }
        }
        deltas
    }

    /// The changes of the daily statements, one entry per player and day.
    pub(crate) fn daily_statements(&self) -> BTreeMap<(UserId, i64), StatementDelta> {
        let mut deltas = BTreeMap::<_, StatementDelta>::new();
        for entry in &self.entries {
            let delta = deltas.entry((entry.player, entry.at.day())).or_default();
            delta.add(entry.sequence, &entry.posting);
        }
        deltas
    }
}
