//! A role of PostgreSQL for servers that owns nothing: what is append-only cannot be changed with it, and
//! servers work with it.

use std::process::Output;

use glasshouse_casino::DatabaseUrl;
use glasshouse_testing::{EmptyDatabase, sql};
use reqwest::StatusCode;
use serde_json::json;
use tempfile::TempDir;

use crate::administration::{act, get, withdraw};
use crate::support::{Server, command, free_address, migrate, served_url};

fn run(folder: &TempDir, arguments: &[&str], url: &str) -> Output {
    command(folder.path(), &free_address(), &free_address())
        .args(arguments)
        .env("DATABASE_URL", url)
        .output()
        .unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&[&output.stdout[..], &output.stderr].concat()).into_owned()
}

/// A table, what its triggers refuse, and one of its columns.
struct AppendOnly {
    table: String,
    events: Vec<String>,
    column: String,
}

/// Every table with a trigger that always refuses something, by the text of the triggers.
fn append_only(database: &EmptyDatabase) -> Vec<AppendOnly> {
    let rows = glasshouse_testing::texts(
        &database.url,
        "SELECT c.relname || ';' || (SELECT attname FROM pg_attribute
                WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped LIMIT 1)
            || ';' || pg_get_triggerdef(t.oid, true) AS value
         FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid WHERE NOT t.tgisinternal",
    );
    let refusals = rows
        .iter()
        .filter(|row| row.contains("EXECUTE FUNCTION refuse_change(") && !row.contains(" WHEN ("));
    let tables = refusals.map(|row| {
        let mut parts = row.splitn(3, ';');
        let (table, column) = (parts.next().unwrap(), parts.next().unwrap());
        let (_, definition) = parts.next().unwrap().split_once(" BEFORE ").unwrap();
        let (events, _) = definition.split_once(" ON ").unwrap();
        AppendOnly {
            table: table.to_owned(),
            events: events.split(" OR ").map(str::to_owned).collect(),
            column: column.to_owned(),
        }
    });
    tables.collect()
}

impl AppendOnly {
    fn statements(&self) -> Vec<String> {
        let Self { table, column, .. } = self;
        let changes = self.events.iter().map(|event| match event.as_str() {
            "UPDATE" => format!("UPDATE {table} SET {column} = {column}"),
            "DELETE" => format!("DELETE FROM {table}"),
            "TRUNCATE" => format!("TRUNCATE {table} CASCADE"),
            other => panic!("{table}: {other}"),
        });
        changes.collect()
    }
}

#[test]
fn nothing_append_only_can_be_changed_with_the_role_of_servers() {
    let database = EmptyDatabase::postgres_with_roles();
    let folder = TempDir::new().unwrap();
    let output = migrate(folder.path(), &database, &[]);
    assert!(output.status.success(), "{}", said(&output));
    assert!(
        said(&output).contains("cannot change what is append-only"),
        "{}",
        said(&output)
    );

    let roles = database.roles.as_ref().unwrap();
    let server = DatabaseUrl::Postgres(roles.server_url.clone());
    let owner = DatabaseUrl::Postgres(roles.owner_url.clone());
    let tables = append_only(&database);
    for expected in [
        "audit_log",
        "ledger_entries",
        "receipts",
        "money_acts",
        "terms_acceptances",
    ] {
        assert!(
            tables.iter().any(|table| table.table == expected),
            "{expected}"
        );
    }
    for table in &tables {
        for statement in table.statements() {
            let error = sql(&server, &statement).unwrap_err();
            assert!(error.contains("permission denied"), "{statement}: {error}");
            // The trigger refuses it to the owner, too, but not for good.
            let error = sql(&owner, &statement).unwrap_err();
            assert!(!error.contains("permission denied"), "{statement}: {error}");
        }
        let name = &table.table;
        for statement in [
            format!("TRUNCATE {name} CASCADE"),
            format!("ALTER TABLE {name} DISABLE TRIGGER USER"),
            format!("CREATE TRIGGER mine BEFORE INSERT ON {name} EXECUTE FUNCTION refuse_change()"),
            format!("DROP TABLE {name} CASCADE"),
            "SET session_replication_role = replica".to_owned(),
            "CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql
             AS 'BEGIN RETURN NULL; END'"
                .to_owned(),
        ] {
            assert!(sql(&server, &statement).is_err(), "{statement}");
        }
    }
}

