//! The cached token for listings of payments and for payouts.

use std::time::{Duration, Instant};

use tokio::sync::Mutex;

use super::options::Secret;

/// Shorter than the five minutes for which the provider's tokens are valid.
const LIFETIME: Duration = Duration::from_mins(4);

#[derive(Default)]
pub(super) struct TokenCache(Mutex<Option<(Secret, Instant)>>);

impl TokenCache {
    pub(super) async fn get(&self) -> Option<Secret> {
        let cached = self.0.lock().await;
        cached
            .as_ref()
            .filter(|(_, stored_at)| stored_at.elapsed() < LIFETIME)
            .map(|(token, _)| token.clone())
    }

    pub(super) async fn set(&self, token: Secret) {
        *self.0.lock().await = Some((token, Instant::now()));
    }

    /// Drops only this token, because another call may have stored a fresh one meanwhile.
    pub(super) async fn forget(&self, token: &Secret) {
        self.0.lock().await.take_if(|(cached, _)| cached == token);
    }
}
