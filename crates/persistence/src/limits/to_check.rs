//! What the check reads to compare the copies in the accounts' rows with the players' limits.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable, Text};
use glasshouse_domain::{LimitKind, PlayRules, UserId};

use crate::accounts::play_rules;
use crate::connection::AnyConnection;
use crate::error::DatabaseError;
use crate::limits::records::{LimitRecords, limit_records};

/// A player's limits and exclusion, and the copy that bets are judged by.
#[derive(Debug)]
pub struct PlayRulesToCheck {
    /// The player.
    pub player: UserId,
    /// The copy in the account's row, or why it cannot be read.
    pub rules: Result<Option<Box<PlayRules>>, DatabaseError>,
    /// The records since the first day that the copy counts from, or why they cannot be read.
    pub records: Result<LimitRecords, DatabaseError>,
}

#[derive(QueryableByName)]
struct RulesRow {
    #[diesel(sql_type = BigInt)]
    player_id: i64,
    #[diesel(sql_type = Nullable<Text>)]
    play_rules: Option<String>,
}

/// Reads the next players who have limits, an exclusion or a copy of them, in ascending order of IDs.
/// Few players have any, so that each one's records are read by themselves. For the check only.
///
/// # Errors
/// If the database fails.
pub fn play_rules_after(
    connection: &mut AnyConnection,
    after: UserId,
    limit: i64,
) -> Result<Vec<PlayRulesToCheck>, DatabaseError> {
    let rows: Vec<RulesRow> = diesel::sql_query(
        "SELECT a.player_id, a.play_rules FROM accounts a
         WHERE a.player_id > $1 AND (a.play_rules IS NOT NULL
            OR EXISTS (SELECT 1 FROM player_limits l WHERE l.player_id = a.player_id)
            OR EXISTS (SELECT 1 FROM exclusions e WHERE e.player_id = a.player_id)
            OR EXISTS (SELECT 1 FROM users u
                WHERE u.id = a.player_id AND (u.closed_at_micros IS NOT NULL
                    OR u.betting_block_reason IS NOT NULL OR u.withdrawing_block_reason IS NOT NULL)))
         ORDER BY a.player_id LIMIT $2",
    )
    .bind::<BigInt, _>(after.get())
    .bind::<BigInt, _>(limit)
    .load(connection)?;
    let mut players = Vec::new();
    for row in rows {
        let player = UserId::new(row.player_id);
        let rules = play_rules::parse(row.player_id, row.play_rules.as_deref());
        let first_day = rules
            .as_ref()
            .map_or(None, |rules| first_day(rules.as_deref()));
        let records = match limit_records(connection, player, first_day.unwrap_or(i64::MAX)) {
            Err(error) if !matches!(error, DatabaseError::Corrupt(_)) => return Err(error),
            records => records,
        };
        players.push(PlayRulesToCheck {
            player,
            rules,
            records,
        });
    }
    Ok(players)
}

/// The first day that any of the counters counts from.
fn first_day(rules: Option<&PlayRules>) -> Option<i64> {
    let mut rules = rules?.clone();
    let kinds = LimitKind::ALL.iter();
    let days = kinds.filter_map(|kind| {
        let limits = rules.limits_mut(*kind)?;
        limits
            .iter()
            .map(|(_, allowance)| allowance.first_day)
            .min()
    });
    days.min()
}
