//! Notes about players, and the end of their sessions by administrators.

use glasshouse_casino::accounts::{SessionKeyHash, find_session, open_session, read_sessions};
use glasshouse_casino::administration::{AdminContext, add_player_note, end_sessions_of_user};
use glasshouse_casino::{House, Refusal};
use glasshouse_domain::UserId;
use glasshouse_persistence::accounts::RequestOrigin;
use rstest_reuse::apply;

use crate::support::administration::{administrator, context};
use crate::support::{Fixture, assert_refused, both_databases, key};

async fn session(house: &House, user: UserId) -> SessionKeyHash {
    let key = open_session(house, user, RequestOrigin::default()).await;
    SessionKeyHash::of(&key.unwrap())
}

async fn is_open(house: &House, session: &SessionKeyHash) -> bool {
    find_session(house, session.clone())
        .await
        .unwrap()
        .is_some()
}

#[apply(both_databases)]
async fn a_note_is_a_record_that_cannot_be_changed(#[case] test: &Fixture) {
    let house = &test.house;
    let boss = administrator(test, "boss").await;
    let player = test.player("player", 0).await;
    let once = AdminContext {
        key: Some(key("once")),
        ..context(boss)
    };
    for _ in 0..2 {
        add_player_note(house, once.clone(), player, "  called\ntwice ")
            .await
            .unwrap();
    }
    let another = add_player_note(house, once, player, "called three times").await;
    assert_refused(another, &Refusal::IdempotencyConflict);
    let empty = add_player_note(house, context(boss), player, " \n").await;
    assert_refused(empty, &Refusal::NoteRequired);
    let long = add_player_note(house, context(boss), player, &"x".repeat(501)).await;
    assert_refused(long, &Refusal::NoteTooLong);
    let unknown = add_player_note(house, context(boss), UserId::new(999), "x").await;
    assert_refused(unknown, &Refusal::NotFound);
    // The same text again is another note.
    add_player_note(house, context(boss), player, "called twice")
        .await
        .unwrap();
    let notes = "SELECT subject AS value FROM audit_log WHERE action = 'player_noted' ORDER BY id";
    assert_eq!(
        test.texts(notes),
        ["reason: called twice", "reason: called twice"]
    );
    for change in [
        "UPDATE audit_log SET subject = 'reason: x' WHERE action = 'player_noted'",
        "DELETE FROM audit_log WHERE action = 'player_noted'",
    ] {
        test.sql(change).unwrap_err();
    }
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn all_sessions_of_one_user_end_at_once(#[case] test: &Fixture) {
    let house = &test.house;
    let boss = administrator(test, "boss").await;
    let (alice, bob) = (test.player("alice", 0).await, test.player("bob", 0).await);
    let of_alice = [session(house, alice).await, session(house, alice).await];
    let of_bob = session(house, bob).await;
    assert_eq!(read_sessions(house, alice).await.unwrap().len(), 2);
    let reason = end_sessions_of_user(house, context(boss), alice, " ").await;
    assert_refused(reason, &Refusal::StatusReasonRequired);
    let once = AdminContext {
        key: Some(key("once")),
        ..context(boss)
    };
    end_sessions_of_user(house, once.clone(), alice, "a stolen phone")
        .await
        .unwrap();
    for ended in &of_alice {
        assert!(!is_open(house, ended).await);
    }
    assert!(is_open(house, &of_bob).await);
    // A repeated call ends nothing that was opened since.
    let new = session(house, alice).await;
    end_sessions_of_user(house, once, alice, "a stolen phone")
        .await
        .unwrap();
    assert!(is_open(house, &new).await);
    assert_eq!(
        test.texts(
            "SELECT subject AS value FROM audit_log WHERE action = 'sessions_ended' ORDER BY id"
        ),
        ["reason: a stolen phone"]
    );
    assert_eq!(
        test.texts(
            "SELECT kind AS value FROM security_events WHERE kind = 'sessions_ended_by_house'"
        ),
        ["sessions_ended_by_house"]
    );
    let unknown = end_sessions_of_user(house, context(boss), UserId::new(999), "x").await;
    assert_refused(unknown, &Refusal::NotFound);
    test.assert_clean().await;
}
