//! The life of a round inside a transaction, for all games: start, restore, settle.

use glasshouse_domain::{LedgerReference, Money, RoundId, RulesVersion, Timestamp};
use glasshouse_games::fairness::RoundSeeds;
use glasshouse_games::game_round::{End, GameKind, GameRound, payout_in_cents};
use glasshouse_persistence::Transaction;
use glasshouse_persistence::accounts::Account;
use glasshouse_persistence::rounds::{NewRound, Round, Settlement};
use glasshouse_persistence::seeds::SeedKeys;

use crate::error::{CasinoError, Refusal};
use crate::fairness::seeds::{active_seeds, seeds_of_round};
use crate::play::round_view::{RoundView, details_of};

/// A round as of its last change, with the state that its seeds determine.
#[derive(Clone)]
pub(crate) struct RoundSnapshot<R> {
    pub(crate) round: Round,
    pub(crate) game: R,
    /// How the round ended; `None` while it is open.
    pub(crate) end: Option<End>,
}

impl<R: GameRound> RoundSnapshot<R> {
    /// What the player may see of the round.
    pub(crate) fn view(&self) -> RoundView<R> {
        RoundView {
            round: self.round.clone(),
            view: self.game.view(self.end.as_ref()),
        }
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
    let game = R::restore(round.stake, details, &mut seeds.stream())
        .map_err(|error| corrupt(error.to_string()))?;
    let end = match round.ended_at {
        None => None,
        Some(ended_at) => {
            let elapsed = ended_at.saturating_since(round.started_at);
            let end = game.end_as_stored(elapsed, round.multiplier);
            Some(end.ok_or_else(|| corrupt("the stored end is impossible".into()))?)
        }
    };
    Ok(RoundSnapshot { round, game, end })
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

/// Restores a round of the account, open or settled, even if its seeds have been rotated since.
pub(crate) fn restore_any<R: GameRound>(
    transaction: &mut Transaction<'_, '_>,
    account: &Account,
    round: Round,
) -> Result<RoundSnapshot<R>, CasinoError> {
    let seeds = seeds_of_round(transaction, account, &round)?;
    restore(round, &seeds)
}

/// The details of a round as they are stored.
pub(crate) fn details_text<R: GameRound>(
    game: &R,
    end: Option<&End>,
) -> Result<String, CasinoError> {
    serde_json::to_string(&game.details(end))
        .map_err(|error| CasinoError::corrupt(error.to_string()))
}

/// Debits the stake and starts a round with the account's next nonce. A round that ends immediately
/// is settled immediately.
pub(crate) fn start_round<R: GameRound>(
    transaction: &mut Transaction<'_, '_>,
    account: &mut Account,
    bet: R::Bet,
    idempotency_key: Option<String>,
    at: Timestamp,
) -> Result<RoundSnapshot<R>, CasinoError> {
    let stake = R::stake(&bet);
    let posting = account.wallet.stake(stake)?;
    let nonce = account.seeds.next_nonce;
    account.seeds.next_nonce += 1;
    let id = transaction.next_round_id()?;
    transaction.add_entry(account, posting, LedgerReference::Round(id), at);
    let seeds = active_seeds(&transaction.keys().seeds, account, nonce)?;
    let game = R::begin(bet, &mut seeds.stream());
    let natural = game.natural_end();
    let end = natural.filter(End::is_immediate);
    let after = natural.and_then(|natural| natural.after);
    let new = NewRound {
        id,
        game: R::INFO.game,
        rules: RulesVersion::CURRENT,
        stake,
        details: details_text(&game, None)?,
        nonce,
        idempotency_key,
        at,
        due_at: after
            .filter(|_| end.is_none())
            .map(|after| at.saturating_add(after)),
        is_announced: matches!(R::INFO.kind, GameKind::Timed),
    };
    let round = match &end {
        None => transaction.add_open_round(account, new),
        Some(end) => {
            let payout = pay_out(transaction, account, (id, new.rules), &seeds, end, at)?;
            let settlement = settlement(&game, end, (stake, payout), &seeds, at)?;
            transaction.add_settled_round(account, new, &settlement)
        }
    };
    Ok(RoundSnapshot { round, game, end })
}

/// Credits the payout of an ended round by the rules version that it was started with, and returns
/// it.
fn pay_out(
    transaction: &mut Transaction<'_, '_>,
    account: &mut Account,
    (id, rules): (RoundId, RulesVersion),
    seeds: &RoundSeeds,
    end: &End,
    at: Timestamp,
) -> Result<Money, CasinoError> {
    let payout = payout_in_cents(end, rules, seeds);
    if let Some(posting) = account.wallet.pay(payout)? {
        transaction.add_entry(account, posting, LedgerReference::Round(id), at);
    }
    Ok(payout)
}

fn settlement<R: GameRound>(
    game: &R,
    end: &End,
    (stake, payout): (Money, Money),
    seeds: &RoundSeeds,
    at: Timestamp,
) -> Result<Settlement, CasinoError> {
    Ok(Settlement {
        stake,
        payout,
        spread: game.spread(end, seeds),
        result: end.result,
        multiplier: end.multiplier,
        details: details_text(game, Some(end))?,
        key: None,
        at,
    })
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
    let RoundSnapshot { round, game, .. } = current;
    let mut stake = round.stake;
    if end.added_stake.is_positive() {
        let posting = account.wallet.stake(end.added_stake)?;
        let reference = LedgerReference::RoundRaise(round.id);
        transaction.add_entry(account, posting, reference, now);
        stake = stake
            .checked_add(end.added_stake)
            .ok_or(Refusal::AmountOutOfRange)?;
    }
    let seeds = active_seeds(&transaction.keys().seeds, account, round.nonce)?;
    let payout = pay_out(
        transaction,
        account,
        (round.id, round.rules),
        &seeds,
        &end,
        now,
    )?;
    let at = end
        .after
        .map_or(now, |after| round.started_at.saturating_add(after));
    let settlement = Settlement {
        key,
        ..settlement(&game, &end, (stake, payout), &seeds, at)?
    };
    let round = transaction.settle_round(account, &round, settlement);
    Ok(RoundSnapshot {
        round,
        game,
        end: Some(end),
    })
}
