//! A round inside a transaction: how it begins, is restored and ends, whatever the game.

use glasshouse_domain::{LedgerReference, Money, RoundId, RulesVersion, Timestamp};
use glasshouse_games::fairness::RoundSeeds;
use glasshouse_games::game_round::{End, GameKind, GameRound, payout_in_cents};
use glasshouse_persistence::Transaction;
use glasshouse_persistence::accounts::Account;
use glasshouse_persistence::rounds::{NewRound, Round, Settlement};

use crate::error::{CasinoError, Refusal};
use crate::fairness::seeds::{seeds_in_use, seeds_of_round};
use crate::play::round_view::{RoundView, details_of};

/// A round as the last change left it, with its future.
#[derive(Clone)]
pub(crate) struct RoundSnapshot<R> {
    pub(crate) round: Round,
    pub(crate) game: R,
    /// How it ended, once it has.
    pub(crate) end: Option<End>,
}

impl<R: GameRound> RoundSnapshot<R> {
    /// What its player may see of it.
    pub(crate) fn view(&self) -> RoundView<R> {
        RoundView {
            round: self.round.clone(),
            view: self.game.view(self.end.as_ref()),
        }
    }

    /// How it ends by itself, if its time has come.
    pub(crate) fn end_if_due(&self, now: Timestamp) -> Option<End> {
        let end = self.game.natural_end()?;
        let ends_at = self.round.started_at.saturating_add(end.after?);
        (now >= ends_at).then_some(end)
    }
}

/// A stored round with what its seeds decide.
pub(crate) fn restore<R: GameRound>(
    round: Round,
    seeds: &RoundSeeds,
) -> Result<RoundSnapshot<R>, CasinoError> {
    let broken = |what: String| CasinoError::corrupt(format!("round {}: {what}", round.id));
    let details = details_of::<R>(&round)?;
    let game = R::restore(round.stake, details, &mut seeds.stream())
        .map_err(|error| broken(error.to_string()))?;
    let end = match round.ended_at {
        None => None,
        Some(ended_at) => {
            let elapsed = ended_at.saturating_since(round.started_at);
            let end = game.end_as_stored(elapsed, round.multiplier);
            Some(end.ok_or_else(|| broken("it cannot have ended so".into()))?)
        }
    };
    Ok(RoundSnapshot { round, game, end })
}

/// An open round of the account's.
pub(crate) fn restore_open<R: GameRound>(
    account: &Account,
    round: Round,
) -> Result<RoundSnapshot<R>, CasinoError> {
    if round.seed_pair != account.seeds.id {
        let what = format!("open round {} is of another seed pair", round.id);
        return Err(CasinoError::corrupt(what));
    }
    let seeds = seeds_in_use(account, round.nonce)?;
    restore(round, &seeds)
}

/// A round of the account's, open or settled, also of seeds that were rotated away.
pub(crate) fn restore_any<R: GameRound>(
    transaction: &mut Transaction<'_, '_>,
    account: &Account,
    round: Round,
) -> Result<RoundSnapshot<R>, CasinoError> {
    let seeds = seeds_of_round(transaction, account, &round)?;
    restore(round, &seeds)
}

/// What is stored of a round of the game, in play or ended.
pub(crate) fn details_text<R: GameRound>(
    game: &R,
    end: Option<&End>,
) -> Result<String, CasinoError> {
    serde_json::to_string(&game.details(end))
        .map_err(|error| CasinoError::corrupt(error.to_string()))
}

/// Takes the stake and begins the round that the account's next nonce decides. One that is over at
/// once is settled at once.
pub(crate) fn begin<R: GameRound>(
    transaction: &mut Transaction<'_, '_>,
    account: &mut Account,
    bet: R::Bet,
    idempotency_key: Option<String>,
    at: Timestamp,
) -> Result<RoundSnapshot<R>, CasinoError> {
    let stake = R::stake(&bet);
    let movement = account.wallet.stake(stake)?;
    let nonce = account.seeds.next_nonce;
    account.seeds.next_nonce += 1;
    let id = transaction.next_round_id()?;
    transaction.add_entry(account, movement, LedgerReference::Round(id), at);
    let seeds = seeds_in_use(account, nonce)?;
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

/// Credits what an ended round pays by the rules that it was started under, and returns it.
fn pay_out(
    transaction: &mut Transaction<'_, '_>,
    account: &mut Account,
    (id, rules): (RoundId, RulesVersion),
    seeds: &RoundSeeds,
    end: &End,
    at: Timestamp,
) -> Result<Money, CasinoError> {
    let payout = payout_in_cents(end, rules, seeds);
    if let Some(movement) = account.wallet.pay(payout)? {
        transaction.add_entry(account, movement, LedgerReference::Round(id), at);
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

/// Ends an open round: takes what the last move staked in addition, pays, and writes down how it
/// ended, at the moment that it did.
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
        let movement = account.wallet.stake(end.added_stake)?;
        let reference = LedgerReference::RoundRaise(round.id);
        transaction.add_entry(account, movement, reference, now);
        stake = stake
            .checked_add(end.added_stake)
            .ok_or(Refusal::AmountOutOfRange)?;
    }
    let seeds = seeds_in_use(account, round.nonce)?;
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
