//! `glasshouse audit` of a server whose database was changed by somebody who has access to it.

use glasshouse_transparency::entry::{decode_bundle, encode_bundle};
use tempfile::TempDir;

use crate::audited::{
    Audited, audit, log_lines, open_all_games, play_all_games, play_dice, text, until_logged, url,
};
use crate::support::{Server, Visitor};

/// A server whose log anybody with access to the database can change.
struct Unprotected {
    server: Server,
    player: Visitor,
    state: String,
    _folder: TempDir,
}

/// A row of `log_batches`.
#[derive(Debug, Clone)]
struct Batch {
    id: String,
    first_index: u64,
    lines: Vec<String>,
}

impl Unprotected {
    async fn start() -> Self {
        let server = Server::start();
        open_all_games(&server).await;
        let player = server.funded_player("alice", "1000.00").await;
        play_all_games(&player).await;
        let triggers: &[&str] = if server.is_on_postgres() {
            &[
                "log_batches_never_change ON log_batches",
                "log_batches_stay ON log_batches",
            ]
        } else {
            &[
                "log_batches_never_change",
                "log_batches_stay",
                "log_places_never_change",
                "log_places_stay",
            ]
        };
        for trigger in triggers {
            server.sql(&format!("DROP TRIGGER {trigger}")).unwrap();
        }
        let folder = TempDir::new().unwrap();
        let unprotected = Self {
            state: folder.path().join("state").to_str().unwrap().to_owned(),
            server,
            player,
            _folder: folder,
        };
        unprotected.audit().assert_fine();
        unprotected
    }

    /// Audits all entries again.
    fn audit(&self) -> Audited {
        let arguments = ["--state", &self.state, "--from-start"];
        audit(&url(&self.server), &arguments)
    }

    fn hex_of(&self, column: &str) -> String {
        if self.server.is_on_postgres() {
            format!("encode({column}, 'hex')")
        } else {
            format!("lower(hex({column}))")
        }
    }

    fn literal(&self, bytes: &[u8]) -> String {
        let digits = hex::encode(bytes);
        if self.server.is_on_postgres() {
            format!("'\\x{digits}'::bytea")
        } else {
            format!("X'{digits}'")
        }
    }

    /// The batches with rounds, in the order of the log.
    fn batches(&self) -> Vec<Batch> {
        let rows = self.server.texts(&format!(
            "SELECT id || ' ' || first_index || ' ' || entry_count || ' ' || {} AS value
             FROM log_batches_and_places WHERE first_index IS NOT NULL AND note <> '' ORDER BY first_index",
            self.hex_of("entries")
        ));
        let parse = |row: &String| {
            let parts: Vec<&str> = row.split(' ').collect();
            let entries = hex::decode(parts[3]).unwrap();
            let lines = decode_bundle(&entries, parts[2].parse().unwrap()).unwrap();
            Batch {
                id: parts[0].to_owned(),
                first_index: parts[1].parse().unwrap(),
                lines: lines
                    .into_iter()
                    .map(|line| String::from_utf8(line.to_vec()).unwrap())
                    .collect(),
            }
        };
        rows.iter().map(parse).collect()
    }

    fn write(&self, batch: &Batch) {
        let entries = self.literal(&encode_bundle(&batch.lines).unwrap());
        let Batch {
            id,
            first_index,
            lines,
        } = batch;
        let count = lines.len();
        let (places, batch_id) = if self.server.is_on_postgres() {
            ("log_batches", "id")
        } else {
            ("log_places", "batch_id")
        };
        let statements = format!(
            "UPDATE log_batches SET entries = {entries}, entry_count = {count} WHERE id = {id};
             UPDATE {places} SET first_index = {first_index} WHERE {batch_id} = {id}"
        );
        self.server.sql(&statements).unwrap();
    }

    /// Audits with a changed batch, which is restored afterwards.
    #[track_caller]
    fn check(&self, right: &Batch, wrong: &Batch, texts: &[&str]) {
        self.write(wrong);
        self.audit().assert_contradiction(texts);
        self.write(right);
    }
}

