//! Registration, sessions, administrators.

use std::time::Duration;

use glasshouse_casino::accounts::{
    PasswordIdea, Registration, SessionKeyHash, SignIn, end_session, find_session,
    open_proved_session, open_session, password_strength, purge_sessions, register, sign_in,
    touch_session,
};
use glasshouse_casino::administration::{
    AdminContext, InitialPassword, adjust_balance, create_administrator, lacks_owner, set_role,
};
use glasshouse_casino::{
    AccountRefusal, CasinoError, DatabaseError, IdempotencyKey, Refusal, RequestOrigin,
};
use glasshouse_domain::{Money, NewPassword, PasswordError, Role, TypedPassword, UserId, Username};
use glasshouse_persistence::queries;
use rstest_reuse::apply;

use crate::support::administration::{adjustment, done};
use crate::support::cashier_fixture::at_once;
use crate::support::{Fixture, assert_refused, both_databases, registration};

const MINUTE: Duration = Duration::from_mins(1);

#[apply(both_databases)]
async fn usernames_are_unique_regardless_of_case(#[case] test: &Fixture) {
    let names = ["Twenty", "twenty", "TWENTY", "tWenty"];
    let tasks: Vec<_> = (0..12)
        .map(|number| {
            let house = test.house.clone();
            tokio::spawn(async move { register(&house, registration(names[number % 4])).await })
        })
        .collect();
    let mut registered = 0;
    for task in tasks {
        match task.await.unwrap() {
            Ok(_) => registered += 1,
            refused => assert_refused(refused, &AccountRefusal::UsernameTaken.into()),
        }
    }
    assert_eq!(registered, 1);
    test.assert_clean().await;
}

fn chosen(password: &str) -> InitialPassword {
    InitialPassword::Chosen(password.to_owned())
}

fn attempt(name: &str, password: &str) -> SignIn {
    SignIn {
        username: name.to_owned(),
        password: TypedPassword::new(password.to_owned()),
        origin: RequestOrigin::default(),
    }
}

async fn try_sign_in(test: &Fixture, name: &str, password: &str) -> Result<UserId, CasinoError> {
    sign_in(&test.house, attempt(name, password), None)
        .await
        .map(|found| found.player.user.id)
}

#[apply(both_databases)]
async fn only_the_right_password_signs_in(#[case] test: &Fixture) {
    let id = test.player("Alice", 0).await;
    assert_eq!(try_sign_in(test, "aLICE", "tr4vel-lamp").await.unwrap(), id);
    let long = "x".repeat(100_000);
    for (name, password) in [
        ("Alice", "tr4vel-lamb"),
        ("Alice", ""),
        ("Alice", &long),
        ("Bob", "tr4vel-lamp"),
        ("", ""),
    ] {
        assert_refused(
            try_sign_in(test, name, password).await,
            &Refusal::InvalidCredentials,
        );
    }
    test.sql("UPDATE users SET ban_reason = 'cheating'")
        .unwrap();
    let reason = "cheating".to_owned();
    assert_refused(
        try_sign_in(test, "Alice", "tr4vel-lamp").await,
        &Refusal::Banned { reason },
    );
    let wrong = try_sign_in(test, "Alice", "tr4vel-lamb").await;
    assert_refused(wrong, &Refusal::InvalidCredentials);
}

#[apply(both_databases)]
async fn a_session_ends_by_idleness_age_logout_or_ban(#[case] test: &Fixture) {
    let id = test.player("visitor", 0).await;
    let house = &test.house;
    let key = SessionKeyHash::of(
        &open_session(house, id, RequestOrigin::default())
            .await
            .unwrap(),
    );
    let holds = async || find_session(house, key.clone()).await.unwrap().is_some();
    test.clock.advance(MINUTE * 29);
    assert!(holds().await);
    test.clock.advance(MINUTE);
    assert!(!holds().await, "the session was idle for thirty minutes");

    let key = SessionKeyHash::of(
        &open_session(house, id, RequestOrigin::default())
            .await
            .unwrap(),
    );
    let holds = async || find_session(house, key.clone()).await.unwrap().is_some();
    for _ in 0..35 {
        test.clock.advance(MINUTE * 20);
        assert!(
            find_session(house, key.clone())
                .await
                .unwrap()
                .unwrap()
                .is_touch_due
        );
        assert!(touch_session(house, key.clone()).await.unwrap());
    }
    assert!(holds().await);
    test.clock.advance(MINUTE * 20);
    assert!(!holds().await, "the session is twelve hours old");

    let key = SessionKeyHash::of(
        &open_session(house, id, RequestOrigin::default())
            .await
            .unwrap(),
    );
    end_session(house, id, key.clone(), None).await.unwrap();
    assert!(find_session(house, key.clone()).await.unwrap().is_none());
    assert!(
        !touch_session(house, key.clone()).await.unwrap(),
        "an ended session is not revived"
    );
    assert!(find_session(house, key).await.unwrap().is_none());

    let key = SessionKeyHash::of(
        &open_session(house, id, RequestOrigin::default())
            .await
            .unwrap(),
    );
    test.sql("UPDATE users SET ban_reason = 'cheating'")
        .unwrap();
    let banned = Refusal::Banned {
        reason: "cheating".to_owned(),
    };
    assert_refused(find_session(house, key.clone()).await, &banned);
    test.clock.advance(MINUTE * 30);
    assert!(
        find_session(house, key).await.unwrap().is_none(),
        "an expired session does not reveal the ban"
    );
    test.clock.advance(MINUTE);
    assert_eq!(purge_sessions(house).await.unwrap(), 3);
}

