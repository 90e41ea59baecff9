//! Finds the round that an idempotency key has started or ended.

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Text};
use glasshouse_domain::UserId;

use crate::connection::AnyConnection;
use crate::engine::cached_sql::{Bind as _, cached_sql};
use crate::error::DatabaseError;
use crate::rounds::round::{Round, RoundRow};
use crate::schema::rounds;

/// An idempotency key belongs to a player: two players may use the same text.
pub(crate) type PlayerKey = (UserId, String);

/// The idempotency key of a round: that of the call that started it, or that of the call that ended
/// it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeyOf {
    Start,
    Settlement,
}

/// Looks up each key in the index, regardless of the planner's statistics: the LIMIT prevents it
/// from planning a single join.
macro_rules! load_round_of_each_key {
    ($column:literal, $players:expr, $keys:expr, $connection:expr) => {
        cached_sql!(concat!(
            "SELECT found.* FROM unnest(?, ?) AS wanted (player_id, key)
             CROSS JOIN LATERAL (
                SELECT * FROM rounds
                WHERE rounds.player_id = wanted.player_id AND rounds.",
            $column,
            " = wanted.key
                LIMIT 1
             ) found"
        ))
        .bind::<Array<BigInt>, _>($players)
        .bind::<Array<Text>, _>($keys)
        .load($connection)
    };
}

/// Finds the rounds with these idempotency keys, with one query on PostgreSQL.
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
            match of {
                KeyOf::Start => {
                    load_round_of_each_key!("idempotency_key", players, texts, postgres)?
                }
                KeyOf::Settlement => {
                    load_round_of_each_key!("settlement_key", players, texts, postgres)?
                }
            }
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
