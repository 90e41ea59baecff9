//! The state that the server, pending callbacks and the handle share.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use glasshouse_payments::signature::IpnSecret;
use tokio::runtime;
use tokio::sync::watch;
use totp_rs::{Builder, Totp};

use crate::callback_record::{Callback, OutgoingCallback};
use crate::error::SandboxError;
use crate::fault_injection::Switches;
use crate::json::Alternation;
use crate::options::SandboxOptions;
use crate::storage;
use crate::store::Store;

/// The number of callbacks kept.
const MAXIMUM_CALLBACKS: usize = 10_000;
/// The number of tokens kept.
const MAXIMUM_TOKENS: usize = 1_000;
/// How long a token is valid.
const TOKEN_LIFETIME: Duration = Duration::from_mins(5);

/// The state that the server, pending callbacks and the handle share.
pub(crate) struct Shared {
    pub(crate) options: SandboxOptions,
    /// The base URL for programs on this machine.
    pub(crate) local_url: String,
    /// The base URL for browsers, without a trailing slash.
    pub(crate) public_url: String,
    pub(crate) secret: IpnSecret,
    /// The authenticator of the account.
    pub(crate) authenticator: Totp,
    http: OnceLock<reqwest::Client>,
    /// The runtime for work that outlives a request.
    pub(crate) runtime: runtime::Handle,
    store: Mutex<Store>,
    switches: Mutex<Switches>,
    callbacks: Mutex<VecDeque<Callback>>,
    tokens: Mutex<VecDeque<(String, Instant)>>,
    pub(crate) held: Mutex<Option<OutgoingCallback>>,
    /// The forms of responses alternate on their own: callbacks are made in the background.
    pub(crate) response_forms: Alternation,
    pub(crate) callback_forms: Alternation,
    /// The number of payouts that were asked for, whose answers take turns with their shapes.
    pub(crate) shown_payouts: AtomicUsize,
    calls: AtomicUsize,
    /// The number of scripts and callbacks in progress.
    pending: watch::Sender<usize>,
}

/// Marks work in progress until it is dropped.
pub(crate) struct Work(Arc<Shared>);

impl Drop for Work {
    fn drop(&mut self) {
        let count = &self.0.pending;
        count.send_modify(|count| *count = count.saturating_sub(1));
    }
}

/// Ignores poisoning: no critical section can leave the data in an inconsistent state.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    pub(crate) fn new(
        options: SandboxOptions,
        local_url: String,
        runtime: runtime::Handle,
    ) -> Result<Arc<Self>, SandboxError> {
        let secret = IpnSecret::new(options.ipn_secret.clone())
            .map_err(|error| SandboxError::Machine(error.to_string()))?;
        let authenticator = totp_rs::Secret::try_from_base32(&options.payout_secret)
            .map(|secret| Builder::new().with_secret(secret).build_noncompliant())
            .map_err(|_| SandboxError::NotPossible("The payout secret must be in base 32"))?;
        let store = match &options.data {
            Some(path) => storage::read(path)?,
            None => Store::default(),
        };
        let public_url = match &options.public_url {
            Some(url) => url.trim_end_matches('/').to_owned(),
            None => local_url.clone(),
        };
        Ok(Arc::new(Self {
            options,
            local_url,
            public_url,
            secret,
            authenticator,
            http: OnceLock::new(),
            runtime,
            store: Mutex::new(store),
            switches: Mutex::default(),
            callbacks: Mutex::default(),
            tokens: Mutex::default(),
            held: Mutex::default(),
            response_forms: Alternation::default(),
            callback_forms: Alternation::default(),
            shown_payouts: AtomicUsize::new(0),
            calls: AtomicUsize::new(0),
            pending: watch::Sender::new(0),
        }))
    }

    /// What callbacks are sent with. Without one, the system's certificates would only take memory.
    ///
    /// # Errors
    /// If the library cannot be set up.
    pub(crate) fn http(&self) -> reqwest::Result<&reqwest::Client> {
        if let Some(client) = self.http.get() {
            return Ok(client);
        }
        let client = reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .timeout(self.options.callback_timeout)
            .build()?;
        Ok(self.http.get_or_init(|| client))
    }

    /// Reads the store.
    pub(crate) fn read<T>(&self, read: impl FnOnce(&Store) -> T) -> T {
        read(&lock(&self.store))
    }

    /// Changes the store, and persists it before returning.
    pub(crate) fn write<T>(
        &self,
        write: impl FnOnce(&mut Store) -> Result<T, SandboxError>,
    ) -> Result<T, SandboxError> {
        let mut store = lock(&self.store);
        let result = write(&mut store)?;
        if let Some(path) = &self.options.data {
            storage::write(&store, path)?;
        }
        Ok(result)
    }

    /// Counts an API request, whatever the response.
    pub(crate) fn count_call(&self) {
        self.calls.fetch_add(1, Ordering::SeqCst);
    }

    /// The number of API requests received.
    pub(crate) fn calls(&self) -> usize {
        self.calls.load(Ordering::SeqCst)
    }

    pub(crate) fn switches(&self) -> MutexGuard<'_, Switches> {
        lock(&self.switches)
    }

    pub(crate) fn callbacks(&self) -> MutexGuard<'_, VecDeque<Callback>> {
        lock(&self.callbacks)
    }

    pub(crate) fn record_callback(&self, callback: Callback) {
        let mut callbacks = self.callbacks();
        if callbacks.len() >= MAXIMUM_CALLBACKS {
            callbacks.pop_front();
        }
        callbacks.push_back(callback);
    }

    /// Replaces the callback held back, and returns the previous one.
    pub(crate) fn hold(&self, outgoing: Option<OutgoingCallback>) -> Option<OutgoingCallback> {
        std::mem::replace(&mut lock(&self.held), outgoing)
    }

    pub(crate) fn is_holding(&self) -> bool {
        lock(&self.held).is_some()
    }

    pub(crate) fn add_token(&self, token: String) {
        let mut tokens = lock(&self.tokens);
        if tokens.len() >= MAXIMUM_TOKENS {
            tokens.pop_front();
        }
        tokens.push_back((token, Instant::now()));
    }

    pub(crate) fn accepts_token(&self, token: &str) -> bool {
        lock(&self.tokens)
            .iter()
            .any(|(known, issued)| known == token && issued.elapsed() < TOKEN_LIFETIME)
    }

    pub(crate) fn forget_tokens(&self) {
        lock(&self.tokens).clear();
    }

    pub(crate) fn begin_work(self: &Arc<Self>) -> Work {
        self.pending.send_modify(|count| *count += 1);
        Work(Arc::clone(self))
    }

    pub(crate) fn pending(&self) -> watch::Receiver<usize> {
        self.pending.subscribe()
    }
}
