//! A database written by the server of commit b982bd5 is migrated: its content reads as that server
//! reported it, and the house continues with it.
//!
//! The files beside the databases hold that server's own answers.

use std::fs;

use diesel::connection::SimpleConnection;
use diesel::{Connection, PgConnection};
use glasshouse_casino::accounts::{SignIn, sign_in};
use glasshouse_casino::administration::{Decision, list, read_user};
use glasshouse_casino::money::deposits::read_deposits;
use glasshouse_casino::money::read_withdrawals;
use glasshouse_casino::play::{outcome_text, read_history, read_round, read_statistics};
use glasshouse_casino::{DatabaseUrl, IdempotencyKey, Refusal, RequestOrigin, Round, UserQuery};
use glasshouse_domain::{
    Money, RoundId, RulesVersion, Timestamp, TypedPassword, UserId, WithdrawalId,
};
use glasshouse_games::dice::BetType;
use glasshouse_games::registry::info;
use rstest_reuse::{apply, template};
use serde_json::{Map, Value, json};

use crate::support::administration::{context, decide_withdrawal};
use crate::support::games::ALL_HISTORY;
use crate::support::games::place_dice_bet;
use crate::support::{Backend, EmptyDatabase, Fixture, assert_refused, bet, texts};

const SQLITE: &[u8] = include_bytes!("../fixtures/b982bd5/sqlite.db");
const SQLITE_ANSWERS: &str = include_str!("../fixtures/b982bd5/sqlite.json");
const POSTGRES: &str = include_str!("../fixtures/b982bd5/postgres.sql");
const POSTGRES_ANSWERS: &str = include_str!("../fixtures/b982bd5/postgres.json");

/// The ledger's columns that exist in every version, to compare before and after the migration.
const LEDGER: &str = "SELECT player_id || ' ' || sequence || ' ' || kind || ' ' || amount_cents \
    || ' ' || balance_after_cents || ' ' || reference || ' ' || created_at_micros AS value \
    FROM ledger_entries ORDER BY player_id, sequence";

/// The house of commit b982bd5, on a migrated copy of its database.
pub(crate) struct OldHouse {
    /// A session on PostgreSQL that could still see the rows of before the migration, so that nothing
    /// removes them by chance.
    _earlier_session: Option<PgConnection>,
    pub(crate) test: Fixture,
    /// The answers of the older server.
    answered: Value,
    /// The ledger as it was before the migration.
    ledger: Vec<String>,
    /// The seeds in use as they were stored before the migration: player, server seed, its hash and
    /// client seed.
    pub(crate) seeds_in_use: Vec<(String, String, String, String)>,
}

/// Runs a test on a copy of either database.
#[template]
#[rstest::rstest]
#[case::sqlite(&crate::b982bd5::OldHouse::on(crate::support::Backend::Sqlite))]
#[case::postgres(&crate::b982bd5::OldHouse::on(crate::support::Backend::Postgres))]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn both_copies(#[case] old: &OldHouse) {}

impl OldHouse {
    pub(crate) fn on(backend: Backend) -> Self {
        match backend {
            Backend::Sqlite => Self::sqlite(),
            Backend::Postgres => Self::postgres(),
        }
    }

    fn sqlite() -> Self {
        let database = EmptyDatabase::sqlite();
        let DatabaseUrl::Sqlite(path) = &database.url else {
            panic!("expected SQLite")
        };
        fs::write(path, SQLITE).unwrap();
        Self::migrated(database, SQLITE_ANSWERS)
    }

    fn postgres() -> Self {
        let database = EmptyDatabase::postgres();
        let DatabaseUrl::Postgres(url) = &database.url else {
            panic!("expected PostgreSQL")
        };
        let mut connection = PgConnection::establish(url).unwrap();
        connection.batch_execute(POSTGRES).unwrap();
        connection
            .batch_execute("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1")
            .unwrap();
        Self {
            _earlier_session: Some(connection),
            ..Self::migrated(database, POSTGRES_ANSWERS)
        }
    }

    /// Migrates the copy, with a clock set to the moment at which the older server was killed.
    fn migrated(database: EmptyDatabase, answered: &str) -> Self {
        let answered: Value = serde_json::from_str(answered).unwrap();
        let ledger = texts(&database.url, LEDGER);
        let column = |name: &str| {
            let column = format!("SELECT CAST({name} AS TEXT) AS value FROM accounts");
            texts(&database.url, &format!("{column} ORDER BY player_id"))
        };
        let seeds_in_use = column("player_id")
            .into_iter()
            .zip(column("server_seed"))
            .zip(column("server_seed_hash"))
            .zip(column("client_seed"))
            .map(|(((player, seed), hash), client_seed)| (player, seed, hash, client_seed))
            .collect();
        let test = Fixture::open(database);
        let closed_at = answered["closedAtMicros"].as_i64().unwrap();
        test.clock.set(Timestamp::from_micros(closed_at));
        Self {
            _earlier_session: None,
            test,
            answered,
            ledger,
            seeds_in_use,
        }
    }

