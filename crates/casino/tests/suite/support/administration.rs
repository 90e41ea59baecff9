//! Administrators, and the audit log of their actions.

use glasshouse_casino::administration::{
    AdminContext, InitialPassword, create_administrator, list, set_game_status,
};
use glasshouse_casino::{AuditQuery, IdempotencyKey};
use glasshouse_domain::{Game, GameStatus, Role, UserId};

use super::Fixture;

pub(crate) const PASSWORD: &str = "c4reful-hands-of-a-keeper";

pub(crate) async fn administrator(test: &Fixture, name: &str) -> UserId {
    let password = InitialPassword::Chosen(PASSWORD.to_owned());
    create_administrator(&test.house, name, password, Role::Owner)
        .await
        .unwrap()
}

pub(crate) fn context(administrator: UserId) -> AdminContext {
    AdminContext {
        administrator,
        address: Some("192.0.2.7".to_owned()),
        key: None,
    }
}

/// The same, with an idempotency key.
pub(crate) fn keyed(administrator: UserId, key: &str) -> AdminContext {
    AdminContext {
        key: Some(IdempotencyKey::parse(key).unwrap()),
        ..context(administrator)
    }
}

/// Opens mines, which is announced in a new house.
pub(crate) async fn open_mines(test: &Fixture) {
    let boss = context(administrator(test, "boss").await);
    let opened = (GameStatus::Open, "it is tested");
    set_game_status(&test.house, boss, Game::Mines, opened)
        .await
        .unwrap();
}

/// The actions in the audit log, newest first.
pub(crate) async fn audit_actions(test: &Fixture) -> Vec<String> {
    let query = AuditQuery {
        limit: 50,
        ..AuditQuery::default()
    };
    let page = list(&test.house, query).await.unwrap();
    page.entries
        .into_iter()
        .map(|entry| entry.record.action)
        .collect()
}
