//! Rounds of every game, open or settled, in one table.

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Text};
use glasshouse_domain::{
    Game, Money, Multiplier, RoundId, RoundResult, RoundState, RulesVersion, SeedPairId, Spread,
    Timestamp, UserId,
};

use crate::accounts::account::{Account, unsigned};
use crate::connection::AnyConnection;
use crate::engine::cached_sql::{Bind as _, cached_sql};
use crate::error::DatabaseError;
use crate::schema::{rounds, seed_pairs};

/// A round that begins, to be written.
#[derive(Debug, Clone)]
pub struct NewRound {
    /// Its number, from [`crate::Transaction::next_round_id`].
    pub id: RoundId,
    /// Which game.
    pub game: Game,
    /// By which rules it is played and paid.
    pub rules: RulesVersion,
    /// What was bet.
    pub stake: Money,
    /// The game's own inputs, as JSON.
    pub details: String,
    /// The nonce that the round took.
    pub nonce: u64,
    /// The client's key for repeating the call, if it sent one.
    pub idempotency_key: Option<String>,
    /// When it began.
    pub at: Timestamp,
    /// When it ends by itself, if it does.
    pub due_at: Option<Timestamp>,
    /// Whether other servers are told of it: their players' streams may wait for it.
    pub is_announced: bool,
}

/// How a round ended, to be written.
#[derive(Debug, Clone)]
pub struct Settlement {
    /// What is credited; zero on a loss.
    pub payout: Money,
    /// What the rules let expect of the payout.
    pub spread: Spread,
    /// Who won.
    pub result: RoundResult,
    /// What the player left with the stake times of, if the player left.
    pub multiplier: Option<Multiplier>,
    /// All that was staked on it, in a game where more can be staked than at the start.
    pub stake: Money,
    /// The game's own inputs and results, as JSON.
    pub details: String,
    /// The client's key for repeating the call that ended it, if it was a call and sent one.
    pub key: Option<String>,
    /// When it ended.
    pub at: Timestamp,
}

/// A round as stored.
#[derive(Debug, Clone)]
pub struct Round {
    /// Its number.
    pub id: RoundId,
    /// Who played it.
    pub player: UserId,
    /// Which game.
    pub game: Game,
    /// By which rules it is played and paid.
    pub rules: RulesVersion,
    /// What was bet.
    pub stake: Money,
    /// What was credited.
    pub payout: Money,
    /// Who won; none while it is open.
    pub result: Option<RoundResult>,
    /// The game's own inputs and results, as JSON.
    pub details: String,
    /// The seed pair it used.
    pub seed_pair: SeedPairId,
    /// The nonce it took.
    pub nonce: u64,
    /// The balance right after it.
    pub balance_after: Money,
    /// What of the deposits still had to be wagered right after it.
    pub unwagered_after: Money,
    /// When it was placed.
    pub started_at: Timestamp,
    /// When it was settled; none while it is open.
    pub ended_at: Option<Timestamp>,
    /// When it ends by itself, in a game where it does. A secret while it is open.
    pub due_at: Option<Timestamp>,
    /// What the player left with the stake times of.
    pub multiplier: Option<Multiplier>,
}

impl Round {
    /// A round that begins, with the account as its stake has left it.
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
        }
    }

    /// The round once it has ended, with the account as its payout has left it.
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
            ..self
        }
    }

    /// Whether the player won it.
    #[must_use]
    pub fn is_win(&self) -> bool {
        self.result == Some(RoundResult::Win)
    }

    /// Whether it is still in play.
    #[must_use]
    pub const fn is_open(&self) -> bool {
        self.ended_at.is_none()
    }

    /// What could be withdrawn right after the round.
    #[must_use]
    pub fn available_after(&self) -> Money {
        self.balance_after
            .checked_sub(self.unwagered_after)
            .filter(|rest| rest.is_positive())
            .unwrap_or(Money::ZERO)
    }

    pub(crate) const fn state(&self) -> RoundState {
        if self.is_open() {
            RoundState::Open
        } else {
            RoundState::Settled
        }
    }
}

/// A round with the seeds that decided it.
#[derive(Clone)]
pub struct RoundWithSeeds {
    /// The round.
    pub round: Round,
    /// The hash that was shown before the round.
    pub server_seed_hash: String,
    /// The server seed: a secret until its pair has been rotated away.
    pub server_seed: String,
    /// Whether it has been.
    pub is_revealed: bool,
    /// The player's part.
    pub client_seed: String,
}