#[tokio::test]
async fn every_change_of_an_entry_is_found_with_its_index() {
    let house = Unprotected::start().await;
    for right in house.batches() {
        let line = &right.lines[0];
        let entry: serde_json::Value = serde_json::from_str(line).unwrap();
        let number = |name: &str| {
            let value = entry[name].as_i64().unwrap();
            let (before, after) = (format!(r#""{name}":{value}"#), value + 100);
            line.replacen(&before, &format!(r#""{name}":{after}"#), 1)
        };
        let words = entry["words"].as_str().unwrap();
        let other_digit = if words.starts_with('0') { "1" } else { "0" };
        for changed in [
            number("stake"),
            number("payout"),
            number("second"),
            line.replacen(r#""terms":{""#, r#""terms":{"x"#, 1),
            line.replacen(words, &format!("{other_digit}{}", &words[1..]), 1),
        ] {
            assert_ne!(changed, *line);
            let mut wrong = right.clone();
            wrong.lines[0] = changed;
            let index = format!(": entry {}: its hash is ", right.first_index);
            house.check(&right, &wrong, &[&index, "but the signed tree has"]);
        }
    }
    house.audit().assert_fine();
}

#[tokio::test]
async fn entries_that_were_moved_removed_or_added_are_found() {
    let house = Unprotected::start().await;
    let size = log_lines(&house.server).await.len();
    let batches = house.batches();
    let (one, other) = (batches[0].clone(), batches[1].clone());
    let parked = Batch {
        first_index: 1_000_000,
        ..one.clone()
    };
    let exchanged = |place: &Batch, content: &Batch| Batch {
        first_index: place.first_index,
        ..content.clone()
    };
    house.write(&parked);
    house.write(&exchanged(&one, &other));
    house.write(&exchanged(&other, &one));
    let index = format!(": entry {}: its hash is ", one.first_index);
    house.audit().assert_contradiction(&[&index]);
    house.write(&parked);
    house.write(&other);
    house.write(&one);

    let mut doubled = one.clone();
    doubled.lines.extend(one.lines.clone());
    let first = one.first_index + u64::try_from(one.lines.len()).unwrap();
    let missing = format!("the entries {first} to {} are not served", size - 1);
    house.check(&one, &doubled, &[&missing]);
    house.audit().assert_fine();

    let without_keys = if house.server.is_on_postgres() {
        ""
    } else {
        "PRAGMA foreign_keys = OFF;"
    };
    let removed = format!(
        "{without_keys} DELETE FROM log_batches WHERE id = {}",
        other.id
    );
    house.server.sql(&removed).unwrap();
    let missing = format!(
        "the entries {} to {} are not served",
        other.first_index,
        size - 1
    );
    house
        .audit()
        .assert_contradiction(&[&missing, "but the signed log of"]);
}

#[tokio::test]
async fn changed_tiles_and_former_checkpoints_are_found() {
    let house = Unprotected::start().await;
    let server = &house.server;
    let former = text(&url(server), "/log/checkpoint").await;
    let former_size = log_lines(server).await.len();
    let round = play_dice(&house.player).await;
    until_logged(&house.player, &round["roundId"]).await;
    house.audit().assert_fine();
    let size = log_lines(server).await.len();

    let stored = server.texts(&format!(
        "SELECT {} AS value FROM log_tiles WHERE level = 0",
        house.hex_of("hashes")
    ));
    let right = hex::decode(&stored[0]).unwrap();
    let mut wrong = right.clone();
    wrong[3 * 32] ^= 1;
    let write = |hashes: &[u8]| {
        let literal = house.literal(hashes);
        let statement = format!("UPDATE log_tiles SET hashes = {literal} WHERE level = 0");
        server.sql(&statement).unwrap();
    };
    write(&wrong);
    house.audit().assert_contradiction(&[
        "tile/0/000.p/",
        "beginning with entry 3, and the served tiles do not lead to the signed root",
    ]);
    write(&right);
    house.audit().assert_fine();

    let state = format!("UPDATE log_state SET checkpoint = '{former}', size = {former_size}");
    server.sql(&state).unwrap();
    let truncated = format!("it has {former_size} entries, but {size} were signed before");
    house
        .audit()
        .assert_contradiction(&["the log was truncated", &truncated]);
}
