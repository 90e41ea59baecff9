//! What the house states in receipts and in the public log, made from its own types.

use glasshouse_domain::{ClientSeedBy, Money, RoundId, Timestamp, UserId};
use glasshouse_games::fairness::Stream;
use glasshouse_games::game_round::{End, GameRound};
use glasshouse_games::published::{Amounts, PublishedRound, publish};
use glasshouse_persistence::Transaction;
use glasshouse_persistence::accounts::Account;
use glasshouse_persistence::public_log::Receipt;
use glasshouse_persistence::rounds::Round;
use glasshouse_transparency::Hash;
use glasshouse_transparency::entry::{self, Entry, Terms};
use glasshouse_transparency::origin::Origin;
use glasshouse_transparency::receipt::{
    self, PairStatement, Payment, PaymentStatement, RoundState, RoundStatement, SeedHash, Statement,
};
use glasshouse_transparency::time::UtcTime;
use serde_json::value::RawValue;

use crate::error::CasinoError;

/// A public entry of the log, with its hash.
pub(crate) struct LogEntry {
    pub(crate) line: String,
    pub(crate) hash: Hash,
}

/// The public entry of a settled round. `stream` is the stream that the round was begun or restored
/// with.
pub(crate) fn round_entry<R: GameRound>(
    game: &R,
    end: &End,
    amounts: Amounts,
    stream: &mut Stream,
    at: Timestamp,
) -> Result<LogEntry, CasinoError> {
    let published = publish(game, end, amounts, stream).map_err(unpublished)?;
    let line = line_of(&published, at)?;
    let hash = entry::leaf_hash(line.as_bytes());
    Ok(LogEntry { line, hash })
}

/// The amounts of a stored round that its entry states.
pub(crate) const fn amounts_of(round: &Round) -> Amounts {
    Amounts {
        rules: round.rules,
        stake: round.stake,
        payout: round.payout,
    }
}

fn line_of(published: &PublishedRound<'_>, at: Timestamp) -> Result<String, CasinoError> {
    let terms = RawValue::from_string(published.terms.clone().into_owned()).map_err(unpublished)?;
    let terms = Terms::new(&terms).map_err(unpublished)?;
    Entry::Round(entry::Round {
        game: published.game.as_str().to_owned(),
        rules: published.rules.number().into(),
        stake: published.stake.cents(),
        payout: published.payout.cents(),
        terms,
        words: published.blocks.to_vec(),
        second: at.second(),
    })
    .to_line()
    .map_err(unpublished)
}

fn unpublished(error: impl std::fmt::Display) -> CasinoError {
    CasinoError::corrupt(format!("a round cannot be published: {error}"))
}

/// The state of a round that its receipt states.
#[derive(Clone, Copy)]
pub(crate) struct RoundFacts {
    pub(crate) id: RoundId,
    pub(crate) player: UserId,
    pub(crate) nonce: u64,
    pub(crate) stake: Money,
    /// The payout and the hash of the public entry, once the round is settled.
    pub(crate) settled: Option<(Money, Hash)>,
    pub(crate) balance: Money,
    pub(crate) at: Timestamp,
}

impl RoundFacts {
    /// The state of a stored round.
    pub(crate) fn of(round: &Round, entry: Option<Hash>) -> Self {
        Self {
            id: round.id,
            player: round.player,
            nonce: round.nonce,
            stake: round.stake,
            settled: entry.map(|entry| (round.payout, entry)),
            balance: round.balance_after,
            at: round.settled_at(),
        }
    }

    /// The text of the receipt.
    pub(crate) fn text(
        &self,
        origin: Origin,
        server_seed_hash: &str,
    ) -> Result<String, CasinoError> {
        let statement = Statement::Round(RoundStatement {
            round: self.id.get(),
            state: match self.settled {
                None => RoundState::Open,
                Some((payout, entry)) => RoundState::Settled {
                    payout: payout.cents(),
                    entry,
                },
            },
            pair: seed_hash(server_seed_hash)?,
            nonce: self.nonce,
            stake: self.stake.cents(),
            balance: self.balance.cents(),
        });
        Ok(text_of(origin, self.player, statement, self.at))
    }
}

/// Adds the receipt of a round of this account.
pub(crate) fn add_round_receipt(
    transaction: &mut Transaction<'_, '_>,
    account: &Account,
    facts: &RoundFacts,
) -> Result<Receipt, CasinoError> {
    let text = facts.text(transaction.log_origin(), &account.seeds.commitment.hash)?;
    Ok(transaction.add_receipt(text)?)
}

/// Adds the receipt of a deposit or withdrawal of this account, after its balance has changed.
pub(crate) fn add_payment_receipt(
    transaction: &mut Transaction<'_, '_>,
    account: &Account,
    (payment, amount): (Payment, Money),
    at: Timestamp,
) -> Result<Receipt, CasinoError> {
    let statement = Statement::Payment(PaymentStatement {
        payment,
        amount: amount.cents(),
        balance: account.wallet.balance().cents(),
    });
    let text = text_of(transaction.log_origin(), account.player, statement, at);
    Ok(transaction.add_stored_receipt(account.player, text)?)
}

/// The seed pair that a player's next rounds use, and the commitment to the one after it.
pub(crate) struct PairFacts<'f> {
    pub(crate) server_seed_hash: &'f str,
    pub(crate) client_seed: &'f str,
    pub(crate) client_seed_by: ClientSeedBy,
    pub(crate) next_server_seed_hash: &'f str,
}

/// Adds the receipt of a seed pair that has become active, or has got its client seed.
pub(crate) fn add_pair_receipt(
    transaction: &mut Transaction<'_, '_>,
    player: UserId,
    facts: &PairFacts<'_>,
    at: Timestamp,
) -> Result<Receipt, CasinoError> {
    let client_seed = receipt::ClientSeed::parse(facts.client_seed)
        .ok_or_else(|| CasinoError::corrupt(format!("client seed: {}", facts.client_seed)))?;
    let statement = Statement::Pair(PairStatement {
        server_seed_hash: seed_hash(facts.server_seed_hash)?,
        client_seed,
        client_seed_by: match facts.client_seed_by {
            ClientSeedBy::Player => receipt::ClientSeedBy::Player,
            ClientSeedBy::House => receipt::ClientSeedBy::House,
        },
        next_server_seed_hash: seed_hash(facts.next_server_seed_hash)?,
    });
    let text = text_of(transaction.log_origin(), player, statement, at);
    Ok(transaction.add_stored_receipt(player, text)?)
}

fn text_of(origin: Origin, player: UserId, statement: Statement, at: Timestamp) -> String {
    let receipt = receipt::Receipt {
        origin,
        player: player.get(),
        statement,
        time: UtcTime::from_micros(at.as_micros()),
    };
    receipt.to_string()
}

fn seed_hash(text: &str) -> Result<SeedHash, CasinoError> {
    SeedHash::parse(text).ok_or_else(|| CasinoError::corrupt(format!("hash of a seed: {text}")))
}
