//! Rounds of every game, open or settled, in one table.

use diesel::prelude::*;
use glasshouse_domain::{
    ClientSeedBy, Game, Money, Multiplier, RoundId, RoundResult, RoundState, RulesVersion,
    SeedPairId, Spread, Timestamp, UserId,
};

use crate::accounts::account::{Account, unsigned};
use crate::connection::AnyConnection;
use crate::engine::exposure::Exposure;
use crate::error::DatabaseError;
use crate::public_log::batch::ReceiptPosition;
use crate::schema::{rounds, seed_pairs, users};
use crate::seeds::stored::{
    ServerSeedRow, StoredServerSeed, active_client_seed, stored_client_seed_by,
};

/// A round to be added.
#[derive(Debug, Clone)]
pub struct NewRound {
    /// The round's ID, from [`crate::Transaction::next_round_id`].
    pub id: RoundId,
    /// The game.
    pub game: Game,
    /// The version of the rules.
    pub rules: RulesVersion,
    /// The stake.
    pub stake: Money,
    /// The game's own data, as JSON.
    pub details: String,
    /// The nonce.
    pub nonce: u64,
    /// The idempotency key of the call that started it, if it sent one.
    pub idempotency_key: Option<String>,
    /// The time of the start.
    pub at: Timestamp,
    /// When the round ends by itself, in timed games.
    pub due_at: Option<Timestamp>,
    /// Whether other servers are notified, because event streams of the player may be connected to
    /// them.
    pub is_announced: bool,
    /// Where the receipt of the start is; of no consequence if the round is settled when it starts.
    pub receipt: Option<ReceiptPosition>,
    /// What the round adds to the exposure of its game while it is in play; `None` if it ends when it
    /// starts.
    pub exposure: Option<Exposure>,
}

/// The end of a round.
#[derive(Debug, Clone)]
pub struct Settlement {
    /// The amount credited; zero on a loss.
    pub payout: Money,
    /// The expected payout and its variance.
    pub spread: Spread,
    /// The result.
    pub result: RoundResult,
    /// The multiplier that the player left with, if the player left.
    pub multiplier: Option<Multiplier>,
    /// The total stake, in a game where moves can add to it.
    pub stake: Money,
    /// The game's own data, as JSON.
    pub details: String,
    /// The idempotency key of the call that ended it, if a call did and sent one.
    pub key: Option<String>,
    /// The time of the end.
    pub at: Timestamp,
    /// Where the receipt of the end is.
    pub receipt: Option<ReceiptPosition>,
}

/// A stored round.
#[derive(Debug, Clone)]
pub struct Round {
    /// The round's ID.
    pub id: RoundId,
    /// The player's ID.
    pub player: UserId,
    /// The game.
    pub game: Game,
    /// The version of the rules.
    pub rules: RulesVersion,
    /// The total stake.
    pub stake: Money,
    /// The amount credited.
    pub payout: Money,
    /// The result; `None` while the round is open.
    pub result: Option<RoundResult>,
    /// The game's own data, as JSON.
    pub details: String,
    /// The seed pair.
    pub seed_pair: SeedPairId,
    /// The nonce.
    pub nonce: u64,
    /// The balance after the last change by this round.
    pub balance_after: Money,
    /// The wagering requirement after the last change by this round.
    pub unwagered_after: Money,
    /// The time of the start.
    pub started_at: Timestamp,
    /// The time of the end; `None` while the round is open.
    pub ended_at: Option<Timestamp>,
    /// When the round ends by itself, in timed games. Secret while the round is open.
    pub due_at: Option<Timestamp>,
    /// The multiplier that the player left with.
    pub multiplier: Option<Multiplier>,
    /// Where the receipt of the last change is; `None` for a round from before receipts existed.
    pub receipt: Option<ReceiptPosition>,
    /// The most that the round could win when it started; `None` if it ended when it started, or is from
    /// before this was recorded.
    pub exposure: Option<Money>,
}