    /// The older server's answers for each player, by username.
    pub(crate) fn players(&self) -> &Map<String, Value> {
        self.answered["players"].as_object().unwrap()
    }

    pub(crate) fn player(&self, name: &str) -> UserId {
        UserId::new(self.players()[name]["user"]["id"].as_i64().unwrap())
    }

    /// The player's settled rounds, in the format of the older server's answers.
    pub(crate) async fn history(&self, player: UserId) -> Vec<Value> {
        let page = read_history(&self.test.house, player, ALL_HISTORY)
            .await
            .unwrap();
        assert!(page.entries.len() < ALL_HISTORY.limit);
        page.entries.iter().map(as_answered).collect()
    }

    /// Asserts the balance, the withdrawable amount and the totals of the games.
    pub(crate) async fn assert_money(&self, player: UserId, answered: &Value) {
        let wallet = read_user(&self.test.house, player).await.unwrap().wallet;
        assert_eq!(wallet.balance().to_string(), answered["user"]["balance"]);
        let available = wallet.available_to_withdraw().to_string();
        assert_eq!(available, answered["user"]["availableToWithdraw"]);

        let mut expected = Map::new();
        for game in answered["statistics"]["games"].as_array().unwrap() {
            let totals = ["gamesPlayed", "wins", "totalWagered", "totalWon"].map(|key| &game[key]);
            let name = game["gameType"].as_str().unwrap();
            expected.insert(name.to_owned(), json!(totals));
        }
        assert_eq!(self.totals(player).await, expected);
    }

    /// Rounds, wins, stakes and payouts, by the name under which the older server listed a game.
    async fn totals(&self, player: UserId) -> Map<String, Value> {
        let mut sums: Vec<(&str, u64, u64, Money, Money)> = Vec::new();
        for game in read_statistics(&self.test.house, player).await.unwrap() {
            let name = game.listed_name;
            let Some(sum) = sums.iter_mut().find(|sum| sum.0 == name) else {
                sums.push((name, game.rounds, game.wins, game.staked, game.paid));
                continue;
            };
            sum.1 += game.rounds;
            sum.2 += game.wins;
            sum.3 = sum.3.checked_add(game.staked).unwrap();
            sum.4 = sum.4.checked_add(game.paid).unwrap();
        }
        let answered = |(name, rounds, wins, staked, paid): (&str, u64, u64, Money, Money)| {
            let totals = json!([rounds, wins, staked.to_string(), paid.to_string()]);
            (name.to_owned(), totals)
        };
        sums.into_iter().map(answered).collect()
    }
}

/// A round in the format of the older server's history.
fn as_answered(round: &Round) -> Value {
    let ended_at = round.ended_at.unwrap().as_micros();
    let ended_at = jiff::Timestamp::from_microsecond(ended_at).unwrap();
    json!({
        "id": round.id.get(),
        "gameType": info(round.game).listed_name,
        "betAmount": round.stake.to_string(),
        "winAmount": round.payout.to_string(),
        "outcome": outcome_text(round),
        "createdAt": ended_at.strftime("%Y-%m-%dT%H:%M:%S%.6fZ").to_string(),
    })
}

fn some(value: Option<&str>) -> Value {
    value.map_or(Value::Null, Value::from)
}

#[apply(both_copies)]
async fn the_migration_changes_no_balance_and_keeps_the_books_clean(#[case] old: &OldHouse) {
    old.test.assert_clean().await;
    assert!(old.ledger.len() > 100, "{}", old.ledger.len());
    assert_eq!(old.test.texts(LEDGER), old.ledger);
    for (name, answered) in old.players() {
        old.assert_money(old.player(name), answered).await;
    }
}

#[apply(both_copies)]
async fn every_players_history_is_unchanged(#[case] old: &OldHouse) {
    let mut outcomes = Vec::new();
    for (name, answered) in old.players() {
        let player = old.player(name);
        let history = old.history(player).await;
        assert_eq!(json!(history), answered["history"], "{name}");
        for entry in history {
            let id = RoundId::new(entry["id"].as_i64().unwrap());
            let found = read_round(&old.test.house, player, id).await.unwrap();
            assert_eq!(as_answered(found.round.round()), entry);
            assert_eq!(found.round.round().rules, RulesVersion::RoundedDown);
            let (game, outcome) = (&entry["gameType"], &entry["outcome"]);
            outcomes.push(format!(
                "{} {}",
                game.as_str().unwrap(),
                outcome.as_str().unwrap()
            ));
        }
    }
    // Every game and result occurs in the comparison.
    for game in ["dice", "crash", "stonks", "poker"] {
        for end in ["win", "loss"] {
            let start = format!("{game} {end}");
            assert!(
                outcomes.iter().any(|outcome| outcome.starts_with(&start)),
                "{start}"
            );
        }
    }
    assert!(
        outcomes
            .iter()
            .any(|outcome| outcome == "poker fold (heads-up)"),
        "{outcomes:?}"
    );
}

