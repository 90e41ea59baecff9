//! The end of a round: its payout, its public entry and its receipt, written together.

use glasshouse_domain::{LedgerReference, Money, RoundId, RulesVersion, Timestamp};
use glasshouse_games::fairness::Stream;
use glasshouse_games::game_round::{End, GameRound, payout_in_cents};
use glasshouse_games::published::Amounts;
use glasshouse_persistence::Transaction;
use glasshouse_persistence::accounts::Account;
use glasshouse_persistence::public_log::Receipt;
use glasshouse_persistence::rounds::Settlement;

use crate::error::CasinoError;
use crate::play::round_view::details_text;
use crate::statements::{RoundFacts, add_round_receipt, round_entry};

/// A round that ends.
pub(crate) struct EndingRound<'r, R> {
    pub(crate) id: RoundId,
    pub(crate) nonce: u64,
    /// The rules version that the round was started with.
    pub(crate) rules: RulesVersion,
    /// The total stake, which has been debited.
    pub(crate) stake: Money,
    pub(crate) game: &'r R,
    /// The stream that the round was begun or restored with.
    pub(crate) stream: &'r mut Stream,
    pub(crate) end: &'r End,
    /// When the round ended, by its rules.
    pub(crate) ended_at: Timestamp,
}

/// Credits the payout of an ended round, publishes the round and states it in a receipt.
pub(crate) fn pay_and_publish<R: GameRound>(
    transaction: &mut Transaction<'_, '_>,
    account: &mut Account,
    round: EndingRound<'_, R>,
    key: Option<String>,
    now: Timestamp,
) -> Result<(Settlement, Receipt), CasinoError> {
    let EndingRound {
        id,
        nonce,
        rules,
        stake,
        game,
        stream,
        end,
        ended_at,
    } = round;
    let payout = payout_in_cents(end, rules, stream);
    if let Some(posting) = account.wallet.pay(payout)? {
        transaction.add_entry(account, posting, LedgerReference::Round(id), now);
    }
    let amounts = Amounts {
        rules,
        stake,
        payout,
    };
    let entry = round_entry(game, end, amounts, stream, ended_at)?;
    transaction.add_log_entry(&entry.line)?;
    let facts = RoundFacts {
        id,
        player: account.player,
        nonce,
        stake,
        settled: Some((payout, entry.hash)),
        balance: account.wallet.balance(),
        at: ended_at,
    };
    let receipt = add_round_receipt(transaction, account, &facts)?;
    let settlement = Settlement {
        stake,
        payout,
        spread: game.spread(end),
        result: end.result,
        multiplier: end.multiplier,
        details: details_text(game, Some(end))?,
        key,
        at: ended_at,
        receipt: Some(receipt.position()),
    };
    Ok((settlement, receipt))
}
