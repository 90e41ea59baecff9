//! Receipts as a player verifies them, and the log as anyone reads it.

use std::future::Future;
use std::time::Duration;

use glasshouse_casino::public_log::{
    Receipt, advance_public_log, read_bundle, read_checkpoint, read_tile,
};
use glasshouse_casino::{CasinoError, House};
use glasshouse_domain::Timestamp;
use glasshouse_testing::log_signer;
use glasshouse_transparency::checkpoint::Checkpoint;
use glasshouse_transparency::entry::{Entry, decode_bundle, leaf_hash};
use glasshouse_transparency::keys::VerifierKeys;
use glasshouse_transparency::proof::{checkpoint_at, prove_consistency, verify_consistency};
use glasshouse_transparency::receipt::SignedReceipt;
use glasshouse_transparency::tile::{RightEdge, Tile, TileSource, changed_bundles, changed_tiles};
use tokio::runtime::Handle;
use tokio::task::block_in_place;

use super::Fixture;

/// The first lines of every receipt in the tests.
pub(crate) const BEGINNING: &str = "glasshouse receipt v1\norigin house.example/glasshouse\n";

/// The published keys.
pub(crate) fn verifier_keys() -> VerifierKeys {
    log_signer().keys().verifier_keys().clone()
}

/// The receipt with its proof, which is verified.
#[track_caller]
pub(crate) fn proven(receipt: Option<&Receipt>) -> SignedReceipt {
    let proven = receipt.expect("a receipt").proven().expect("a proof");
    proven.verify(&verifier_keys()).unwrap();
    proven
}

/// A time as in a receipt.
pub(crate) fn time_text(at: Timestamp) -> String {
    let time = jiff::Timestamp::from_microsecond(at.as_micros()).unwrap();
    time.strftime("%Y-%m-%dT%H:%M:%S%.6fZ").to_string()
}

/// The log as a house serves it.
pub(crate) struct ServedLog {
    house: House,
    pub(crate) end: Checkpoint,
    pub(crate) signed: String,
}

impl ServedLog {
    /// Reads the last checkpoint.
    pub(crate) async fn read(house: &House) -> Self {
        let signed = read_checkpoint(house).await.unwrap();
        let signed = signed.expect("the log has not begun");
        Self {
            house: house.clone(),
            end: Checkpoint::open(&signed, &house.log_keys()).unwrap(),
            signed,
        }
    }

    /// Takes all waiting entries into the log and reads it.
    pub(crate) async fn advanced(test: &Fixture) -> Self {
        advance(test, &test.house).await;
        assert_eq!(waiting_batches(test), 0);
        Self::read(&test.house).await
    }

    /// All entries, from the bundles as they are served.
    pub(crate) fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for bundle in changed_bundles(0, self.end.size).unwrap() {
            let data = wait_for(read_bundle(&self.house, bundle)).unwrap();
            let data = data.expect("a bundle is missing");
            let entries = decode_bundle(&data, bundle.width()).unwrap();
            lines.extend(
                entries
                    .into_iter()
                    .map(|line| str::from_utf8(line).unwrap().to_owned()),
            );
        }
        lines
    }

    pub(crate) fn entries(&self) -> Vec<Entry> {
        self.lines()
            .iter()
            .map(|line| Entry::parse(line).unwrap())
            .collect()
    }

    /// The lines of settled rounds.
    pub(crate) fn round_lines(&self) -> Vec<String> {
        let is_round = |line: &String| matches!(Entry::parse(line).unwrap(), Entry::Round(_));
        self.lines().into_iter().filter(is_round).collect()
    }

    /// Asserts that checkpoint, tiles and bundles fit together.
    #[track_caller]
    pub(crate) fn assert_whole(&self) {
        let lines = self.lines();
        let leaves: Vec<_> = lines
            .iter()
            .map(|line| leaf_hash(line.as_bytes()))
            .collect();
        let mut edge = RightEdge::empty();
        let expected = edge.append(&leaves).unwrap();
        assert_eq!(edge.checkpoint(), self.end);
        let tiles = changed_tiles(0, self.end.size).unwrap();
        for tile in &tiles {
            let expected = expected.iter().find(|stored| stored.tile == *tile).unwrap();
            let served = wait_for(read_tile(&self.house, *tile)).unwrap();
            assert_eq!(served.as_ref(), Some(&expected.data), "{tile:?}");
        }
    }

    /// Asserts that this log continues the earlier one.
    #[track_caller]
    pub(crate) fn assert_continues(&self, earlier: &Self) {
        assert_eq!(
            checkpoint_at(earlier.end.size, &self.end, self).unwrap(),
            earlier.end
        );
        let proof = prove_consistency(earlier.end.size, &self.end, self).unwrap();
        verify_consistency(&proof, &earlier.end, &self.end).unwrap();
    }
}

/// Takes waiting entries into the log, a second after the last checkpoint.
pub(crate) async fn advance(test: &Fixture, house: &House) {
    test.clock.advance(Duration::from_secs(1));
    advance_public_log(house).await;
}

/// Waits for a call of the house in code that is not async.
pub(crate) fn wait_for<T>(
    call: impl Future<Output = Result<T, CasinoError>>,
) -> Result<T, CasinoError> {
    block_in_place(|| Handle::current().block_on(call))
}

impl TileSource for ServedLog {
    type Error = String;

    fn read_tiles(&self, tiles: &[Tile]) -> Result<Vec<Vec<u8>>, String> {
        let read = |tile: &Tile| {
            let served = wait_for(read_tile(&self.house, *tile)).map_err(|e| e.to_string())?;
            served.ok_or_else(|| format!("{tile:?} is missing"))
        };
        tiles.iter().map(read).collect()
    }
}

/// The last checkpoint in the database; empty before the first.
pub(crate) fn stored_checkpoint(test: &Fixture) -> String {
    test.texts("SELECT checkpoint AS value FROM log_state")
        .remove(0)
}

/// The number of batches with entries that have no place in the log yet.
pub(crate) fn waiting_batches(test: &Fixture) -> i64 {
    let count = "SELECT CAST(COUNT(*) AS TEXT) AS value FROM waiting_log_batches";
    test.texts(count)[0].parse().unwrap()
}
