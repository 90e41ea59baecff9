//! `glasshouse witness` over HTTP.

use glasshouse_transparency::Hash;
use glasshouse_transparency::checkpoint::Checkpoint;
use glasshouse_transparency::cosignature::{WitnessKey, add_cosignatures};
use glasshouse_transparency::entry::leaf_hash;
use glasshouse_transparency::keys::{SigningKeys, new_private_key};
use glasshouse_transparency::origin::Origin;
use glasshouse_transparency::proof::prove_consistency;
use glasshouse_transparency::tile::{RightEdge, Tile, TileSource};
use glasshouse_transparency::witness::AddCheckpoint;
use reqwest::{Client, StatusCode};
use secrecy::ExposeSecret as _;
use tempfile::TempDir;

use crate::witnessed::{RunningWitness, command};

/// A log of less than 256 entries; other content makes another log.
struct Log {
    keys: SigningKeys,
    leaves: Vec<Hash>,
}

impl Log {
    fn new(content: &str) -> Self {
        let origin = Origin::parse("play.example/glasshouse").unwrap();
        let key = new_private_key(&origin, [1; 32]);
        let leaf = |index: u8| leaf_hash(format!("{content} {index}").as_bytes());
        Self {
            keys: SigningKeys::parse(key.expose_secret()).unwrap(),
            leaves: (0..200).map(leaf).collect(),
        }
    }

    /// A log whose entries from the given index on are other ones.
    fn forked(&self, from: usize, content: &str) -> Self {
        let mut fork = Self::new(content);
        fork.leaves.splice(..from, self.leaves[..from].to_vec());
        fork
    }

    fn vkeys(&self) -> Vec<String> {
        let keys = self.keys.verifier_keys().iter();
        keys.map(str::to_owned).collect()
    }

    fn checkpoint(&self, size: usize) -> Checkpoint {
        let mut edge = RightEdge::empty();
        edge.append(&self.leaves[..size]).unwrap();
        edge.checkpoint()
    }

    fn request(&self, old_size: u64, size: usize) -> AddCheckpoint {
        let checkpoint = self.checkpoint(size);
        AddCheckpoint {
            old_size,
            proof: prove_consistency(old_size, &checkpoint, self).unwrap(),
            note: checkpoint.sign(&self.keys).unwrap(),
        }
    }
}

impl TileSource for Log {
    type Error = ();

    fn read_tiles(&self, tiles: &[Tile]) -> Result<Vec<Vec<u8>>, ()> {
        let read = |tile: &Tile| {
            let leaves = &self.leaves[..tile.width().into()];
            leaves.iter().flat_map(|leaf| leaf.0).collect()
        };
        Ok(tiles.iter().map(read).collect())
    }
}

/// Status, content type and body of an answer.
async fn post(url: &str, body: Vec<u8>) -> (u16, String, String) {
    let url = format!("{url}/add-checkpoint");
    let response = Client::new().post(url).body(body).send().await.unwrap();
    let status = response.status().as_u16();
    let content_type = response.headers().get("content-type");
    let content_type = content_type.map(|value| value.to_str().unwrap().to_owned());
    let body = response.text().await.unwrap();
    (status, content_type.unwrap_or_default(), body)
}

async fn ask(witness: &RunningWitness, request: &AddCheckpoint) -> (u16, String, String) {
    post(&witness.url, request.to_text().into()).await
}

