//! Alerts without what leads to them.

use glasshouse_domain::{AlertId, UserId};

use super::Fixture;

/// Raises an alert of a kind, about nobody, and returns its ID.
pub(crate) fn raise(test: &Fixture, kind: &str) -> AlertId {
    raise_about(test, kind, None)
}

/// The same about a user.
pub(crate) fn raise_about(test: &Fixture, kind: &str, user: Option<UserId>) -> AlertId {
    let now = test.house.now().as_micros();
    let user = user.map_or("NULL".to_owned(), |user| user.to_string());
    test.sql(&format!(
        "INSERT INTO alerts (kind, key, user_id, facts, is_condition, raised_at_micros)
         SELECT '{kind}', '{kind}:' || COUNT(*), {user}, '{{}}', 0, {now} FROM alerts"
    ))
    .unwrap();
    let newest = test.texts("SELECT CAST(MAX(id) AS TEXT) AS value FROM alerts");
    newest[0].parse().unwrap()
}
