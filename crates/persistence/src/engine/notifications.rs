//! What other servers on the same PostgreSQL database do to rounds that run by the clock and to
//! sessions: told by NOTIFY in the transaction that does it, heard by one thread of each server.

use std::sync::{Arc, Weak};
use std::thread;
use std::time::Duration;

use diesel::sql_types::{Array, Text};
use diesel::{PgConnection, RunQueryDsl, sql_query};
use glasshouse_domain::{RoundId, UserId};

use crate::connection::{AnyConnection, DatabaseUrl};
use crate::engine::cached_sql::{Bind as _, cached_sql};
use crate::engine::staged::Staged;
use crate::error::DatabaseError;

/// The channel of the database.
const CHANNEL: &str = "glasshouse_rounds";
/// How often the connection's own buffer is looked into; the database is not asked anything.
const POLL_INTERVAL: Duration = Duration::from_millis(20);
/// When a lost connection is made anew.
const RECONNECT_AFTER: Duration = Duration::from_secs(1);

/// A round that another server has begun or ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChangedRound {
    /// Whose it is.
    pub player: UserId,
    /// Its number.
    pub id: RoundId,
}

/// What a server hears.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// Another server has begun or ended a round.
    Round(ChangedRound),
    /// Some server, perhaps this one, has ended sessions of this user.
    SessionsEnded(UserId),
    /// The operator has opened, paused or announced a game.
    GamesChanged,
    /// The listening begins, for the first time or again: what happened before was not heard.
    Missed,
}

/// In the place of a server's name, where it does not matter whose word it is.
const SESSIONS: &str = "sessions";

/// The same for the games.
const GAMES: &str = "games";

/// What tells a server's own changes from those of the others.
#[derive(Debug, Clone)]
pub(crate) struct Origin(Arc<str>);

impl Origin {
    /// A name that no other open database has: the process, and how many were opened before.
    pub(crate) fn new() -> Self {
        use std::hash::{BuildHasher, RandomState};
        Self(format!("{:016x}", RandomState::new().hash_one(std::process::id())).into())
    }
}

/// Tells the others, at the commit, of the rounds that run by the clock.
pub(crate) fn notify(
    connection: &mut PgConnection,
    staged: &Staged,
    origin: &Origin,
) -> Result<(), DatabaseError> {
    let began = staged.rounds.iter().filter(|staged| staged.is_announced);
    let ended = staged.settlements.iter().map(|staged| &staged.round);
    // What ends by itself was announced when it began.
    let ended = ended.filter(|round| round.due_at.is_some());
    let payloads: Vec<String> = began
        .map(|staged| &staged.round)
        .chain(ended)
        .map(|round| format!("{}:{}:{}", origin.0, round.player, round.id))
        .collect();
    if payloads.is_empty() {
        return Ok(());
    }
    cached_sql("SELECT pg_notify('glasshouse_rounds', payload) FROM unnest(?) AS payload")
        .bind::<Array<Text>, _>(payloads)
        .execute(connection)?;
    Ok(())
}

/// Tells all servers, at the commit, that sessions of the user have ended. On SQLite there are no
/// others.
pub(crate) fn notify_sessions_ended(
    connection: &mut AnyConnection,
    user: UserId,
) -> Result<(), DatabaseError> {
    let AnyConnection::Postgres(connection) = connection else {
        return Ok(());
    };
    sql_query("SELECT pg_notify('glasshouse_rounds', $1)")
        .bind::<Text, _>(format!("{SESSIONS}:{user}"))
        .execute(connection)?;
    Ok(())
}

/// Tells all servers, at the commit, that the status of a game was changed. On SQLite there are no
/// others.
pub(crate) fn notify_games_changed(connection: &mut AnyConnection) -> Result<(), DatabaseError> {
    let AnyConnection::Postgres(connection) = connection else {
        return Ok(());
    };
    sql_query("SELECT pg_notify('glasshouse_rounds', $1)")
        .bind::<Text, _>(GAMES)
        .execute(connection)?;
    Ok(())
}

fn parse(payload: &str, own: &Origin) -> Option<Change> {
    if payload == GAMES {
        return Some(Change::GamesChanged);
    }
    let mut parts = payload.split(':');
    let (origin, player) = (parts.next()?, parts.next()?);
    let player = UserId::new(player.parse().ok()?);
    if origin == SESSIONS {
        return Some(Change::SessionsEnded(player));
    }
    (origin != &*own.0).then_some(())?;
    let id = parts.next()?.parse().ok()?;
    Some(Change::Round(ChangedRound { player, id }))
}

/// Starts the thread that hears of other servers' changes, until `alive` is gone. On SQLite there
/// are no other servers.
pub(crate) fn listen<T: Send + Sync + 'static>(
    url: &DatabaseUrl,
    origin: Origin,
    alive: Weak<T>,
    heard: impl Fn(Change) + Send + 'static,
) -> Result<(), std::io::Error> {
    if matches!(url, DatabaseUrl::Sqlite(_)) {
        return Ok(());
    }
    let url = url.clone();
    thread::Builder::new()
        .name("listener".to_owned())
        .spawn(move || {
            while alive.strong_count() > 0 {
                if let Err(error) = hear(&url, &origin, &alive, &heard) {
                    tracing::warn!(%error, "other servers are not heard; trying again");
                    thread::sleep(RECONNECT_AFTER);
                }
            }
        })?;
    Ok(())
}

fn hear<T>(
    url: &DatabaseUrl,
    origin: &Origin,
    alive: &Weak<T>,
    heard: &impl Fn(Change),
) -> Result<(), DatabaseError> {
    let AnyConnection::Postgres(mut connection) = url.connect()? else {
        return Ok(());
    };
    sql_query(format!("LISTEN {CHANNEL}")).execute(&mut connection)?;
    heard(Change::Missed);
    while alive.strong_count() > 0 {
        for notification in connection.notifications_iter() {
            if let Some(changed) = parse(&notification?.payload, origin) {
                heard(changed);
            }
        }
        thread::sleep(POLL_INTERVAL);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_others_are_heard_and_nonsense_is_not() {
        let (own, other) = (Origin("a".into()), Origin("b".into()));
        let changed = Change::Round(ChangedRound {
            player: UserId::new(7),
            id: RoundId::new(9),
        });
        assert_eq!(parse("a:7:9", &other), Some(changed));
        let ended = Change::SessionsEnded(UserId::new(7));
        assert_eq!(parse("sessions:7", &own), Some(ended));
        for payload in [
            "a:7:9",
            "",
            "b",
            "b:7",
            "b:x:9",
            "b:7:x",
            "sessions",
            "sessions:x",
        ] {
            assert_eq!(parse(payload, &own), None, "{payload}");
        }
    }
}
