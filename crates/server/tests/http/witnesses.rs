//! A house whose log is witnessed.

use std::path::Path;
use std::process::Command;

use glasshouse_transparency::checkpoint::Checkpoint;
use glasshouse_transparency::cosignature::{WitnessKey, cosignatures};
use glasshouse_transparency::keys::VerifierKeys;
use serde_json::Value;
use tempfile::TempDir;

use crate::audited::{audit, play_dice, text, until_logged, url, verifier_keys};
use crate::support::{Server, free_address, wait_for};
use crate::witnessed::RunningWitness;

/// A house's log key that exists before the house does, so that a witness can be started first.
fn log_key(folder: &Path) -> (String, VerifierKeys) {
    use secrecy::ExposeSecret as _;
    let origin = glasshouse_transparency::origin::Origin::parse("play.example/glasshouse").unwrap();
    let line = glasshouse_transparency::keys::new_private_key(&origin, [5; 32]);
    let file = folder.join("given-log-key");
    crate::private_data::write_private(&file, line.expose_secret());
    let keys = glasshouse_transparency::keys::SigningKeys::parse(line.expose_secret()).unwrap();
    let path = file.to_str().unwrap().to_owned();
    (path, keys.verifier_keys().clone())
}

fn vkeys(keys: &VerifierKeys) -> Vec<String> {
    keys.iter().map(str::to_owned).collect()
}

/// A verifier key of a witness that is not running.
fn key_of_an_absent_witness(folder: &Path, logs: &[String]) -> String {
    RunningWitness::start(folder, logs).key.clone()
}

async fn checkpoint_text(server: &Server) -> String {
    text(&url(server), "/log/checkpoint").await
}

/// Waits until the served checkpoint has this size at least and is cosigned by the witness.
async fn until_cosigned(server: &Server, witness: &RunningWitness, size: u64) {
    let keys = verifier_keys(server).await;
    wait_for(async || {
        let note = checkpoint_text(server).await;
        let checkpoint = Checkpoint::open(&note, &keys).unwrap();
        checkpoint.size >= size && witness.cosignature(&note).is_some()
    })
    .await;
}

/// The number of entries of the log once a round of dice is in it.
async fn play(server: &Server, player: &crate::support::Visitor) -> u64 {
    let round = play_dice(player).await;
    until_logged(player, &round["roundId"]).await;
    let note = checkpoint_text(server).await;
    let keys = verifier_keys(server).await;
    Checkpoint::open(&note, &keys).unwrap().size
}

#[tokio::test]
async fn checkpoints_are_cosigned_although_other_witnesses_do_not_answer() {
    let folder = TempDir::new().unwrap();
    let (key_file, keys) = log_key(folder.path());
    let logs = vkeys(&keys);
    let absent = key_of_an_absent_witness(&folder.path().join("absent"), &logs);
    let absent_url = format!("http://{}", free_address());
    // One that accepts connections and never answers.
    let silent = key_of_an_absent_witness(&folder.path().join("silent"), &logs);
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let silent_url = format!("http://{}", listener.local_addr().unwrap());
    let data = folder.path().join("witness");
    let mut witness = RunningWitness::start(&data, &logs);
    let witnesses = format!(
        "{absent_url} {absent},{silent_url} {silent},{} {}",
        witness.url, witness.key
    );
    let server = Server::start_with(&[
        ("GLASSHOUSE_RATE_LIMIT", "off"),
        ("GLASSHOUSE_LOG_KEY_FILE", &key_file),
        ("GLASSHOUSE_WITNESSES", &witnesses),
    ]);
    let player = server.funded_player("alice", "100.00").await;
    for _ in 0..3 {
        let size = play(&server, &player).await;
        until_cosigned(&server, &witness, size).await;
        witness.crash_and_restart();
    }
    // Third parties ignore signatures that they do not know.
    audit(&url(&server), &[]).assert_fine();
    let keys_of = ["--witness", &witness.key, "--witness", &absent];
    let audited = audit(&url(&server), &keys_of);
    audited.assert_fine();
    for text in [": cosigned ", ": NO COSIGNATURE."] {
        let line = format!("Witness witness.example/1{text}");
        assert!(audited.report.contains(&line), "{}", audited.report);
    }
    assert_shown(&server, &[&absent, &silent, &witness.key]).await;
    let stored = server.texts("SELECT witness AS value FROM cosignatures");
    assert_eq!(stored, [witness.key.as_str()]);
    server.assert_clean();
    // Only what matches the checkpoint is served.
    let note = checkpoint_text(&server).await;
    let size = Checkpoint::open(&note, &keys).unwrap().size;
    until_cosigned(&server, &witness, size).await;
    drop(witness.stop());
    for change in [
        "line = (SELECT substr(line, 1, length(line) - 10) || 'AAAAAAAA=' || substr(line, length(line)))",
        "line = 'nonsense'",
        "size = size + 1",
    ] {
        server
            .sql(&format!("UPDATE cosignatures SET {change}"))
            .unwrap();
        let note = checkpoint_text(&server).await;
        assert!(!note.contains("witness.example"), "{note}");
        assert_eq!(Checkpoint::open(&note, &keys).unwrap().size, size);
    }
    audit(&url(&server), &[]).assert_fine();
}

