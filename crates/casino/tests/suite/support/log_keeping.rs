//! Servers that keep the last checkpoint of the log in a file, and what they refuse.

use std::path::PathBuf;

use glasshouse_casino::play::RoundView;
use glasshouse_casino::{CasinoError, Fault, House};
use glasshouse_domain::UserId;
use glasshouse_games::dice::BetType;
use glasshouse_games::game_round::GameRound;
use tempfile::TempDir;

use super::games::{DiceRound, place_dice_bet};
use super::public_log::{advance, stored_checkpoint, waiting_batches};
use super::{Fixture, bet};

/// A server whose last checkpoint is kept in a file.
pub(crate) struct Keeping {
    pub(crate) house: House,
    pub(crate) file: PathBuf,
    pub(crate) folder: TempDir,
}

impl Keeping {
    pub(crate) fn on(house: House) -> Self {
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("log-checkpoint");
        Self {
            house: house.keeping_checkpoints_in(file.clone()),
            file,
            folder,
        }
    }

    /// Another server with the same file.
    pub(crate) fn another(&self, house: House) -> House {
        house.keeping_checkpoints_in(self.file.clone())
    }
}

pub(crate) async fn try_bet(house: &House, player: UserId) -> Result<DiceRound, CasinoError> {
    place_dice_bet(house, player, bet(100, 50, BetType::Over), None).await
}

#[track_caller]
pub(crate) fn assert_unavailable<R: GameRound>(outcome: &Result<RoundView<R>, CasinoError>) {
    assert!(
        matches!(
            outcome,
            Err(CasinoError::Fault(Fault::PublicLogUnavailable))
        ),
        "{outcome:?}"
    );
}

/// Asserts that the server signs nothing and takes no bets, however often it tries.
pub(crate) async fn assert_refuses(test: &Fixture, house: &House, player: UserId) {
    let signed = stored_checkpoint(test);
    let waiting = waiting_batches(test);
    for _ in 0..3 {
        advance(test, house).await;
        assert_unavailable(&try_bet(house, player).await);
    }
    assert_eq!(stored_checkpoint(test), signed);
    assert_eq!(waiting_batches(test), waiting);
}

/// The player's balance is enough for a hundred bets.
pub(crate) async fn player_of(test: &Fixture) -> UserId {
    test.player("alice", 1_000_000).await
}