#[apply(both_copies)]
async fn deposits_and_withdrawals_keep_their_status(#[case] old: &OldHouse) {
    let mut states = Vec::new();
    for (name, answered) in old.players() {
        let player = old.player(name);
        let deposits = read_deposits(&old.test.house, player, None, 100)
            .await
            .unwrap();
        let told_deposits = answered["deposits"].as_array().unwrap();
        assert_eq!(deposits.entries.len(), told_deposits.len(), "{name}");
        for (view, answered) in deposits.entries.iter().zip(told_deposits) {
            let deposit = &view.deposit;
            assert_eq!(deposit.id.get(), answered["id"]);
            assert_eq!(deposit.price.to_string(), answered["amount"]);
            assert_eq!(deposit.credited.to_string(), answered["creditedAmount"]);
            assert_eq!(deposit.order_id, answered["orderId"]);
            assert_eq!(deposit.status.as_str(), answered["status"]);
            assert_eq!(some(deposit.invoice_id.as_deref()), answered["invoiceId"]);
            states.push(deposit.status.as_str());
        }
        let withdrawals = read_withdrawals(&old.test.house, player, None, 100)
            .await
            .unwrap();
        let told_withdrawals = answered["withdrawals"].as_array().unwrap();
        assert_eq!(withdrawals.entries.len(), told_withdrawals.len(), "{name}");
        for (paid, answered) in withdrawals.entries.iter().zip(told_withdrawals) {
            let withdrawal = &paid.withdrawal;
            assert_eq!(withdrawal.id.get(), answered["id"]);
            assert_eq!(withdrawal.amount.to_string(), answered["amount"]);
            assert_eq!(withdrawal.net().to_string(), answered["netAmount"]);
            assert_eq!(withdrawal.address, answered["walletAddress"]);
            assert_eq!(withdrawal.status.as_str(), answered["status"]);
            assert_eq!(some(withdrawal.reason.as_deref()), answered["reason"]);
            states.push(withdrawal.status.as_str());
        }
    }
    states.sort_unstable();
    assert_eq!(
        states,
        ["approved", "completed", "pending", "pending", "rejected"]
    );
}

#[apply(both_copies)]
async fn players_and_administrators_can_continue(#[case] old: &OldHouse) {
    let house = &old.test.house;
    let attempt = |name: &str| SignIn {
        username: name.to_owned(),
        password: TypedPassword::new("tr4vel-lamp".to_owned()),
        origin: RequestOrigin::default(),
    };
    let alice = sign_in(house, attempt("alice"), None)
        .await
        .unwrap()
        .player
        .user
        .id;
    assert_eq!(alice, old.player("alice"));
    let reason = "Several accounts".to_owned();
    assert_refused(
        sign_in(house, attempt("mallory"), None).await,
        &Refusal::Banned { reason },
    );

    // An idempotency key used on the older server returns its result.
    let key = || IdempotencyKey::parse("dice-0").ok();
    let answered = old.players()["alice"]["history"].as_array().unwrap();
    let placed = place_dice_bet(house, alice, bet(7, 50, BetType::Over), key())
        .await
        .unwrap();
    assert_eq!(as_answered(&placed.round), *answered.last().unwrap());
    assert_eq!(old.test.texts(LEDGER), old.ledger);
    let other = place_dice_bet(house, alice, bet(8, 50, BetType::Over), key()).await;
    assert_refused(other, &Refusal::IdempotencyConflict);

    // New rounds follow the old ones, under the current rules.
    let placed = place_dice_bet(house, alice, bet(7, 50, BetType::Over), None)
        .await
        .unwrap();
    assert_eq!(placed.round.rules, RulesVersion::CURRENT);
    assert_eq!(old.history(alice).await.len(), answered.len() + 1);

    // The addresses of paid withdrawals are known.
    let known = "SELECT player_id || ' ' || currency || ' ' || address AS value \
        FROM withdrawal_addresses ORDER BY 1";
    let paid = "SELECT DISTINCT player_id || ' ' || currency || ' ' || address AS value \
        FROM withdrawals WHERE status = 'approved' ORDER BY 1";
    let paid = old.test.texts(paid);
    assert!(!paid.is_empty());
    assert_eq!(old.test.texts(known), paid);

    // The pending withdrawal is decided.
    let users = list(
        house,
        UserQuery {
            limit: 100,
            ..UserQuery::default()
        },
    )
    .await
    .unwrap();
    let admin = users
        .entries
        .iter()
        .find(|entry| entry.user.username == "admin")
        .unwrap();
    let waiting = old.players()["alice"]["withdrawals"].as_array().unwrap();
    let waiting = waiting
        .iter()
        .find(|one| one["status"] == "pending")
        .unwrap();
    let waiting = WithdrawalId::new(waiting["id"].as_i64().unwrap());
    let decision = Decision::Reject("Please ask again".to_owned());
    let before = read_user(house, alice).await.unwrap().wallet.balance();
    decide_withdrawal(house, context(admin.user.id), waiting, decision)
        .await
        .unwrap();
    let after = read_user(house, alice).await.unwrap().wallet.balance();
    assert_eq!(after, before.checked_add(Money::from_cents(2_555)).unwrap());
    old.test.assert_clean().await;
}