impl Round {
    /// Creates an open round. The stake must have been debited from the account.
    pub(crate) fn opened(account: &Account, new: NewRound) -> Self {
        Self {
            id: new.id,
            player: account.player,
            game: new.game,
            rules: new.rules,
            stake: new.stake,
            payout: Money::ZERO,
            result: None,
            details: new.details,
            seed_pair: account.seeds.id,
            nonce: new.nonce,
            balance_after: account.wallet.balance(),
            unwagered_after: account.wallet.unwagered(),
            started_at: new.at,
            ended_at: None,
            due_at: new.due_at,
            multiplier: None,
            receipt: new.receipt,
            exposure: new.exposure.map(|exposure| exposure.maximum_profit),
        }
    }

    /// Settles the round. The payout must have been credited to the account.
    pub(crate) fn settled(self, account: &Account, settlement: &Settlement) -> Self {
        Self {
            stake: settlement.stake,
            payout: settlement.payout,
            result: Some(settlement.result),
            details: settlement.details.clone(),
            balance_after: account.wallet.balance(),
            unwagered_after: account.wallet.unwagered(),
            ended_at: Some(settlement.at),
            multiplier: settlement.multiplier,
            receipt: settlement.receipt,
            ..self
        }
    }

    /// Whether the player won.
    #[must_use]
    pub fn is_win(&self) -> bool {
        self.result == Some(RoundResult::Win)
    }

    /// Whether the round is still in play.
    #[must_use]
    pub const fn is_open(&self) -> bool {
        self.ended_at.is_none()
    }

    /// The payout less the stake; negative for a loss.
    #[must_use]
    pub const fn profit(&self) -> Money {
        Money::from_cents(self.payout.cents().saturating_sub(self.stake.cents()))
    }

    /// When the round ended, for lists of settled rounds; of a round in play, when it started.
    #[must_use]
    pub fn settled_at(&self) -> Timestamp {
        self.ended_at.unwrap_or(self.started_at)
    }

    /// The amount that could be withdrawn right after the round.
    #[must_use]
    pub fn available_after(&self) -> Money {
        self.balance_after
            .checked_sub(self.unwagered_after)
            .filter(|rest| rest.is_positive())
            .unwrap_or(Money::ZERO)
    }

    /// The stored form of the multiplier.
    pub(crate) fn multiplier_thousandths(&self) -> Option<i64> {
        self.multiplier
            .map(|multiplier| i64::from(multiplier.thousandths()))
    }

    pub(crate) const fn state(&self) -> RoundState {
        if self.is_open() {
            RoundState::Open
        } else {
            RoundState::Settled
        }
    }
}

/// A round with its seeds.
#[derive(Clone)]
pub struct RoundWithSeeds {
    /// The round.
    pub round: Round,
    /// The hash that was published before the round.
    pub server_seed_hash: String,
    /// The server seed, secret until its pair is rotated.
    pub server_seed: StoredServerSeed,
    /// The client seed.
    pub client_seed: String,
    /// Who chose the client seed.
    pub client_seed_by: ClientSeedBy,
}

/// A row of the table `rounds`.
#[derive(Debug, Queryable, QueryableByName, Selectable)]
#[diesel(table_name = rounds)]
pub(crate) struct RoundRow {
    id: i64,
    player_id: i64,
    game: String,
    stake_cents: i64,
    payout_cents: i64,
    result: Option<String>,
    details: String,
    seed_pair_id: i64,
    nonce: i64,
    pub(super) idempotency_key: Option<String>,
    balance_after_cents: i64,
    unwagered_after_cents: i64,
    started_at_micros: i64,
    ended_at_micros: Option<i64>,
    due_at_micros: Option<i64>,
    multiplier_thousandths: Option<i64>,
    pub(super) settlement_key: Option<String>,
    rules_version: i64,
    receipt_batch_id: Option<i64>,
    receipt_index: Option<i64>,
    exposure_cents: Option<i64>,
}

impl TryFrom<RoundRow> for Round {
    type Error = DatabaseError;

