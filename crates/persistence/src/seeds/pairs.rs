//! The steps of a seed pair: committed, activated with a client seed, revealed. The database's
//! triggers allow no others.

use std::time::Duration;

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable, Text};
use glasshouse_domain::{ClientSeedBy, SeedPairId, Timestamp, UserId};

use crate::accounts::account::{Account, ActiveSeedPair};
use crate::connection::AnyConnection;
use crate::engine::transaction::Transaction;
use crate::error::DatabaseError;
use crate::schema::{accounts, seed_pairs};
use crate::seeds::stored::{
    SeedCommitment, ServerSeedRow, StoredServerSeed, active_client_seed, stored_client_seed_by,
};

/// A step happens strictly after the ones before it, on any server's clock.
const STEP: Duration = Duration::from_micros(1);

/// The pairs of a new player: one to play with, and the commitment to the next one.
#[derive(Debug, Clone)]
pub struct FirstSeedPairs {
    /// The commitment of the first pair.
    pub active: SeedCommitment,
    /// The house's client seed, until the player chooses another one.
    pub client_seed: String,
    /// The commitment of the next pair.
    pub next: SeedCommitment,
}

/// A pair that is committed to but has no client seed yet.
#[derive(Debug, Clone)]
pub struct NextSeedPair {
    /// The ID of the pair.
    pub id: SeedPairId,
    /// The commitment to its server seed.
    pub commitment: SeedCommitment,
}

/// A player's two pairs that are not revealed, as far as the account does not repeat them.
#[derive(Debug, Clone)]
pub struct UnrevealedPairs {
    /// Who chose the client seed of the active pair.
    pub client_seed_by: ClientSeedBy,
    /// The next pair.
    pub next: NextSeedPair,
    /// The earliest time for the next step of either pair.
    not_before: Timestamp,
}

/// The activation of the next pair.
#[derive(Debug, Clone)]
pub struct SeedRotation<'r> {
    /// The player's client seed for the pair that becomes active.
    pub client_seed: &'r str,
    /// The commitment to the pair after it.
    pub next: &'r SeedCommitment,
    /// The time of the rotation.
    pub at: Timestamp,
}

/// The columns of a pair that is not revealed.
#[derive(Queryable, Selectable)]
#[diesel(table_name = seed_pairs)]
struct UnrevealedRow {
    committed_at_micros: i64,
    client_seed_by: Option<String>,
    client_seed_at_micros: Option<i64>,
}

/// The ID of an inserted row, as returned by RETURNING.
#[derive(QueryableByName)]
struct NewId {
    #[diesel(sql_type = BigInt)]
    id: i64,
}

impl UnrevealedPairs {
    /// The time of the next step of either pair, if it is taken now. A step is always later than the
    /// ones before it, even if the clock is not.
    #[must_use]
    pub fn next_step_at(&self, now: Timestamp) -> Timestamp {
        now.max(self.not_before)
    }
}

impl Transaction<'_, '_> {
    /// Reads the account's pairs that are not revealed.
    ///
    /// # Errors
    /// If the database fails.
    pub fn unrevealed_pairs(
        &mut self,
        account: &Account,
    ) -> Result<UnrevealedPairs, DatabaseError> {
        let (active, next) = (account.seeds.id, account.seeds.next);
        self.execute(|connection| read_unrevealed_pairs(connection, active, next))
    }

    /// Reveals the active pair, activates the next one with the player's client seed, and commits
    /// to another one. Returns the revealed server seed. The account must be saved afterwards.
    ///
    /// # Errors
    /// If the server seed cannot be derived, or the database fails.
    pub fn rotate_seed_pair(
        &mut self,
        account: &mut Account,
        pairs: UnrevealedPairs,
        rotation: &SeedRotation<'_>,
    ) -> Result<String, DatabaseError> {
        let server_seed = self.keys().seeds.server_seed(&account.seeds.commitment)?;
        let player = account.player;
        let revealed = account.seeds.id;
        let at = pairs.next_step_at(rotation.at);
        let active = pairs.next;
        let next = self.execute(|connection| {
            diesel::update(seed_pairs::table.find(revealed.get()))
                .set((
                    seed_pairs::server_seed.eq(&server_seed),
                    seed_pairs::revealed_at_micros.eq(at.as_micros()),
                ))
                .execute(connection)?;
            let client_seed = (rotation.client_seed, ClientSeedBy::Player);
            activate(connection, active.id, client_seed, at)?;
            let next = commit(connection, player, rotation.next, at)?;
            diesel::update(accounts::table.find(player.get()))
                .set((
                    accounts::seed_pair_id.eq(active.id.get()),
                    accounts::next_seed_pair_id.eq(next.get()),
                    accounts::server_seed_hash.eq(&active.commitment.hash),
                    accounts::seed_key_id.eq(&active.commitment.key_id),
                    accounts::seed_salt.eq(&active.commitment.salt),
                    accounts::seed_mask.eq(&active.commitment.mask),
                    accounts::client_seed.eq(rotation.client_seed),
                    accounts::next_nonce.eq(0),
                ))
                .execute(connection)?;
            Ok(next)
        })?;
        account.seeds = ActiveSeedPair {
            id: active.id,
            next,
            commitment: active.commitment,
            client_seed: rotation.client_seed.to_owned(),
            next_nonce: 0,
        };
        Ok(server_seed)
    }

