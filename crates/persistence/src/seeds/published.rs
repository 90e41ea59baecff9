//! What players see of their seed pairs: the state of the pairs in use, and the former pairs.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};
use glasshouse_domain::{ClientSeedBy, SeedPairId, Timestamp, UserId};

use crate::accounts::account::unsigned;
use crate::connection::AnyConnection;
use crate::error::DatabaseError;
use crate::page::Page;
use crate::seeds::stored::stored_client_seed_by;

/// A revealed seed pair.
#[derive(Debug, Clone)]
pub struct FormerSeedPair {
    /// The ID of the pair.
    pub id: SeedPairId,
    /// The revealed server seed.
    pub server_seed: String,
    /// The hash that was published before the client seed was chosen.
    pub server_seed_hash: String,
    /// The client seed.
    pub client_seed: String,
    /// Who chose the client seed.
    pub client_seed_by: ClientSeedBy,
    /// The number of rounds played with the pair.
    pub rounds: u64,
    /// When the house committed to the server seed.
    pub committed_at: Timestamp,
    /// When the pair became active.
    pub activated_at: Timestamp,
    /// When the server seed was revealed.
    pub revealed_at: Timestamp,
}

#[derive(QueryableByName)]
struct FormerRow {
    #[diesel(sql_type = BigInt)]
    id: i64,
    #[diesel(sql_type = Text)]
    server_seed: String,
    #[diesel(sql_type = Text)]
    server_seed_hash: String,
    #[diesel(sql_type = Text)]
    client_seed: String,
    #[diesel(sql_type = Text)]
    client_seed_by: String,
    #[diesel(sql_type = BigInt)]
    rounds: i64,
    #[diesel(sql_type = BigInt)]
    committed_at_micros: i64,
    #[diesel(sql_type = BigInt)]
    activated_at_micros: i64,
    #[diesel(sql_type = BigInt)]
    revealed_at_micros: i64,
}

impl TryFrom<FormerRow> for FormerSeedPair {
    type Error = DatabaseError;

    fn try_from(row: FormerRow) -> Result<Self, DatabaseError> {
        Ok(Self {
            id: SeedPairId::new(row.id),
            server_seed: row.server_seed,
            server_seed_hash: row.server_seed_hash,
            client_seed: row.client_seed,
            client_seed_by: stored_client_seed_by(Some(&row.client_seed_by))?,
            rounds: unsigned(row.rounds, "number of rounds")?,
            committed_at: Timestamp::from_micros(row.committed_at_micros),
            activated_at: Timestamp::from_micros(row.activated_at_micros),
            revealed_at: Timestamp::from_micros(row.revealed_at_micros),
        })
    }
}

/// The nonces of a pair have no gaps, so that the highest one tells the number of rounds: one index
/// look-up, however many rounds there are. Only the index on player and ID has the order of both
/// columns ([ADR 10](../../../../docs/adr/0010-plans-do-not-depend-on-when-they-were-made.md)).
const FORMER_PAIRS: &str = "SELECT p.id, p.server_seed, p.server_seed_hash, p.client_seed,
        p.client_seed_by, p.committed_at_micros, p.activated_at_micros, p.revealed_at_micros,
        COALESCE((SELECT MAX(r.nonce) + 1 FROM rounds r WHERE r.seed_pair_id = p.id), 0) AS rounds
    FROM seed_pairs p
    WHERE (p.player_id, p.id) < ($1, $2) AND p.player_id >= $1 AND p.revealed_at_micros IS NOT NULL
    ORDER BY p.player_id DESC, p.id DESC LIMIT $3";

/// Reads a page of a player's revealed pairs, newest first, after the pair `after`.
///
/// # Errors
/// If the database fails.
pub fn former_seed_pairs(
    connection: &mut AnyConnection,
    player: UserId,
    after: Option<SeedPairId>,
    limit: usize,
) -> Result<Page<FormerSeedPair, SeedPairId>, DatabaseError> {
    let rows: Vec<FormerRow> = diesel::sql_query(FORMER_PAIRS)
        .bind::<BigInt, _>(player.get())
        .bind::<BigInt, _>(after.map_or(i64::MAX, SeedPairId::get))
        .bind::<BigInt, _>(i64::try_from(limit).unwrap_or(i64::MAX))
        .load(connection)?;
    Page::of(rows, limit, |pair: &FormerSeedPair| pair.id)
}

/// The published part of a player's seed pairs.
#[derive(Debug, Clone)]
pub struct SeedState {
    /// The hash of the active server seed.
    pub server_seed_hash: String,
    /// The client seed of the active pair.
    pub client_seed: String,
    /// Who chose that client seed.
    pub client_seed_by: ClientSeedBy,
    /// The nonce of the next round.
    pub next_nonce: u64,
    /// The hash of the server seed that the next rotation activates.
    pub next_server_seed_hash: String,
}

#[derive(QueryableByName)]
struct StateRow {
    #[diesel(sql_type = Text)]
    server_seed_hash: String,
    #[diesel(sql_type = Text)]
    client_seed: String,
    #[diesel(sql_type = Text)]
    client_seed_by: String,
    #[diesel(sql_type = BigInt)]
    next_nonce: i64,
    #[diesel(sql_type = Text)]
    next_server_seed_hash: String,
}

/// Reads what is published of a player's active and next pair.
///
/// # Errors
/// If the database fails.
pub fn seed_state(
    connection: &mut AnyConnection,
    player: UserId,
) -> Result<SeedState, DatabaseError> {
    let row: StateRow = diesel::sql_query(
        "SELECT a.server_seed_hash, a.client_seed, p.client_seed_by, a.next_nonce,
            n.server_seed_hash AS next_server_seed_hash
         FROM accounts a
         JOIN seed_pairs p ON p.id = a.seed_pair_id
         JOIN seed_pairs n ON n.id = a.next_seed_pair_id
         WHERE a.player_id = $1",
    )
    .bind::<BigInt, _>(player.get())
    .get_result(connection)?;
    Ok(SeedState {
        server_seed_hash: row.server_seed_hash,
        client_seed: row.client_seed,
        client_seed_by: stored_client_seed_by(Some(&row.client_seed_by))?,
        next_nonce: unsigned(row.next_nonce, "nonce")?,
        next_server_seed_hash: row.next_server_seed_hash,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query_plan::plan;

    #[test]
    fn a_page_of_former_pairs_reads_one_index_range() {
        let found = plan(FORMER_PAIRS);
        assert!(found.contains("USING INDEX seed_pairs_revealed"), "{found}");
        assert!(
            found.contains("USING COVERING INDEX rounds_nonce"),
            "{found}"
        );
        assert!(
            !found.contains("SCAN") && !found.contains("TEMP B-TREE"),
            "{found}"
        );
    }
}
