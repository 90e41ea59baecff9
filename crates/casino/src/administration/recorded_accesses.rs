//! The personal data that administrators were shown lately, so that the same access is not recorded again.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use glasshouse_domain::{Timestamp, UserId};

/// For how long the same data may be shown to the same administrator without another record.
const RECORD_PERIOD: Duration = Duration::from_hours(1);

/// Who was shown what: pages of one list and repeated requests are the same access.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Access {
    pub(crate) administrator: UserId,
    /// A session that is used from another place is another access.
    pub(crate) address: Option<String>,
    pub(crate) list: &'static str,
    pub(crate) person: Option<UserId>,
}

/// The accesses that this server has recorded within the last period.
#[derive(Debug, Default)]
pub(crate) struct RecordedAccesses {
    recent: Mutex<HashMap<Access, Timestamp>>,
    /// Held while a record is written, so that requests at once write one record and are all answered
    /// after it.
    pub(crate) writing: tokio::sync::Mutex<()>,
}

impl RecordedAccesses {
    fn recent(&self) -> MutexGuard<'_, HashMap<Access, Timestamp>> {
        // Each change of the map is a single call, so a panic leaves it usable.
        self.recent.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn contains(&self, access: &Access, at: Timestamp) -> bool {
        let recent = self.recent();
        recent.get(access).is_some_and(|then| is_recent(*then, at))
    }

    pub(crate) fn add(&self, access: Access, at: Timestamp) {
        let mut recent = self.recent();
        recent.retain(|_, then| is_recent(*then, at));
        recent.insert(access, at);
    }
}

fn is_recent(then: Timestamp, at: Timestamp) -> bool {
    at.saturating_since(then) < RECORD_PERIOD
}

#[cfg(test)]
mod tests {
    use super::*;

    fn access(list: &'static str, person: Option<i64>) -> Access {
        Access {
            administrator: UserId::new(1),
            address: None,
            list,
            person: person.map(UserId::new),
        }
    }

    #[test]
    fn an_access_is_remembered_for_an_hour_and_then_forgotten() {
        let recorded = RecordedAccesses::default();
        let start = Timestamp::from_micros(0);
        let later = |duration| start.saturating_add(duration);
        recorded.add(access("users", None), start);
        let almost = later(RECORD_PERIOD.saturating_sub(Duration::from_micros(1)));
        assert!(recorded.contains(&access("users", None), almost));
        assert!(!recorded.contains(&access("users", Some(2)), almost));
        assert!(!recorded.contains(&access("deposits", None), almost));
        assert!(!recorded.contains(&access("users", None), later(RECORD_PERIOD)));
        recorded.add(access("deposits", None), later(RECORD_PERIOD));
        assert_eq!(recorded.recent().len(), 1);
    }
}
