//! The token that listings need: kept for as long as it surely holds.

use std::time::{Duration, Instant};

use tokio::sync::Mutex;

use super::options::Secret;

/// The provider's tokens hold for five minutes.
const LIFETIME: Duration = Duration::from_mins(4);

#[derive(Default)]
pub(super) struct TokenCache(Mutex<Option<(Secret, Instant)>>);

impl TokenCache {
    pub(super) async fn get(&self) -> Option<Secret> {
        let kept = self.0.lock().await;
        kept.as_ref()
            .filter(|(_, since)| since.elapsed() < LIFETIME)
            .map(|(token, _)| token.clone())
    }

    pub(super) async fn set(&self, token: Secret) {
        *self.0.lock().await = Some((token, Instant::now()));
    }

    /// Only this one: another call may have fetched a fresh one meanwhile.
    pub(super) async fn forget(&self, token: &Secret) {
        self.0.lock().await.take_if(|(kept, _)| kept == token);
    }
}
