//! The life of a round inside a transaction, for all games: start, restore, settle.

use glasshouse_domain::{LedgerReference, Money, RulesVersion, Timestamp};
use glasshouse_games::fairness::{RoundSeeds, Stream};
use glasshouse_games::game_round::{End, GameKind, GameRound};
use glasshouse_persistence::Transaction;
use glasshouse_persistence::accounts::Account;
use glasshouse_persistence::public_log::{Receipt, ReceiptBatch};
use glasshouse_persistence::rounds::{Exposure, NewRound, Round};
use glasshouse_persistence::seeds::SeedKeys;

use crate::error::{CasinoError, Refusal};
use crate::fairness::seeds::{active_seeds, seeds_of_round};
use crate::play::round_view::{RoundView, details_of, details_text};
use crate::play::settlement::{EndingRound, pay_and_publish};
use crate::statements::{LogEntry, RoundFacts, add_round_receipt, amounts_of, round_entry};

/// A round as of its last change, with the state that its seeds determine.
#[derive(Clone)]
pub(crate) struct RoundSnapshot<R> {
    pub(crate) round: Round,
    pub(crate) game: R,
    /// How the round ended; `None` while it is open.
    pub(crate) end: Option<End>,
    /// What the round has drawn from its seeds.
    pub(crate) stream: Stream,
    /// The receipt of the last change, if this transaction made the change or read the receipt.
    pub(crate) receipt: Option<Receipt>,
}

impl<R: GameRound> RoundSnapshot<R> {
    /// What the player may see of the round.
    pub(crate) fn view(&self) -> RoundView<R> {
        RoundView {
            round: self.round.clone(),
            view: self.game.view(self.end.as_ref()),
            receipt: self.receipt.clone(),
        }
    }

    /// The round's public entry; `None` while it is open.
    pub(crate) fn entry(&self) -> Result<Option<LogEntry>, CasinoError> {
        let (Some(end), Some(ended_at)) = (&self.end, self.round.ended_at) else {
            return Ok(None);
        };
        let amounts = amounts_of(&self.round);
        round_entry(&self.game, end, amounts, &mut self.stream.clone(), ended_at).map(Some)
    }

    /// The round's natural end, if it is due.
    pub(crate) fn end_if_due(&self, now: Timestamp) -> Option<End> {
        let end = self.game.natural_end()?;
        let ends_at = self.round.started_at.saturating_add(end.after?);
        (now >= ends_at).then_some(end)
    }
}

/// Restores a stored round and recomputes what its seeds determine.
pub(crate) fn restore<R: GameRound>(
    round: Round,
    seeds: &RoundSeeds,
) -> Result<RoundSnapshot<R>, CasinoError> {
    let corrupt = |message: String| CasinoError::corrupt(format!("round {}: {message}", round.id));
    let details = details_of::<R>(&round)?;
    let mut stream = seeds.stream();
    let game = R::restore(round.stake, details, &mut stream)
        .map_err(|error| corrupt(error.to_string()))?;
    let end = match round.ended_at {
        None => None,
        Some(ended_at) => {
            let elapsed = ended_at.saturating_since(round.started_at);
            let end = game.end_as_stored(elapsed, round.multiplier);
            Some(end.ok_or_else(|| corrupt("the stored end is impossible".into()))?)
        }
    };
    Ok(RoundSnapshot {
        round,
        game,
        end,
        stream,
        receipt: None,
    })
}

/// Restores an open round of the account.
pub(crate) fn restore_open<R: GameRound>(
    keys: &SeedKeys,
    account: &Account,
    round: Round,
) -> Result<RoundSnapshot<R>, CasinoError> {
    if round.seed_pair != account.seeds.id {
        let message = format!("open round {} has another seed pair", round.id);
        return Err(CasinoError::corrupt(message));
    }
    let seeds = active_seeds(keys, account, round.nonce)?;
    restore(round, &seeds)
}

/// Restores a round of the account, open or settled, even if its seeds have been rotated since, with
/// its receipt.
pub(crate) fn restore_any<R: GameRound>(
    transaction: &mut Transaction<'_, '_>,
    account: &Account,
    round: Round,
) -> Result<RoundSnapshot<R>, CasinoError> {
    let seeds = seeds_of_round(transaction, account, &round)?;
    let mut current = restore(round, &seeds)?;
    if let Some(position) = current.round.receipt {
        let batch = transaction.receipt_batch(position.batch)?;
        current.receipt = Some(receipt_again(&current, &seeds, &batch)?);
    }
    Ok(current)
}

/// The receipt of a restored round's last change. Its text follows from the round.
pub(crate) fn receipt_again<R: GameRound>(
    current: &RoundSnapshot<R>,
    seeds: &RoundSeeds,
    batch: &ReceiptBatch,
) -> Result<Receipt, CasinoError> {
    let round = &current.round;
    let index = round.receipt.map_or(0, |position| position.index);
    let entry = current.entry()?.map(|entry| entry.hash);
    let facts = RoundFacts::of(round, entry);
    let text = facts.text(batch.origin().clone(), &seeds.server_seed.hash())?;
    Ok(batch.receipt(index, text)?)
}