    /// Replaces the client seed of the active pair, which no round was played with, by the
    /// player's. The account must be saved afterwards.
    ///
    /// # Errors
    /// If the database fails, or if a round was played with the pair.
    pub fn set_client_seed(
        &mut self,
        account: &mut Account,
        pairs: &UnrevealedPairs,
        client_seed: &str,
        at: Timestamp,
    ) -> Result<(), DatabaseError> {
        let (player, active) = (account.player, account.seeds.id);
        let at = pairs.next_step_at(at);
        self.execute(|connection| {
            diesel::update(seed_pairs::table.find(active.get()))
                .set((
                    seed_pairs::client_seed.eq(client_seed),
                    seed_pairs::client_seed_by.eq(ClientSeedBy::Player.as_str()),
                    seed_pairs::client_seed_at_micros.eq(at.as_micros()),
                ))
                .execute(connection)?;
            diesel::update(accounts::table.find(player.get()))
                .set(accounts::client_seed.eq(client_seed))
                .execute(connection)?;
            Ok(())
        })?;
        client_seed.clone_into(&mut account.seeds.client_seed);
        Ok(())
    }

    /// The stored server seed and the client seed of an active or revealed pair.
    ///
    /// # Errors
    /// If the database fails.
    pub fn seeds_of_pair(
        &mut self,
        pair: SeedPairId,
    ) -> Result<(StoredServerSeed, String), DatabaseError> {
        self.execute(|connection| {
            let (server_seed, client_seed): (ServerSeedRow, Option<String>) = seed_pairs::table
                .find(pair.get())
                .select((ServerSeedRow::as_select(), seed_pairs::client_seed))
                .get_result(connection)?;
            Ok((server_seed.try_into()?, active_client_seed(client_seed)?))
        })
    }
}

fn read_unrevealed_pairs(
    connection: &mut AnyConnection,
    active: SeedPairId,
    next: SeedPairId,
) -> Result<UnrevealedPairs, DatabaseError> {
    let active: UnrevealedRow = seed_pairs::table
        .find(active.get())
        .select(UnrevealedRow::as_select())
        .get_result(connection)?;
    let (next_row, next_seed): (UnrevealedRow, ServerSeedRow) = seed_pairs::table
        .find(next.get())
        .select((UnrevealedRow::as_select(), ServerSeedRow::as_select()))
        .get_result(connection)?;
    let StoredServerSeed::Committed(commitment) = next_seed.try_into()? else {
        let message = format!("the next seed pair {next} is already revealed");
        return Err(DatabaseError::corrupt(message));
    };
    let after = |micros| Timestamp::from_micros(micros).saturating_add(STEP);
    let client_seed_at = active.client_seed_at_micros.unwrap_or_default();
    Ok(UnrevealedPairs {
        client_seed_by: stored_client_seed_by(active.client_seed_by.as_deref())?,
        next: NextSeedPair {
            id: next,
            commitment,
        },
        not_before: after(active.committed_at_micros)
            .max(after(next_row.committed_at_micros))
            .max(after(client_seed_at)),
    })
}

/// Adds the pairs of a new player. Returns the IDs of the active and the next pair.
pub(crate) fn add_first_pairs(
    connection: &mut AnyConnection,
    player: UserId,
    pairs: &FirstSeedPairs,
    at: Timestamp,
) -> Result<(SeedPairId, SeedPairId), DatabaseError> {
    let active = commit(connection, player, &pairs.active, at)?;
    let client_seed = (pairs.client_seed.as_str(), ClientSeedBy::House);
    activate(connection, active, client_seed, at)?;
    let next = commit(connection, player, &pairs.next, at)?;
    Ok((active, next))
}

/// Adds a next pair.
fn commit(
    connection: &mut AnyConnection,
    player: UserId,
    commitment: &SeedCommitment,
    at: Timestamp,
) -> Result<SeedPairId, DatabaseError> {
    let inserted: NewId = diesel::sql_query(
        "INSERT INTO seed_pairs (player_id, server_seed_hash, key_id, salt, mask, committed_at_micros)
         VALUES ($1, $2, $3, $4, $5, $6) RETURNING id",
    )
    .bind::<BigInt, _>(player.get())
    .bind::<Text, _>(&commitment.hash)
    .bind::<Text, _>(&commitment.key_id)
    .bind::<Text, _>(&commitment.salt)
    .bind::<Nullable<Text>, _>(&commitment.mask)
    .bind::<BigInt, _>(at.as_micros())
    .get_result(connection)?;
    Ok(SeedPairId::new(inserted.id))
}

fn activate(
    connection: &mut AnyConnection,
    pair: SeedPairId,
    (client_seed, by): (&str, ClientSeedBy),
    at: Timestamp,
) -> Result<(), DatabaseError> {
    diesel::update(seed_pairs::table.find(pair.get()))
        .set((
            seed_pairs::client_seed.eq(client_seed),
            seed_pairs::client_seed_by.eq(by.as_str()),
            seed_pairs::client_seed_at_micros.eq(at.as_micros()),
            seed_pairs::activated_at_micros.eq(at.as_micros()),
        ))
        .execute(connection)?;
    Ok(())
}