    fn try_from(row: RoundRow) -> Result<Self, DatabaseError> {
        Ok(Self {
            id: RoundId::new(row.id),
            player: UserId::new(row.player_id),
            game: parse_game(&row.game)?,
            rules: restore_rules(row.rules_version)?,
            stake: Money::from_cents(row.stake_cents),
            payout: Money::from_cents(row.payout_cents),
            result: row.result.as_deref().map(parse_result).transpose()?,
            details: row.details,
            seed_pair: SeedPairId::new(row.seed_pair_id),
            nonce: unsigned(row.nonce, "nonce")?,
            balance_after: Money::from_cents(row.balance_after_cents),
            unwagered_after: Money::from_cents(row.unwagered_after_cents),
            started_at: Timestamp::from_micros(row.started_at_micros),
            ended_at: row.ended_at_micros.map(Timestamp::from_micros),
            due_at: row.due_at_micros.map(Timestamp::from_micros),
            multiplier: row
                .multiplier_thousandths
                .map(stored_multiplier)
                .transpose()?,
            receipt: row
                .receipt_batch_id
                .zip(row.receipt_index)
                .map(|(batch, index)| ReceiptPosition { batch, index }),
            exposure: row.exposure_cents.map(Money::from_cents),
        })
    }
}

pub(crate) fn stored_multiplier(thousandths: i64) -> Result<Multiplier, DatabaseError> {
    u32::try_from(thousandths)
        .map(Multiplier::from_thousandths)
        .map_err(|_| DatabaseError::corrupt(format!("multiplier {thousandths}")))
}

fn parse_result(text: &str) -> Result<RoundResult, DatabaseError> {
    RoundResult::parse(text).ok_or_else(|| DatabaseError::corrupt(format!("unknown result {text}")))
}

fn restore_rules(number: i64) -> Result<RulesVersion, DatabaseError> {
    RulesVersion::of_number(number)
        .ok_or_else(|| DatabaseError::corrupt(format!("unknown rules version {number}")))
}

pub(crate) fn parse_game(text: &str) -> Result<Game, DatabaseError> {
    Game::parse(text).ok_or_else(|| DatabaseError::corrupt(format!("unknown game {text}")))
}

/// Reads a round with its seeds; `None` if `player` has no such round.
///
/// # Errors
/// If the database fails.
pub fn round_with_seeds(
    connection: &mut AnyConnection,
    player: UserId,
    id: RoundId,
) -> Result<Option<RoundWithSeeds>, DatabaseError> {
    // Found by ID alone, with the player checked afterwards: a condition on the player could make the
    // planner choose an index of the history instead of the primary key.
    let found = any_round_with_seeds(connection, id)?;
    let found = found.map(|(round, _)| round);
    Ok(found.filter(|found| found.round.player == player))
}

/// Reads a round of any player with its seeds and the player's name.
///
/// # Errors
/// If the database fails.
pub fn any_round_with_seeds(
    connection: &mut AnyConnection,
    id: RoundId,
) -> Result<Option<(RoundWithSeeds, String)>, DatabaseError> {
    type Row = (
        RoundRow,
        ServerSeedRow,
        Option<String>,
        Option<String>,
        String,
    );
    let row: Option<Row> = rounds::table
        .inner_join(seed_pairs::table)
        .inner_join(users::table.on(users::id.eq(rounds::player_id)))
        .filter(rounds::id.eq(id.get()))
        .select((
            RoundRow::as_select(),
            ServerSeedRow::as_select(),
            seed_pairs::client_seed,
            seed_pairs::client_seed_by,
            users::username,
        ))
        .get_result(connection)
        .optional()?;
    row.map(
        |(round, server_seed, client_seed, client_seed_by, username)| {
            let found = RoundWithSeeds {
                round: round.try_into()?,
                server_seed_hash: server_seed.server_seed_hash.clone(),
                server_seed: server_seed.try_into()?,
                client_seed: active_client_seed(client_seed)?,
                client_seed_by: stored_client_seed_by(client_seed_by.as_deref())?,
            };
            Ok((found, username))
        },
    )
    .transpose()
}