/// A row of `rounds` as read.
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
    idempotency_key: Option<String>,
    balance_after_cents: i64,
    unwagered_after_cents: i64,
    started_at_micros: i64,
    ended_at_micros: Option<i64>,
    due_at_micros: Option<i64>,
    multiplier_thousandths: Option<i64>,
    settlement_key: Option<String>,
    rules_version: i64,
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

/// Reads a round of `player` with its seeds; none if there is no such round of theirs.
///
/// # Errors
/// If the database fails.
pub fn round_with_seeds(
    connection: &mut AnyConnection,
    player: UserId,
    id: RoundId,
) -> Result<Option<RoundWithSeeds>, DatabaseError> {
    type Row = (RoundRow, String, String, String, Option<i64>);
    // By its number alone, and whose it is afterwards: a condition on the player as well would let the
    // history's indexes look as good as that of the numbers.
    let row: Option<Row> = rounds::table
        .inner_join(seed_pairs::table)
        .filter(rounds::id.eq(id.get()))
        .select((
            RoundRow::as_select(),
            seed_pairs::server_seed,
            seed_pairs::server_seed_hash,
            seed_pairs::client_seed,
            seed_pairs::revealed_at_micros,
        ))
        .get_result(connection)
        .optional()?;
    let own = row.filter(|(round, ..)| round.player_id == player.get());
    own.map(
        |(round, server_seed, server_seed_hash, client_seed, revealed_at)| {
            Ok(RoundWithSeeds {
                round: round.try_into()?,
                server_seed_hash,
                server_seed,
                is_revealed: revealed_at.is_some(),
                client_seed,
            })
        },
    )
    .transpose()
}

/// A key is its player's own: two players may choose the same text.
pub(crate) type PlayerKey = (UserId, String);

/// Which of a round's two keys: the one of the call that began it, or of the one that ended it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeyOf {
    Start,
    Settlement,
}

/// One look into the keys' index for each player and key, whatever the planner thinks of the table:
/// the LIMIT keeps it from making one join of the two.
macro_rules! round_of_each_key {
    ($column:literal) => {
        concat!(
            "SELECT found.* FROM unnest(?, ?) AS wanted (player_id, key)
             CROSS JOIN LATERAL (
                SELECT * FROM rounds
                WHERE rounds.player_id = wanted.player_id AND rounds.",
            $column,
            " = wanted.key
                LIMIT 1
             ) found"
        )
    };
}

/// The rounds that already answered these keys, in one query on PostgreSQL.
pub(crate) fn rounds_by_keys(
    connection: &mut AnyConnection,
    keys: &[PlayerKey],
    of: KeyOf,
) -> Result<Vec<(PlayerKey, Round)>, DatabaseError> {
    let rows: Vec<RoundRow> = match connection {
        AnyConnection::Sqlite(sqlite) => {
            let mut rows = Vec::new();
            for (player, key) in keys {
                let of_player = rounds::table.filter(rounds::player_id.eq(player.get()));
                let row = match of {
                    KeyOf::Start => of_player
                        .filter(rounds::idempotency_key.eq(key))
                        .select(RoundRow::as_select())
                        .get_result(sqlite),
                    KeyOf::Settlement => of_player
                        .filter(rounds::settlement_key.eq(key))
                        .select(RoundRow::as_select())
                        .get_result(sqlite),
                };
                rows.extend(row.optional()?);
            }
            rows
        }
        AnyConnection::Postgres(postgres) => {
            let players: Vec<i64> = keys.iter().map(|(player, _)| player.get()).collect();
            let texts: Vec<&str> = keys.iter().map(|(_, key)| key.as_str()).collect();
            cached_sql(match of {
                KeyOf::Start => round_of_each_key!("idempotency_key"),
                KeyOf::Settlement => round_of_each_key!("settlement_key"),
            })
            .bind::<Array<BigInt>, _>(players)
            .bind::<Array<Text>, _>(texts)
            .load(postgres)?
        }
    };
    let mut found = Vec::with_capacity(rows.len());
    for row in rows {
        let key = match of {
            KeyOf::Start => row.idempotency_key.clone(),
            KeyOf::Settlement => row.settlement_key.clone(),
        };
        if let Some(key) = key {
            let round = Round::try_from(row)?;
            found.push(((round.player, key), round));
        }
    }
    Ok(found)
}
