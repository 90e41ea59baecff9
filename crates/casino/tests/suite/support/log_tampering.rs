//! A house with rounds in the log, and changes of its database past the triggers.

use glasshouse_casino::money::{WithdrawalRequest, request_withdrawal};
use glasshouse_games::dice::BetType;
use glasshouse_persistence::books::BatchToCheck;
use glasshouse_persistence::queries;
use glasshouse_testing::log_signer;
use glasshouse_transparency::checkpoint::ReceiptsRoot;
use glasshouse_transparency::entry::{encode_bundle, leaf_hash};
use glasshouse_transparency::receipt_tree::ReceiptTree;
use glasshouse_transparency::tile::RightEdge;

use super::games::place_dice_bet;
use super::public_log::advance;
use super::seeds::rotate;
use super::tampering::disable_triggers;
use super::{Fixture, bet};

/// The number of rounds of the player: three with a pair that is revealed, three with the active one,
/// of which the last one waits for its place in the log.
pub(crate) const ROUNDS: usize = 6;

/// A house whose only player has played, with the IDs that tests name.
pub(crate) struct Played<'t> {
    test: &'t Fixture,
    /// The IDs of the rounds.
    rounds: Vec<String>,
    /// The IDs of their batches.
    batches: Vec<String>,
}

impl<'t> Played<'t> {
    /// Plays each round in a commit of its own.
    pub(crate) async fn on(test: &'t Fixture) -> Self {
        let player = test.player("alice", 100_000).await;
        for number in 0..ROUNDS {
            if number == 3 {
                rotate(&test.house, player, "chosen").await.unwrap();
            }
            if number == ROUNDS - 1 {
                advance(test, &test.house).await;
            }
            let stake = 100 + i64::try_from(number).unwrap();
            let bet = bet(stake, 50, BetType::Over);
            place_dice_bet(&test.house, player, bet, None)
                .await
                .unwrap();
        }
        let address = "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2";
        let wish = WithdrawalRequest::parse("20", "btc", address).unwrap();
        request_withdrawal(&test.house, player, wish, None)
            .await
            .unwrap();
        test.assert_clean().await;
        let column = |name: &str| {
            test.texts(&format!(
                "SELECT CAST({name} AS TEXT) AS value FROM rounds ORDER BY id"
            ))
        };
        Self {
            test,
            rounds: column("id"),
            batches: column("receipt_batch_id"),
        }
    }

    /// Replaces `{r0}` by the ID of the first round, `{b0}` by that of its batch, and `{empty}` by no
    /// bytes.
    pub(crate) fn named(&self, text: &str) -> String {
        let mut text = text.replace("{empty}", &self.literal(&[]));
        for (number, (round, batch)) in self.rounds.iter().zip(&self.batches).enumerate() {
            text = text.replace(&format!("{{r{number}}}"), round);
            text = text.replace(&format!("{{b{number}}}"), batch);
        }
        text
    }

    /// Changes the database past the triggers and SQLite's foreign keys, as somebody who may change the schema could.
    pub(crate) fn change(&self, statements: &str) {
        let triggers = disable_triggers(self.test);
        let without_keys = if self.test.is_postgres() {
            ""
        } else {
            "PRAGMA foreign_keys = OFF;"
        };
        let change = format!("{without_keys} {}", self.named(statements));
        self.test.sql(&change).unwrap();
        self.test.sql(&triggers).unwrap();
    }

    /// Replaces the entries in a round's batch.
    pub(crate) fn change_entries(&self, round: usize, change: impl FnOnce(&mut Vec<String>)) {
        let batch = self.batch(round);
        let mut lines: Vec<String> = batch
            .lines()
            .unwrap()
            .into_iter()
            .map(|line| String::from_utf8(line.to_vec()).unwrap())
            .collect();
        change(&mut lines);
        let entries = self.literal(&encode_bundle(&lines).unwrap());
        let (id, count) = (batch.id, lines.len());
        self.change(&format!(
            "UPDATE log_batches SET entries = {entries}, entry_count = {count} WHERE id = {id}"
        ));
    }

    /// Changes a receipt in a round's batch. With the key, it could also sign it.
    pub(crate) fn change_receipt(&self, round: usize, is_signed: bool) {
        let mut batch = self.batch(round);
        batch.receipts[0].0[0] ^= 1;
        if is_signed {
            let root: ReceiptsRoot = ReceiptTree::new(batch.receipts.iter().copied())
                .root()
                .unwrap();
            batch.note = root.sign(log_signer().keys()).unwrap();
        }
        let hashes: Vec<u8> = batch.receipts.iter().flat_map(|hash| hash.0).collect();
        let BatchToCheck { id, note, .. } = &batch;
        self.change(&format!(
            "UPDATE log_batches SET note = '{note}', receipts = {} WHERE id = {id}",
            self.literal(&hashes)
        ));
    }

    /// Changes the leaf hash of an entry in the stored tile.
    pub(crate) fn change_tile(&self, index: usize) {
        let mut connection = self.test.url.connect().unwrap();
        let mut hashes = queries::log_tile(&mut connection, 1, 0, 0).unwrap();
        hashes[index * 32] ^= 1;
        let literal = self.literal(&hashes);
        self.change(&format!(
            "UPDATE log_tiles SET hashes = {literal} WHERE level = 0"
        ));
    }

    /// Computes the tiles anew from the entries that have a place.
    pub(crate) fn rebuild_tiles(&self) {
        let mut connection = self.test.url.connect().unwrap();
        let batches = queries::batches_of_log(&mut connection, 1, 0, i64::MAX).unwrap();
        let leaves: Vec<_> = batches
            .iter()
            .flat_map(|batch| batch.lines().unwrap())
            .map(leaf_hash)
            .collect();
        for stored in RightEdge::empty().append(&leaves).unwrap() {
            let literal = self.literal(&stored.data);
            let (level, index) = (stored.tile.level(), stored.tile.index());
            self.change(&format!(
                "UPDATE log_tiles SET hashes = {literal}
                 WHERE level = {level} AND tile_index = {index}"
            ));
        }
    }

    fn batch(&self, round: usize) -> BatchToCheck {
        let id = self.batches[round].parse().unwrap();
        let mut connection = self.test.url.connect().unwrap();
        queries::batches_by_id(&mut connection, &[id])
            .unwrap()
            .remove(0)
    }

    fn literal(&self, bytes: &[u8]) -> String {
        let digits = hex::encode(bytes);
        if self.test.is_postgres() {
            format!("'\\x{digits}'::bytea")
        } else {
            format!("X'{digits}'")
        }
    }
}