#[tokio::test]
async fn answers_are_those_of_the_protocol() {
    let folder = TempDir::new().unwrap();
    let log = Log::new("honest");
    let witness = RunningWitness::start(folder.path(), &log.vkeys());
    let request = log.request(0, 5);
    let (status, _, lines) = ask(&witness, &request).await;
    assert_eq!(status, 200, "{lines}");
    let key = WitnessKey::parse(&witness.key).unwrap();
    let note = add_cosignatures(&request.note, &lines, &[key]).unwrap();
    assert!(witness.cosignature(&note).unwrap().second > 1_700_000_000);

    let conflict = (409, "text/x.tlog.size".to_owned(), "5\n".to_owned());
    assert_eq!(ask(&witness, &log.request(0, 9)).await, conflict);
    assert_eq!(ask(&witness, &log.request(3, 9)).await, conflict);
    let fork = Log::new("fork");
    assert_eq!(ask(&witness, &fork.request(5, 5)).await, conflict);
    assert_eq!(ask(&witness, &fork.request(5, 9)).await.0, 422);
    let text = log.request(5, 9).to_text();
    for (text, status) in [
        (text.replacen("\n9\n", "\n8\n", 1), 403),
        (text.replacen("play.example", "other.example", 1), 404),
        (text.replacen("old 5", "old five", 1), 400),
        ("\u{2014}".repeat(20_000), 400),
        ("x".repeat(100_001), 413),
    ] {
        assert_eq!(post(&witness.url, text.into()).await.0, status);
    }
    assert_eq!(post(&witness.url, vec![0xff; 10]).await.0, 400);
    let get = reqwest::get(format!("{}/add-checkpoint", witness.url));
    assert_eq!(get.await.unwrap().status(), StatusCode::NOT_FOUND);
    assert_eq!(ask(&witness, &log.request(5, 9)).await.0, 200);

    let page = reqwest::get(&witness.url)
        .await
        .unwrap()
        .text()
        .await
        .unwrap();
    let root = log.checkpoint(9).root;
    let expected = format!("{}\n\nplay.example/glasshouse\n9\n{root}\n", witness.key);
    assert_eq!(page, expected);
}

/// What was cosigned before the process was killed is known afterwards.
#[tokio::test]
async fn a_killed_witness_forgets_nothing() {
    let folder = TempDir::new().unwrap();
    let log = Log::new("honest");
    let mut witness = RunningWitness::start(folder.path(), &log.vkeys());
    let mut known = 0;
    for size in [1, 7, 100] {
        assert_eq!(ask(&witness, &log.request(known, size)).await.0, 200);
        witness.crash_and_restart();
        known = u64::try_from(size).unwrap();
        let fork = Log::new("fork").request(known, size + 1);
        assert_eq!(ask(&witness, &fork).await.0, 422);
        let (status, _, body) = ask(&witness, &log.request(0, size)).await;
        assert_eq!((status, body), (409, format!("{size}\n")));
    }
}

/// Two logs that exclude each other are sent at once, and the process is killed when the first answer
/// arrives. Whatever was cosigned by then is what the witness knows afterwards.
#[tokio::test]
async fn a_witness_that_is_killed_while_it_cosigns_never_cosigns_a_fork() {
    let folder = TempDir::new().unwrap();
    let mut log = Log::new("honest");
    let mut witness = RunningWitness::start(folder.path(), &log.vkeys());
    let mut known = 0;
    for round in 1..=5 {
        let fork = log.forked(known, &format!("fork {round}"));
        let size = known + 10;
        let old = u64::try_from(known).unwrap();
        let [first, second] = [&log, &fork].map(|log| {
            let url = format!("{}/add-checkpoint", witness.url);
            let body = log.request(old, size).to_text();
            tokio::spawn(async move {
                let sent = Client::new().post(url).body(body).send().await;
                sent.is_ok_and(|response| response.status().is_success())
            })
        });
        let is_first_cosigned = first.await.unwrap();
        witness.crash_and_restart();
        let is_second_cosigned = second.await.unwrap();
        let page = reqwest::get(&witness.url)
            .await
            .unwrap()
            .text()
            .await
            .unwrap();
        let has = |log: &Log| page.contains(&log.checkpoint(size).root.to_string());
        assert!(!is_first_cosigned || has(&log), "{page}");
        assert!(!is_second_cosigned || has(&fork), "{page}");
        assert!(!(is_first_cosigned && is_second_cosigned));
        if has(&fork) {
            log = fork;
        }
        // If nothing was stored, it is cosigned now.
        let (status, ..) = ask(&witness, &log.request(old, size)).await;
        assert!([200, 409].contains(&status), "{status}");
        known = size;
    }
}

#[test]
fn a_witness_needs_a_log_and_a_folder_of_its_own() {
    let folder = TempDir::new().unwrap();
    let log = Log::new("honest");
    let refuse = |logs: &[String]| {
        let output = command(folder.path(), "127.0.0.1:0", logs)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(refuse(&[]).contains("--log <VKEY>"));
    assert!(refuse(&["nonsense".to_owned()]).contains("is not usable"));
    let _witness = RunningWitness::start(folder.path(), &log.vkeys());
    assert!(refuse(&log.vkeys()).contains("another witness is running"));
}
