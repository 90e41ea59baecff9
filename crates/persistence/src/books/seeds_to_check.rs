//! What the check reads to verify seed pairs and to replay rounds from them.

use diesel::prelude::*;
use diesel::sql_types::BigInt;
use glasshouse_domain::{ClientSeedBy, RoundId, SeedPairId, Timestamp, UserId};

use crate::connection::AnyConnection;
use crate::error::DatabaseError;
use crate::rounds::round::{Round, RoundRow};
use crate::schema::{rounds, seed_pairs};
use crate::seeds::stored::{ServerSeedRow, StoredServerSeed};

/// A seed pair to be checked.
#[derive(Debug)]
pub struct SeedPairToCheck {
    /// The ID of the pair.
    pub id: SeedPairId,
    /// The pair's player.
    pub player: UserId,
    /// The published hash of the server seed.
    pub server_seed_hash: String,
    /// The stored server seed, or why it cannot be read.
    pub server_seed: Result<StoredServerSeed, DatabaseError>,
    /// When the house committed to the server seed.
    pub committed_at: Timestamp,
    /// When the pair became active.
    pub activated_at: Option<Timestamp>,
    /// When the client seed was chosen.
    pub client_seed_at: Option<Timestamp>,
    /// Who chose the client seed; `None` also if the stored name is unknown.
    pub client_seed_by: Option<ClientSeedBy>,
    /// When the server seed was revealed.
    pub revealed_at: Option<Timestamp>,
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = seed_pairs)]
struct StepsRow {
    id: i64,
    player_id: i64,
    committed_at_micros: i64,
    activated_at_micros: Option<i64>,
    client_seed_at_micros: Option<i64>,
    client_seed_by: Option<String>,
    revealed_at_micros: Option<i64>,
}

/// Reads the next seed pairs in ascending order of IDs.
///
/// # Errors
/// If the database fails.
pub fn seed_pairs_after(
    connection: &mut AnyConnection,
    after: SeedPairId,
    limit: i64,
) -> Result<Vec<SeedPairToCheck>, DatabaseError> {
    let rows: Vec<(StepsRow, ServerSeedRow)> = seed_pairs::table
        .filter(seed_pairs::id.gt(after.get()))
        .order(seed_pairs::id)
        .limit(limit)
        .select((StepsRow::as_select(), ServerSeedRow::as_select()))
        .load(connection)?;
    Ok(rows
        .into_iter()
        .map(|(steps, seed)| SeedPairToCheck {
            id: SeedPairId::new(steps.id),
            player: UserId::new(steps.player_id),
            server_seed_hash: seed.server_seed_hash.clone(),
            server_seed: seed.try_into(),
            committed_at: Timestamp::from_micros(steps.committed_at_micros),
            activated_at: steps.activated_at_micros.map(Timestamp::from_micros),
            client_seed_at: steps.client_seed_at_micros.map(Timestamp::from_micros),
            client_seed_by: steps
                .client_seed_by
                .as_deref()
                .and_then(ClientSeedBy::parse),
            revealed_at: steps.revealed_at_micros.map(Timestamp::from_micros),
        })
        .collect())
}

#[derive(QueryableByName)]
struct Player {
    #[diesel(sql_type = BigInt)]
    player_id: i64,
}

/// The players whose account does not repeat their active pair or does not name their next one.
///
/// # Errors
/// If the database fails.
pub fn accounts_with_other_seeds(
    connection: &mut AnyConnection,
) -> Result<Vec<UserId>, DatabaseError> {
    let players: Vec<Player> = diesel::sql_query(
        "SELECT a.player_id FROM accounts a
         LEFT JOIN seed_pairs p ON p.id = a.seed_pair_id AND p.player_id = a.player_id
            AND p.activated_at_micros IS NOT NULL AND p.revealed_at_micros IS NULL
            AND p.server_seed_hash = a.server_seed_hash AND p.client_seed = a.client_seed
            AND p.key_id = a.seed_key_id AND p.salt = a.seed_salt
            AND COALESCE(p.mask, '') = COALESCE(a.seed_mask, '')
         LEFT JOIN seed_pairs n ON n.id = a.next_seed_pair_id AND n.player_id = a.player_id
            AND n.activated_at_micros IS NULL
         WHERE p.id IS NULL OR n.id IS NULL
         ORDER BY a.player_id",
    )
    .load(connection)?;
    Ok(players
        .into_iter()
        .map(|player| UserId::new(player.player_id))
        .collect())
}

/// A round to be replayed.
pub struct RoundToCheck {
    /// The ID of the round.
    pub id: RoundId,
    /// The round, or why it cannot be read.
    pub round: Result<Round, DatabaseError>,
    /// The stored server seed, or why it cannot be read.
    pub server_seed: Result<StoredServerSeed, DatabaseError>,
    /// The client seed; empty if its pair has none.
    pub client_seed: String,
}

/// Reads the next rounds, including open ones, in ascending order of IDs, each with its seeds. For
/// the check only. Rounds without seeds are left out.
///
/// # Errors
/// If the database fails.
pub fn rounds_after(
    connection: &mut AnyConnection,
    after: RoundId,
    limit: i64,
) -> Result<Vec<RoundToCheck>, DatabaseError> {
    let rows: Vec<(i64, RoundRow, ServerSeedRow, Option<String>)> = rounds::table
        .inner_join(seed_pairs::table)
        .filter(rounds::id.gt(after.get()))
        .order(rounds::id)
        .limit(limit)
        .select((
            rounds::id,
            RoundRow::as_select(),
            ServerSeedRow::as_select(),
            seed_pairs::client_seed,
        ))
        .load(connection)?;
    Ok(rows
        .into_iter()
        .map(|(id, round, server_seed, client_seed)| RoundToCheck {
            id: RoundId::new(id),
            round: round.try_into(),
            server_seed: server_seed.try_into(),
            client_seed: client_seed.unwrap_or_default(),
        })
        .collect())
}