/// The overview lists the witnesses in the order of the configuration. Only the last one has cosigned,
/// and the checkpoint shows it.
async fn assert_shown(server: &Server, keys: &[&str]) {
    wait_for(async || {
        let overview = text(&url(server), "/api/transparency").await;
        let overview: Value = serde_json::from_str(&overview).unwrap();
        let [others @ .., last] = overview["witnesses"].as_array().unwrap().as_slice() else {
            panic!("{overview}")
        };
        let listed = overview["witnesses"].as_array().unwrap().iter();
        let listed: Vec<&str> = listed
            .map(|witness| witness["verifierKey"].as_str().unwrap())
            .collect();
        assert_eq!(listed, keys);
        assert_eq!(last["name"], "witness.example/1");
        for other in others {
            assert_eq!(other["cosignedSize"], Value::Null);
            assert_eq!(other["cosignedAt"], Value::Null);
        }
        let key = WitnessKey::parse(keys.last().unwrap()).unwrap();
        let note = overview["checkpoint"].as_str().unwrap();
        let is_cosigned = !cosignatures(note, &[key]).unwrap().is_empty();
        is_cosigned && last["cosignedSize"] == overview["size"] && last["cosignedAt"].is_string()
    })
    .await;
}

/// A witness that has been down, or is new, is asked from the size that it knows on.
#[tokio::test]
async fn a_witness_continues_where_it_was_and_never_follows_a_fork() {
    let folder = TempDir::new().unwrap();
    let (key_file, keys) = log_key(folder.path());
    let logs = vkeys(&keys);
    let data = folder.path().join("witness");
    let witness = RunningWitness::start(&data, &logs);
    let file = folder.path().join("witnesses");
    std::fs::write(
        &file,
        format!("# ours\n\n{} {}\n", witness.url, witness.key),
    )
    .unwrap();
    let settings = [
        ("GLASSHOUSE_RATE_LIMIT", "off"),
        ("GLASSHOUSE_LOG_KEY_FILE", key_file.as_str()),
        ("GLASSHOUSE_WITNESSES_FILE", file.to_str().unwrap()),
    ];
    let first = Server::start_with(&settings);
    let player = first.funded_player("alice", "100.00").await;
    let mut size = 0;
    for _ in 0..3 {
        size = play(&first, &player).await;
    }
    until_cosigned(&first, &witness, size).await;
    // The house has lost what it knew about its witness, as after the restoration of a backup.
    first.sql("DELETE FROM cosignatures").unwrap();
    let mut first = first;
    first.crash_and_restart_with(&settings);
    until_cosigned(&first, &witness, size).await;

    // Another house with the same key is a fork.
    let log = folder.path().join("fork.log");
    let errors = std::fs::File::create(&log).unwrap();
    let fork = Server::start_logging(&settings, errors.into());
    let player = fork.funded_player("alice", "100.00").await;
    let mut forked = 0;
    while forked <= size {
        forked = play(&fork, &player).await;
    }
    wait_for(async || {
        let said = std::fs::read_to_string(&log).unwrap();
        said.contains("does not continue the one of") && said.contains("does not cosign")
    })
    .await;
    let note = checkpoint_text(&fork).await;
    assert_eq!(witness.cosignature(&note), None);
    assert_eq!(
        fork.texts("SELECT witness AS value FROM cosignatures")
            .len(),
        0
    );
}

#[test]
fn malformed_witnesses_are_refused() {
    let folder = TempDir::new().unwrap();
    let refuse = |name: &str, value: &str, text: &str| {
        let mut command: Command =
            crate::support::command(folder.path(), &free_address(), &free_address());
        let output = command.arg("migrate").env(name, value).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{errors}");
        assert!(errors.contains(text), "{errors}");
    };
    refuse(
        "GLASSHOUSE_WITNESSES",
        "nonsense",
        "a witness is an address and a verifier key",
    );
    refuse(
        "GLASSHOUSE_WITNESSES",
        "ftp://a b",
        "the address of a witness",
    );
    refuse(
        "GLASSHOUSE_WITNESSES",
        "https://a b",
        "is not the verifier key of a witness",
    );
    refuse(
        "GLASSHOUSE_WITNESSES_FILE",
        "nowhere",
        "GLASSHOUSE_WITNESSES_FILE",
    );
}

/// The metrics tell how old the last cosignature is.
#[tokio::test]
async fn the_age_of_cosignatures_is_in_the_metrics() {
    let folder = TempDir::new().unwrap();
    let (key_file, keys) = log_key(folder.path());
    let witness = RunningWitness::start(&folder.path().join("witness"), &vkeys(&keys));
    let metrics = free_address();
    let witnesses = format!("{} {}", witness.url, witness.key);
    let server = Server::start_with(&[
        ("GLASSHOUSE_RATE_LIMIT", "off"),
        ("GLASSHOUSE_LOG_KEY_FILE", &key_file),
        ("GLASSHOUSE_WITNESSES", &witnesses),
        ("GLASSHOUSE_METRICS_BIND", &metrics),
    ]);
    until_cosigned(&server, &witness, 1).await;
    let name = r#"glasshouse_witness_cosignature_age_seconds{witness="witness.example/1"} "#;
    wait_for(async || {
        let all = text(&format!("http://{metrics}"), "/metrics").await;
        let age = all
            .lines()
            .find_map(|line| line.strip_prefix(name)?.parse().ok());
        age.is_some_and(|age: f64| age.is_finite())
    })
    .await;
}
