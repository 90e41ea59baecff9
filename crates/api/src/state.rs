//! The state that all handlers share.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use actix_web::cookie::Key;
use glasshouse_casino::House;
use glasshouse_casino::money::Cashier;

use crate::http::rate_limit::RateLimits;
use crate::http::stopping::Stopping;

/// The settings of the HTTP layer.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The base URL that browsers use, such as `https://play.example`. It determines whether
    /// cookies are secure, whether HSTS is sent, and which `Origin` is our own.
    pub public_url: String,
    /// Whether rate limiting is on.
    pub is_rate_limited: bool,
    /// Whether the server is behind our own proxy, so that the last entry of `X-Forwarded-For` is
    /// the client's address.
    pub is_behind_proxy: bool,
    /// Additional host names of the server besides that of the public URL, without ports.
    pub hosts: Vec<String>,
    /// Whether the API documentation is served publicly, at `/api/docs` and `/api/openapi.json`.
    pub is_documented: bool,
    /// Where to report vulnerabilities, as a `mailto:` or `https:` URL.
    pub security_contact: Option<String>,
    /// The time limit for receiving a request body.
    pub body_timeout: Duration,
}

impl Settings {
    /// Whether the public URL uses HTTPS.
    #[must_use]
    pub fn is_secure(&self) -> bool {
        self.public_url.starts_with("https://")
    }
}

/// The state that every handler can access, shared by all worker threads.
#[derive(Clone)]
pub struct Application {
    pub(crate) house: House,
    pub(crate) cashier: Cashier,
    pub(crate) settings: Arc<Settings>,
    pub(crate) limits: Arc<RateLimits>,
    /// Signs the device cookies.
    pub(crate) device_key: Arc<Key>,
    /// Whether the warning about a proxy in front of the server has been logged.
    pub(crate) has_warned_of_proxy: Arc<AtomicBool>,
    pub(crate) stopping: Stopping,
}

impl Application {
    /// Creates the state. The key signs device cookies and nothing else.
    #[must_use]
    pub fn new(cashier: Cashier, settings: Settings, device_key: &[u8; 64]) -> Self {
        let limits = RateLimits::new(settings.is_rate_limited);
        Self {
            house: cashier.house().clone(),
            cashier,
            settings: Arc::new(settings),
            limits: Arc::new(limits),
            device_key: Arc::new(Key::from(device_key)),
            has_warned_of_proxy: Arc::default(),
            stopping: Stopping::default(),
        }
    }

    /// The house that the handlers operate on.
    #[must_use]
    pub const fn house(&self) -> &House {
        &self.house
    }

    /// The settings of the HTTP layer.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Whether the server has been asked to stop.
    #[must_use]
    pub const fn stopping(&self) -> &Stopping {
        &self.stopping
    }

    /// Evicts idle clients from the in-memory limits. Must be called periodically.
    pub fn evict_idle_clients(&self) {
        self.limits.evict_idle();
        self.cashier.evict_idle_payments();
    }
}
