//! What happened with one player, merged from all kinds, and the figures that sum the player up.

use std::cmp::Reverse;

use glasshouse_domain::{Permission, Role, TimelineKind, UserId};
use glasshouse_persistence::admin::{
    Period, PlayerFigures, TimelineEvent, TimelinePlace, TimelineRange, UserEntry,
};
use glasshouse_persistence::{Page, queries};

use crate::error::{CasinoError, Refusal};
use crate::house::House;
use crate::limits::{Limits, read_limits};

/// Selects a page of a player's timeline.
#[derive(Debug, Clone)]
pub struct TimelineQuery {
    /// The player.
    pub player: UserId,
    /// The kinds to include.
    pub kinds: Vec<TimelineKind>,
    /// Only what happened in this period.
    pub period: Period,
    /// The place to continue from; `None` for the newest.
    pub after: Option<TimelinePlace>,
    /// The maximum number of events.
    pub limit: usize,
}

/// Everything that sums up one player.
#[derive(Debug)]
pub struct PlayerOverview {
    /// The user and the wallet.
    pub entry: UserEntry,
    /// What the player has moved, and what waits for a decision.
    pub figures: PlayerFigures,
    /// The player's own limits, exclusion and reality check.
    pub limits: Limits,
}

/// The kinds of events that a role may be shown.
#[must_use]
pub fn kinds_shown_to(role: Role) -> Vec<TimelineKind> {
    let kinds = TimelineKind::ALL.iter().copied();
    kinds
        .filter(|kind| *kind != TimelineKind::Security || role.may(Permission::ReadSecurityEvents))
        .collect()
}

/// Reads a page of what happened with a player, newest first.
///
/// # Errors
/// [`Refusal::NotFound`], or if the database fails.
pub async fn read_timeline(
    house: &House,
    query: TimelineQuery,
) -> Result<Page<TimelineEvent, TimelinePlace>, CasinoError> {
    let page = house
        .database
        .read::<_, CasinoError, _>(move |connection| {
            if queries::user(connection, query.player)?.is_none() {
                return Ok(None);
            }
            let range = TimelineRange {
                player: query.player,
                period: query.period,
                after: query.after,
                // One more than requested, to determine if there is more.
                limit: query.limit.saturating_add(1),
            };
            let mut found = Vec::new();
            for kind in &query.kinds {
                found.extend(queries::timeline_events(connection, *kind, &range)?);
            }
            Ok(Some(newest(found, query.limit, TimelineEvent::place)))
        })
        .await?;
    page.ok_or_else(|| Refusal::NotFound.into())
}

/// The newest `limit` of some events, in the order of the timeline. If it gets at least one more of a kind than
/// `limit`, if there are so many, it knows whether there is another page.
fn newest<T>(
    mut found: Vec<T>,
    limit: usize,
    place: impl Fn(&T) -> TimelinePlace,
) -> Page<T, TimelinePlace> {
    found.sort_by_key(|event| Reverse(place(event)));
    let has_more = found.len() > limit;
    found.truncate(limit);
    Page {
        next: found.last().filter(|_| has_more).map(place),
        entries: found,
    }
}

/// Reads what sums up a player.
///
/// # Errors
/// [`Refusal::NotFound`], or if the database fails.
pub async fn read_player(house: &House, player: UserId) -> Result<PlayerOverview, CasinoError> {
    let (entry, figures) = house
        .database
        .read::<_, CasinoError, _>(move |connection| {
            let entry = queries::user_entry(connection, player)?;
            Ok((entry, queries::player_figures(connection, player)?))
        })
        .await?;
    let entry = entry.ok_or(Refusal::NotFound)?;
    Ok(PlayerOverview {
        entry,
        figures,
        limits: read_limits(house, player).await?,
    })
}

#[cfg(test)]
mod tests {
    use glasshouse_domain::Timestamp;

    use super::*;

    fn place(at: i64, kind: TimelineKind, id: i64) -> TimelinePlace {
        TimelinePlace {
            at: Timestamp::from_micros(at),
            kind,
            id,
        }
    }

    /// Each kind in its own order, as the database returns it: three events of each, all of them in two
    /// microseconds.
    fn events() -> Vec<TimelinePlace> {
        let of_kind = |kind: &TimelineKind| {
            let kind = *kind;
            [(2, 3), (2, 1), (1, 2)].map(|(at, id)| place(at, kind, id))
        };
        TimelineKind::ALL.iter().flat_map(of_kind).collect()
    }

    #[test]
    fn pages_of_any_size_have_every_event_once_and_in_order() {
        let mut expected = events();
        expected.sort_by(|one, other| other.cmp(one));
        for limit in 1..=expected.len() + 1 {
            let mut shown = Vec::new();
            let mut after: Option<TimelinePlace> = None;
            loop {
                let mut found = Vec::new();
                for kind in TimelineKind::ALL {
                    let of_kind = events().into_iter().filter(|event| event.kind == *kind);
                    let older = of_kind.filter(|event| after.is_none_or(|after| *event < after));
                    found.extend(older.take(limit + 1));
                }
                let page = newest(found, limit, |event| *event);
                assert!(page.entries.len() <= limit);
                shown.extend(page.entries);
                after = page.next;
                if after.is_none() {
                    break;
                }
            }
            assert_eq!(shown, expected, "pages of {limit}");
        }
    }

    #[test]
    fn a_full_last_page_has_no_next_one() {
        let two = || {
            vec![
                place(1, TimelineKind::Round, 1),
                place(2, TimelineKind::Round, 2),
            ]
        };
        assert_eq!(newest(two(), 2, |event| *event).next, None);
        let first = newest(two(), 1, |event| *event);
        assert_eq!(first.entries, [place(2, TimelineKind::Round, 2)]);
        assert_eq!(first.next, Some(place(2, TimelineKind::Round, 2)));
        assert_eq!(
            newest(Vec::new(), 1, |event: &TimelinePlace| *event).next,
            None
        );
    }

    #[test]
    fn sign_ins_are_shown_to_those_who_may_read_them() {
        for role in Role::ALL {
            let is_shown = kinds_shown_to(*role).contains(&TimelineKind::Security);
            assert_eq!(is_shown, role.may(Permission::ReadSecurityEvents));
        }
        assert_eq!(kinds_shown_to(Role::Owner), TimelineKind::ALL);
    }
}