#[apply(both_databases)]
async fn administrators_are_created_granted_and_revoked(#[case] test: &Fixture) {
    assert!(lacks_owner(&test.house).await.unwrap());
    create_administrator(
        &test.house,
        "admin",
        chosen("c4reful-hands-of-a-keeper"),
        Role::Owner,
    )
    .await
    .unwrap();
    assert!(!lacks_owner(&test.house).await.unwrap());
    let signed_in = try_sign_in(test, "admin", "c4reful-hands-of-a-keeper").await;
    assert!(signed_in.is_ok());
    let id = test.player("deputy", 0).await;
    let role = async || {
        let user = test
            .database
            .read(move |connection| queries::user(connection, id))
            .await;
        user.map_err(|error: DatabaseError| error)
            .unwrap()
            .unwrap()
            .role
    };
    set_role(&test.house, "DEPUTY", Role::Owner).await.unwrap();
    assert_eq!(role().await, Role::Owner);
    set_role(&test.house, "deputy", Role::Player).await.unwrap();
    assert_eq!(role().await, Role::Player);
    let unknown = set_role(&test.house, "nobody", Role::Owner).await;
    assert_refused(unknown, &Refusal::NotFound);
    let duplicate = chosen("c4reful-hands-of-a-keeper");
    let duplicate = create_administrator(&test.house, "Deputy", duplicate, Role::Owner).await;
    assert_refused(duplicate, &AccountRefusal::UsernameTaken.into());
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn a_balance_is_set_once_per_idempotency_key(#[case] test: &Fixture) {
    let administrator = test.player("manager", 0).await;
    let player = test.player("player", 0).await;
    let context = |key: &str| AdminContext {
        administrator,
        address: Some("192.0.2.1".to_owned()),
        key: Some(IdempotencyKey::parse(key).unwrap()),
    };
    let set = async |cents, key: &str| {
        let balance = Money::from_cents(cents);
        let request = adjustment(player, balance);
        let outcome = adjust_balance(&test.house, context(key), request).await;
        outcome.map(|outcome| done(outcome).wallet.balance().cents())
    };
    assert_eq!(set(5_000, "a").await.unwrap(), 5_000);
    test.clock.advance(MINUTE);
    assert_eq!(set(7_000, "b").await.unwrap(), 7_000);
    // The first call is repeated: the balance stays as the second call set it.
    assert_eq!(set(5_000, "a").await.unwrap(), 7_000);
    assert_refused(set(6_000, "a").await, &Refusal::IdempotencyConflict);
    let unknown = UserId::new(999);
    let request = adjustment(unknown, Money::ZERO);
    let outcome = adjust_balance(&test.house, context("c"), request).await;
    assert_refused(outcome.map(drop), &Refusal::NotFound);
    let counts = test.database.read(queries::counts).await;
    let counts = counts.map_err(|error: DatabaseError| error).unwrap();
    let count = |name: &str| {
        counts
            .iter()
            .find(|count| count.name == name)
            .unwrap()
            .value
    };
    assert_eq!((count("ledger entries"), count("audit records")), (2, 2));
    test.assert_clean().await;
}

#[apply(both_databases)]
async fn composed_and_decomposed_passwords_are_equal(#[case] test: &Fixture) {
    // The umlaut as one character, and as a letter with a combining mark.
    let (composed, decomposed) = ("\u{fc}ber-tr4vel-lamp", "u\u{308}ber-tr4vel-lamp");
    for (name, registered) in [("composed", composed), ("decomposed", decomposed)] {
        let registration_with = Registration {
            username: Username::parse(name).unwrap(),
            password: NewPassword::parse(registered.to_owned()).unwrap(),
        };
        let id = register(&test.house, registration_with)
            .await
            .unwrap()
            .user
            .id;
        for typed in [composed, decomposed] {
            assert_eq!(try_sign_in(test, name, typed).await.unwrap(), id);
        }
    }
}

/// The hash of "u", a combining diaeresis and "ber-tr4vel-lamp", made without normalization as in
/// older versions.
const HASH_AS_TYPED: &str = "$argon2id$v=19$m=19456,t=2,p=1$v1YNqDRCdes7L+NFjzaApQ$M88yXcAdkWg2SIbr0oVwybgZigE7V+3sVZr9dWzTMvQ";

#[apply(both_databases)]
async fn a_hash_of_an_unnormalized_password_is_accepted_and_replaced(#[case] test: &Fixture) {
    let id = test.player("veteran", 0).await;
    test.sql(&format!(
        "UPDATE users SET password_hash = '{HASH_AS_TYPED}' WHERE id = {id}"
    ))
    .unwrap();
    let key = SessionKeyHash::of(
        &open_session(&test.house, id, RequestOrigin::default())
            .await
            .unwrap(),
    );
    let composed = "\u{fc}ber-tr4vel-lamp";
    assert_refused(
        try_sign_in(test, "veteran", composed).await,
        &Refusal::InvalidCredentials,
    );
    assert_eq!(
        try_sign_in(test, "veteran", "u\u{308}ber-tr4vel-lamp")
            .await
            .unwrap(),
        id
    );
    // From now on both forms are accepted, and existing sessions were not ended.
    assert_eq!(try_sign_in(test, "veteran", composed).await.unwrap(), id);
    assert!(find_session(&test.house, key).await.unwrap().is_some());
}

/// Both find the legacy hash, and one of them replaces it.
#[apply(both_databases)]
async fn two_devices_sign_in_at_once_with_an_unnormalized_hash(#[case] test: &Fixture) {
    let id = test.player("veteran", 0).await;
    let servers = [test.house.clone(), test.another_house()];
    for _ in 0..4 {
        test.sql(&format!(
            "UPDATE users SET password_hash = '{HASH_AS_TYPED}' WHERE id = {id}"
        ))
        .unwrap();
        let keys = at_once(2, |number| {
            let house = servers[number].clone();
            let request = attempt("veteran", "u\u{308}ber-tr4vel-lamp");
            async move {
                let proof = sign_in(&house, request, None).await.unwrap().proof;
                let opened = open_proved_session(&house, proof, RequestOrigin::default());
                SessionKeyHash::of(&opened.await.unwrap())
            }
        })
        .await;
        for key in keys {
            assert!(find_session(&test.house, key).await.unwrap().is_some());
        }
    }
}

#[apply(both_databases)]
async fn weak_passwords_are_refused_and_administrators_need_stronger_ones(#[case] test: &Fixture) {
    let house = test.house.clone().known_as(["lucky-seven".to_owned()]);
    let registration_with = |password: &str| Registration {
        username: Username::parse("newcomer").unwrap(),
        password: NewPassword::parse(password.to_owned()).unwrap(),
    };
    for common in [
        "glasshouse",
        "casino1",
        "newcomer7",
        "LuckySeven!1",
        "zxcvbnm1",
    ] {
        assert_refused(
            register(&house, registration_with(common)).await,
            &AccountRefusal::PasswordTooCommon.into(),
        );
    }
    // On the list of breached passwords in lower case, and in no dictionary of zxcvbn.
    for breached in ["bmvm3e46gtr", "BMVM3E46GTR"] {
        assert_refused(
            register(&house, registration_with(breached)).await,
            &AccountRefusal::PasswordBreached.into(),
        );
        let breached = create_administrator(&house, "keeper", chosen(breached), Role::Owner).await;
        assert_refused(breached, &AccountRefusal::PasswordBreached.into());
    }
    let weak = create_administrator(&house, "keeper", chosen("tr4vel-lamp"), Role::Owner).await;
    assert_refused(weak, &AccountRefusal::AdministratorPassword.into());
    let strong = chosen("c4reful-hands-of-a-keeper");
    create_administrator(&house, "keeper", strong, Role::Owner)
        .await
        .unwrap();
    register(&house, registration_with("k7#qPz")).await.unwrap();
}

#[apply(both_databases)]
async fn the_strength_of_a_password_is_the_verdict_of_the_registration(#[case] test: &Fixture) {
    let house = test.house.clone().known_as(["lucky-seven".to_owned()]);
    for (password, role, refusal) in [
        (
            "newcomer7",
            Role::Player,
            Some(AccountRefusal::PasswordTooCommon),
        ),
        (
            "LuckySeven!1",
            Role::Player,
            Some(AccountRefusal::PasswordTooCommon),
        ),
        (
            "bmvm3e46gtr",
            Role::Player,
            Some(AccountRefusal::PasswordBreached),
        ),
        ("tr4vel-lamp", Role::Player, None),
        (
            "tr4vel-lamp",
            Role::Owner,
            Some(AccountRefusal::AdministratorPassword),
        ),
        ("tr4v", Role::Player, Some(PasswordError::TooShort.into())),
    ] {
        let idea = PasswordIdea {
            password: TypedPassword::new(password.to_owned()),
            username: "newcomer".to_owned(),
            role,
        };
        let assessment = password_strength(&house, idea).await.unwrap();
        assert_eq!(assessment.refusal, refusal, "{password}");
    }
}