#[tokio::test]
async fn a_server_whose_role_owns_nothing_serves_everybody() {
    let mut server = Server::start_on(EmptyDatabase::postgres_with_roles());
    let administrator = server.administrator().await;
    let player = server.funded_player("alice", "100.00").await;
    let bet = json!({ "betAmount": "1.00", "targetNumber": 50, "betType": "over" });
    let (status, round) = player.post("/api/dice/play", &bet).await;
    assert_eq!(status, StatusCode::OK, "{round}");
    player.rotate("mine").await;
    let withdrawal = withdraw(&player, "20.00").await;
    let path = format!("/api/admin/withdraw-requests/{withdrawal}/process");
    act(&administrator, &path, json!({ "action": "approve" })).await;
    assert!(
        server
            .operate(&["admin", "create", "second"])
            .status
            .success()
    );
    server.crash_and_restart();
    assert_eq!(player.post("/api/dice/play", &bet).await.0, StatusCode::OK);
    get(&administrator, "/api/admin/users").await;
    server.assert_clean();
    let output = server.operate(&["check"]);
    assert!(
        said(&output).contains("cannot change what is append-only"),
        "{}",
        said(&output)
    );
}

#[test]
fn a_server_that_must_not_migrate_says_what_is_missing() {
    let database = EmptyDatabase::postgres_with_roles();
    let (folder, other_folder) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let refused_in = |folder: &TempDir, expected: &str| {
        let output = run(folder, &["serve"], served_url(&database));
        let said = said(&output);
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(
            said.contains(expected) && said.contains("glasshouse migrate"),
            "{said}"
        );
    };
    refused_in(&folder, "it lacks migrations");
    // As the only role.
    let owner = &database.roles.as_ref().unwrap().owner_url;
    assert!(run(&folder, &["migrate"], owner).status.success());
    refused_in(&folder, "was given rights");
    // Without the keys it cannot even be known which it needs, so none are made.
    refused_in(&other_folder, "must not read the tables");
    assert!(!other_folder.path().join("data/seed-key").exists());
    assert!(migrate(folder.path(), &database, &[]).status.success());
    let last = "DELETE FROM __diesel_schema_migrations
        WHERE version = (SELECT MAX(version) FROM __diesel_schema_migrations)";
    sql(&database.url, last).unwrap();
    refused_in(&folder, "it lacks migrations (1)");
}

#[test]
fn the_check_says_what_the_role_could_change() {
    let database = EmptyDatabase::postgres_with_roles();
    let folder = TempDir::new().unwrap();
    assert!(migrate(folder.path(), &database, &[]).status.success());
    let roles = database.roles.as_ref().unwrap();
    let check = |url: &str| {
        let output = run(&folder, &["check"], url);
        let said = said(&output);
        // The books are as they should be, whatever the role could do.
        assert_eq!(output.status.code(), Some(0), "{said}");
        said
    };
    let restricted = format!("Database role: {} cannot change", roles.server);
    assert!(check(&roles.server_url).contains(&restricted));
    let owner = check(&roles.owner_url);
    for expected in [
        "WARNING",
        "owner of the database",
        "owner of the table audit_log",
    ] {
        assert!(owner.contains(expected), "{expected}: {owner}");
    }
    let DatabaseUrl::Postgres(superuser) = &database.url else {
        panic!("PostgreSQL")
    };
    assert!(check(superuser).contains("- it is a superuser"));
    let server = &roles.server;
    for (grant, expected) in [
        (
            format!("GRANT DELETE ON ledger_entries TO {server}"),
            "it may delete rows of ledger_entries",
        ),
        (
            format!("GRANT UPDATE (action) ON audit_log TO {server}"),
            "it may change rows of audit_log",
        ),
        (
            format!("GRANT TRUNCATE ON receipts TO {server}"),
            "it may empty receipts",
        ),
        (
            format!("GRANT TRIGGER ON reviews TO {server}"),
            "it may add triggers to reviews",
        ),
        (
            format!("GRANT {} TO {server}", roles.owner),
            "owner of the table audit_log",
        ),
    ] {
        sql(&database.url, &grant).unwrap();
        let said = check(&roles.server_url);
        assert!(
            said.contains("WARNING") && said.contains(expected),
            "{grant}: {said}"
        );
    }
    sql(
        &database.url,
        &format!("REVOKE {} FROM {server}", roles.owner),
    )
    .unwrap();
    // Preparing the role again takes away what it had too much.
    assert!(migrate(folder.path(), &database, &[]).status.success());
    assert!(check(&roles.server_url).contains(&restricted));
}
