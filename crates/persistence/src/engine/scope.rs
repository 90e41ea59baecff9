//! Whom a piece of work concerns.

use glasshouse_domain::{Game, UserId};

use crate::rounds::open_rounds::PlayerGame;
use crate::rounds::round::PlayerKey;

/// Whom a piece of work concerns. The batch locks the account and looks up the key beforehand,
/// together with those of all other work; the player also decides which writer does it.
#[derive(Debug, Clone, Default)]
pub struct Scope {
    player: Option<UserId>,
    idempotency_key: Option<String>,
    game: Option<Game>,
    settlement_key: Option<String>,
}

impl Scope {
    /// Work that touches no account, such as a registration.
    #[must_use]
    pub const fn nobody() -> Self {
        Self {
            player: None,
            idempotency_key: None,
            game: None,
            settlement_key: None,
        }
    }

    /// Work on one player's account.
    #[must_use]
    pub const fn player(player: UserId) -> Self {
        Self {
            player: Some(player),
            idempotency_key: None,
            game: None,
            settlement_key: None,
        }
    }

    /// The same, for a call with an idempotency key that rounds are found by.
    #[must_use]
    pub fn with_key(mut self, key: Option<String>) -> Self {
        self.idempotency_key = key;
        self
    }

    /// The same, for work on the player's open round of a game.
    #[must_use]
    pub const fn with_game(mut self, game: Game) -> Self {
        self.game = Some(game);
        self
    }

    /// The same, for a call with an idempotency key that ends a round.
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
