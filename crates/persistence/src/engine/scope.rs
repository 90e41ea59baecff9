//! The rows that a piece of work needs.

use glasshouse_domain::{Game, UserId};

use crate::rounds::by_key::PlayerKey;
use crate::rounds::open_rounds::PlayerGame;

/// The rows that a piece of work needs. The batch locks the account and looks up the keys
/// beforehand, together with those of all other work. The player also determines the writer.
#[derive(Debug, Clone, Default)]
pub struct Scope {
    player: Option<UserId>,
    idempotency_key: Option<String>,
    game: Option<Game>,
    settlement_key: Option<String>,
}

impl Scope {
    /// Work that needs no account, such as a registration.
    #[must_use]
    pub const fn nobody() -> Self {
        Self {
            player: None,
            idempotency_key: None,
            game: None,
            settlement_key: None,
        }
    }

    /// Work on a player's account.
    #[must_use]
    pub const fn player(player: UserId) -> Self {
        Self {
            player: Some(player),
            idempotency_key: None,
            game: None,
            settlement_key: None,
        }
    }

    /// Adds the idempotency key of a call that starts a round.
    #[must_use]
    pub fn with_key(mut self, key: Option<String>) -> Self {
        self.idempotency_key = key;
        self
    }

    /// Adds the player's open round of a game.
    #[must_use]
    pub const fn with_game(mut self, game: Game) -> Self {
        self.game = Some(game);
        self
    }

    /// Adds the idempotency key of a call that ends a round.
    #[must_use]
    pub fn with_settlement_key(mut self, key: Option<String>) -> Self {
        self.settlement_key = key;
        self
    }

    pub(crate) fn settlement(&self) -> Option<PlayerKey> {
        Some((self.player?, self.settlement_key.clone()?))
    }

    pub(crate) fn player_game(&self) -> Option<PlayerGame> {
        Some((self.player?, self.game?))
    }

    pub(crate) fn idempotency(&self) -> Option<(UserId, String)> {
        Some((self.player?, self.idempotency_key.clone()?))
    }

    pub(crate) const fn get_player(&self) -> Option<UserId> {
        self.player
    }
}
