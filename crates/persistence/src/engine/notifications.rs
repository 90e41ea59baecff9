//! Notifications between servers on the same PostgreSQL database about timed rounds, sessions and
//! settings. They are sent with NOTIFY in the transaction that makes the change, and received by one
//! thread per server.

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

/// The notification channel.
const CHANNEL: &str = "glasshouse_rounds";
/// The interval for checking the connection's receive buffer. This sends nothing to the database.
const POLL_INTERVAL: Duration = Duration::from_millis(20);
/// The delay before reconnecting.
const RECONNECT_AFTER: Duration = Duration::from_secs(1);

/// A round that another server has started or ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChangedRound {
    /// The player's ID.
    pub player: UserId,
    /// The round's ID.
    pub id: RoundId,
}

/// A change that a server is notified of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// Another server has started or ended a round.
    Round(ChangedRound),
    /// A server, possibly this one, has ended sessions of this user.
    SessionsEnded(UserId),
    /// A switch of the house, or the status of a game, was changed.
    SettingsChanged,
    /// Listening has started, or restarted after a failure. Earlier changes may have been missed.
    Missed,
}

/// Replaces the instance ID in notifications that every server must process, including the sender.
const SESSIONS: &str = "sessions";

/// The payload for changed settings.
const SETTINGS: &str = "settings";

/// Identifies the server that sent a notification, so that it can ignore its own.
#[derive(Debug, Clone)]
pub(crate) struct InstanceId(Arc<str>);

impl InstanceId {
    /// Generates an ID that is unique among all open databases.
    pub(crate) fn new() -> Self {
        use std::hash::{BuildHasher, RandomState};
        Self(format!("{:016x}", RandomState::new().hash_one(std::process::id())).into())
    }
}

/// Notifies other servers, at the commit, of timed rounds that were started or ended.
pub(crate) fn notify(
    connection: &mut PgConnection,
    staged: &Staged,
    instance: &InstanceId,
) -> Result<(), DatabaseError> {
    let began = staged.rounds.iter().filter(|staged| staged.is_announced);
    let ended = staged.settlements.iter().map(|staged| &staged.round);
    // Only timed rounds are announced at their start, so only their ends are announced.
    let ended = ended.filter(|round| round.due_at.is_some());
    let payloads: Vec<String> = began
        .map(|staged| &staged.round)
        .chain(ended)
        .map(|round| format!("{}:{}:{}", instance.0, round.player, round.id))
        .collect();
    if payloads.is_empty() {
        return Ok(());
    }
    cached_sql!("SELECT pg_notify('glasshouse_rounds', payload) FROM unnest(?) AS payload")
        .bind::<Array<Text>, _>(payloads)
        .execute(connection)?;
    Ok(())
}

/// Notifies all servers, at the commit, that sessions of the user have ended. Does nothing on
/// SQLite, which has no other servers.
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

/// Notifies all servers, at the commit, that a setting has changed. Does nothing on
/// SQLite, which has no other servers.
pub(crate) fn notify_settings_changed(connection: &mut AnyConnection) -> Result<(), DatabaseError> {
    let AnyConnection::Postgres(connection) = connection else {
        return Ok(());
    };
    sql_query("SELECT pg_notify('glasshouse_rounds', $1)")
        .bind::<Text, _>(SETTINGS)
        .execute(connection)?;
    Ok(())
}

fn parse(payload: &str, own: &InstanceId) -> Option<Change> {
    if payload == SETTINGS {
        return Some(Change::SettingsChanged);
    }
    let mut parts = payload.split(':');
    let (instance, player) = (parts.next()?, parts.next()?);
    let player = UserId::new(player.parse().ok()?);
    if instance == SESSIONS {
        return Some(Change::SessionsEnded(player));
    }
    (instance != &*own.0).then_some(())?;
    let id = parts.next()?.parse().ok()?;
    Some(Change::Round(ChangedRound { player, id }))
}

/// Starts the thread that receives notifications until `alive` is dropped. Does nothing on SQLite,
/// which has no other servers.
pub(crate) fn listen<T: Send + Sync + 'static>(
    url: &DatabaseUrl,
    instance: InstanceId,
    alive: Weak<T>,
    on_change: impl Fn(Change) + Send + 'static,
) -> Result<(), std::io::Error> {
    if matches!(url, DatabaseUrl::Sqlite(_)) {
        return Ok(());
    }
    let url = url.clone();
    thread::Builder::new()
        .name("listener".to_owned())
        .spawn(move || {
            while alive.strong_count() > 0 {
                if let Err(error) = receive(&url, &instance, &alive, &on_change) {
                    tracing::warn!(%error, "cannot listen for notifications; reconnecting");
                    thread::sleep(RECONNECT_AFTER);
                }
            }
        })?;
    Ok(())
}

fn receive<T>(
    url: &DatabaseUrl,
    instance: &InstanceId,
    alive: &Weak<T>,
    on_change: &impl Fn(Change),
) -> Result<(), DatabaseError> {
    let AnyConnection::Postgres(mut connection) = url.connect()? else {
        return Ok(());
    };
    sql_query(format!("LISTEN {CHANNEL}")).execute(&mut connection)?;
    on_change(Change::Missed);
    while alive.strong_count() > 0 {
        for notification in connection.notifications_iter() {
            if let Some(changed) = parse(&notification?.payload, instance) {
                on_change(changed);
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
    fn own_and_malformed_notifications_are_ignored() {
        let (own, other) = (InstanceId("a".into()), InstanceId("b".into()));
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
