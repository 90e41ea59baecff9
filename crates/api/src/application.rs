//! What all handlers share, and the routes put together.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use actix_web::cookie::Key;
use actix_web::web;
use glasshouse_casino::House;
use glasshouse_casino::money::Cashier;
use utoipa::OpenApi;
use utoipa_actix_web::{AppExt, service_config};
use utoipa_swagger_ui::SwaggerUi;

use crate::body::MAXIMUM_BODY_BYTES;
use crate::document::complete;
use crate::error::{malformed_path, malformed_query};
use crate::rate_limit::RateLimits;
use crate::{routes, static_files};

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
    pub fn forget_quiet_clients(&self) {
        self.limits.forget_quiet();
        self.cashier.forget_quiet_payments();
    }
}

#[derive(OpenApi)]
#[openapi(info(
    title = "Glasshouse",
    description = "The calls of the Glasshouse casino. Amounts are decimal strings of US dollars \
                   with two digits; times are ISO 8601 in UTC; errors carry `message` and `code`."
))]
struct Document;

fn api_routes(config: &mut service_config::ServiceConfig<'_>) {
    config
        .service(routes::users::register)
        .service(routes::users::login)
        .service(routes::users::logout)
        .service(routes::users::current_user)
        .service(routes::cryptocurrencies::cryptocurrencies)
        .service(routes::deposits::new_deposit)
        .service(routes::deposits::deposit_status)
        .service(routes::deposits::deposit_list)
        .service(routes::deposits::wagering)
        .service(routes::withdrawals::withdrawal_list)
        .service(routes::withdrawals::new_withdrawal)
        .service(routes::callback::payment_callback)
        .service(routes::dice::dice_settings)
        .service(routes::dice::play_dice)
        .service(routes::crash::crash_settings)
        .service(routes::crash::play_crash)
        .service(routes::stonks::stonks_settings)
        .service(routes::stonks::play_stonks)
        .service(routes::poker::deal)
        .service(routes::poker::hold)
        .service(routes::poker::draw)
        .service(routes::heads_up::deal_hand)
        .service(routes::heads_up::play_hand)
        .service(routes::analysis::round_analysis)
        .service(routes::live::rounds_in_play)
        .service(routes::events::events)
        .service(routes::history::game_history)
        .service(routes::history::statistics)
        .service(routes::fairness::fairness)
        .service(routes::fairness::rotate)
        .service(routes::fairness::verifiable_round)
        .service(routes::admin::users::user_list)
        .service(routes::admin::users::one_user)
        .service(routes::admin::users::set_status)
        .service(routes::admin::users::set_balance)
        .service(routes::admin::withdrawals::all_withdrawals)
        .service(routes::admin::withdrawals::process_withdrawal)
        .service(routes::admin::deposits::all_deposits)
        .service(routes::admin::logs::audit_log)
        .service(routes::admin::payments::payment_statuses)
        .service(routes::admin::payments::payment_look)
        .service(routes::admin::payments::payment_check)
        .service(routes::admin::payments::payment_confirmation)
        .service(routes::admin::reviews::review_list)
        .service(routes::admin::reviews::resolve)
        .service(routes::admin::step_up::step_up_state)
        .service(routes::admin::step_up::step_up)
        .service(routes::admin::export::export)
        .service(routes::admin::games::all_games)
        .service(routes::admin::house::house_summary)
        .service(routes::admin::house::house_report);
}

/// The OpenAPI document of all calls.
#[must_use]
pub fn openapi() -> utoipa::openapi::OpenApi {
    let mut document = actix_web::App::new()
        .into_utoipa_app()
        .openapi(Document::openapi())
        .configure(api_routes)
        .split_for_parts()
        .1;
    complete(&mut document);
    document
}

/// Adds all routes: the API, its document, health, and the front end for every other path.
pub fn configure(config: &mut web::ServiceConfig, application: Application) {
    let is_documented = application.settings.is_documented;
    config
        .app_data(web::Data::new(application))
        .app_data(web::PayloadConfig::new(MAXIMUM_BODY_BYTES))
        .app_data(web::QueryConfig::default().error_handler(malformed_query))
        .app_data(web::PathConfig::default().error_handler(malformed_path))
        .service(routes::health::alive)
        .service(routes::health::ready)
        .service(routes::security_contact::security_contact);
    api_routes(&mut service_config::ServiceConfig::new(config));
    if is_documented {
        config
            .service(web::redirect("/api/docs", "/api/docs/"))
            .service(SwaggerUi::new("/api/docs/{_:.*}").url("/api/openapi.json", openapi()));
    }
    config
        .service(web::scope("/api").default_service(web::to(routes::health::unknown_call)))
        .default_service(web::to(static_files::serve));
}
