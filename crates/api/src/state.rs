//! What all handlers share.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use actix_web::cookie::Key;
use glasshouse_casino::House;
use glasshouse_casino::money::Cashier;

use crate::http::rate_limit::RateLimits;

/// How the front door is set up.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Where browsers reach the house, such as `https://play.example`; decides over the secure
    /// cookie, HSTS and which Origin is our own.
    pub public_url: String,
    /// Whether registration, logins and bets are limited in rate.
    pub is_rate_limited: bool,
    /// Whether the last address of `X-Forwarded-For` is the client's, because a proxy of ours
    /// wrote it.
    pub is_behind_proxy: bool,
    /// Names by which the house is reached beside that of the public address, without ports.
    pub hosts: Vec<String>,
    /// Whether the calls are described to everybody, at `/api/docs` and `/api/openapi.json`.
    pub is_documented: bool,
    /// Where to report a weakness, as `mailto:` or `https:`.
    pub security_contact: Option<String>,
    /// How long the body of a request may take to arrive.
    pub body_timeout: Duration,
}

impl Settings {
    /// Whether browsers reach the house by HTTPS.
    #[must_use]
    pub fn is_secure(&self) -> bool {
        self.public_url.starts_with("https://")
    }
}

/// What every handler can reach: one for all worker threads.
#[derive(Clone)]
pub struct Application {
    pub(crate) house: House,
    pub(crate) cashier: Cashier,
    pub(crate) settings: Arc<Settings>,
    pub(crate) limits: Arc<RateLimits>,
    /// Signs the cookies by which devices are known.
    pub(crate) device_key: Arc<Key>,
    /// Whether it was already said that a proxy seems to be in front.
    pub(crate) is_proxy_told: Arc<AtomicBool>,
}

impl Application {
    /// Puts the parts together. The key signs the cookies by which devices are known, and nothing
    /// else.
    #[must_use]
    pub fn new(cashier: Cashier, settings: Settings, device_key: &[u8; 64]) -> Self {
        let limits = RateLimits::new(settings.is_rate_limited);
        Self {
            house: cashier.house().clone(),
            cashier,
            settings: Arc::new(settings),
            limits: Arc::new(limits),
            device_key: Arc::new(Key::from(device_key)),
            is_proxy_told: Arc::default(),
        }
    }

    /// The house behind the routes.
    #[must_use]
    pub const fn house(&self) -> &House {
        &self.house
    }

    /// How the front door is set up.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Forgets clients that have long been quiet. To be called now and then.
    pub fn evict_idle_clients(&self) {
        self.limits.evict_idle();
        self.cashier.evict_idle_payments();
    }
}