/// A round that is about to start.
pub(crate) struct BeginningRound<R: GameRound> {
    pub(crate) bet: R::Bet,
    /// What it adds to the exposure of its game if it does not end when it starts.
    pub(crate) exposure: Option<Exposure>,
    pub(crate) idempotency_key: Option<String>,
}

/// Debits the stake and starts a round with the account's next nonce, if the player's limits and
/// exclusion admit it. A round that ends immediately is settled immediately.
pub(crate) fn start_round<R: GameRound>(
    transaction: &mut Transaction<'_, '_>,
    account: &mut Account,
    beginning: BeginningRound<R>,
    at: Timestamp,
) -> Result<RoundSnapshot<R>, CasinoError> {
    let bet = beginning.bet;
    let stake = R::stake(&bet);
    let added = R::maximum_added_stake(stake);
    let at = admit(account, stake, added, at)?;
    let posting = account.wallet.stake(stake)?;
    let nonce = account.seeds.next_nonce;
    account.seeds.next_nonce += 1;
    let id = transaction.next_round_id()?;
    transaction.add_entry(account, posting, LedgerReference::Round(id), at);
    let mut stream = active_seeds(&transaction.keys().seeds, account, nonce)?.stream();
    let game = R::begin(bet, &mut stream);
    let natural = game.natural_end();
    let end = natural.filter(End::is_immediate);
    let after = natural.and_then(|natural| natural.after);
    let mut new = NewRound {
        id,
        game: R::INFO.game,
        rules: RulesVersion::CURRENT,
        stake,
        details: details_text(&game, None)?,
        nonce,
        idempotency_key: beginning.idempotency_key,
        at,
        due_at: after
            .filter(|_| end.is_none())
            .map(|after| at.saturating_add(after)),
        is_announced: matches!(R::INFO.kind, GameKind::Timed),
        receipt: None,
        exposure: beginning.exposure.filter(|_| end.is_none()),
    };
    let (round, receipt) = match &end {
        None => {
            let receipt = add_round_receipt(transaction, account, &opened(account, &new))?;
            new.receipt = Some(receipt.position());
            if let Some(rules) = &mut account.play_rules {
                rules.reserve(added);
            }
            (transaction.add_open_round(account, new), receipt)
        }
        Some(end) => {
            let ending = EndingRound {
                id,
                nonce,
                rules: new.rules,
                stake,
                game: &game,
                stream: &mut stream,
                end,
                ended_at: at,
            };
            let (settlement, receipt) = pay_and_publish(transaction, account, ending, None, at)?;
            let round = transaction.add_settled_round(account, new, &settlement);
            (round, receipt)
        }
    };
    Ok(RoundSnapshot {
        round,
        game,
        end,
        stream,
        receipt: Some(receipt),
    })
}

/// Judges a new round by the player's limits and exclusion, and returns the time at which it starts.
/// Most players have none.
fn admit(
    account: &Account,
    stake: Money,
    added: Money,
    at: Timestamp,
) -> Result<Timestamp, CasinoError> {
    let Some(rules) = &account.play_rules else {
        return Ok(at);
    };
    let at = rules.round_time(at);
    rules.admit(stake, added, at)?;
    Ok(at)
}

/// What the receipt of a started round states, after the stake was debited.
const fn opened(account: &Account, new: &NewRound) -> RoundFacts {
    RoundFacts {
        id: new.id,
        player: account.player,
        nonce: new.nonce,
        stake: new.stake,
        settled: None,
        balance: account.wallet.balance(),
        at: new.at,
    }
}

/// Settles an open round: debits the stake that the last move added, credits the payout, and
/// records the end with the time at which it happened.
pub(crate) fn settle<R: GameRound>(
    transaction: &mut Transaction<'_, '_>,
    account: &mut Account,
    current: RoundSnapshot<R>,
    end: End,
    key: Option<String>,
    now: Timestamp,
) -> Result<RoundSnapshot<R>, CasinoError> {
    let RoundSnapshot {
        round,
        game,
        mut stream,
        ..
    } = current;
    let mut stake = round.stake;
    if let Some(rules) = &mut account.play_rules {
        rules.release(R::maximum_added_stake(stake));
    }
    if end.added_stake.is_positive() {
        let posting = account.wallet.stake(end.added_stake)?;
        let reference = LedgerReference::RoundRaise(round.id);
        transaction.add_entry(account, posting, reference, now);
        stake = stake
            .checked_add(end.added_stake)
            .ok_or(Refusal::AmountOutOfRange)?;
    }
    let ending = EndingRound {
        id: round.id,
        nonce: round.nonce,
        rules: round.rules,
        stake,
        game: &game,
        stream: &mut stream,
        end: &end,
        ended_at: end
            .after
            .map_or(now, |after| round.started_at.saturating_add(after)),
    };
    let (settlement, receipt) = pay_and_publish(transaction, account, ending, key, now)?;
    let round = transaction.settle_round(account, &round, settlement);
    Ok(RoundSnapshot {
        round,
        game,
        end: Some(end),
        stream,
        receipt: Some(receipt),
    })
}
