//! `glasshouse serve`: runs the HTTP server, the metrics endpoint and the background tasks.

use std::sync::Arc;
use std::time::Duration;

use actix_web::rt::time::interval;
use actix_web::{App, HttpResponse, HttpServer, rt, web};
use glasshouse_api::{Application, CALLBACK_PATH, RETURN_PATH, Settings};
use glasshouse_casino::accounts::{
    purge_attempts, purge_passkey_ceremonies, purge_security_events, purge_sessions,
};
use glasshouse_casino::administration::publish_first_terms;
use glasshouse_casino::alerts::{AlertOptions, deliver_alerts, purge_alerts, watch_house};
use glasshouse_casino::books::publish_returns;
use glasshouse_casino::email::purge_email;
use glasshouse_casino::mail::{deliver_mails, purge_mails};
use glasshouse_casino::money::deposits::reconcile;
use glasshouse_casino::money::payouts::pay_withdrawals;
use glasshouse_casino::money::{Cashier, CashierOptions, refresh_coins, watch_provider};
use glasshouse_casino::play::publish_bets;
use glasshouse_casino::play::timed::{end_rounds, end_streams, forget_closed_streams};
use glasshouse_casino::privacy::pseudonymise_accounts;
use glasshouse_casino::public_log::{advance_public_log, ask_witnesses, keep_public_log};
use glasshouse_casino::{House, watch_database};
use glasshouse_mail::Mailer;
use glasshouse_sandbox::Sandbox;
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};

use crate::configuration::Configuration;
use crate::first_administrator;
use crate::http_server::listen_failure;
use crate::output::print_line;
use crate::provider::{self, ProviderSetUp};
use crate::secret::{device_key, signing_key};
use crate::stop::StopSignals;
use crate::{Failure, http_server, mailer, open_house, private_data};

/// For what is queued for the database when the last response has been sent, such as the ends of rounds.
const LAST_WRITES: Duration = Duration::from_millis(300);
const MAINTENANCE_PERIOD: Duration = Duration::from_mins(1);
/// The clock's drift within this period is far below the tolerated difference between servers.
const CLOCK_PERIOD: Duration = Duration::from_secs(10);
/// A game's return over a month changes slowly.
const RETURNS_PERIOD: Duration = Duration::from_mins(10);

pub(crate) async fn serve(configuration: Configuration) -> Result<(), Failure> {
    configuration.check().map_err(Failure::Configuration)?;
    allow_many_connections();
    // Must run before a secret is read or written there.
    private_data::refuse_exposed_data(&configuration)?;
    // These run first, so that an invalid configuration leaves nothing behind.
    let mailer = mailer::set_up(&configuration)?;
    let provider = provider::set_up(&configuration)?;
    let alerts = alert_options(&configuration)?;
    let secret = signing_key(&configuration)?;
    let metrics = PrometheusBuilder::new()
        .install_recorder()
        .map_err(Failure::running)?;
    let house = open_for_players(&configuration).await?;
    let settings = api_settings(&configuration);
    warn_of_lost_callbacks(provider.client.can_list());
    let cashier = open_cashier(house, &configuration, &provider);
    let application = Application::new(cashier.clone(), settings, &device_key(&secret));
    serve_metrics(&configuration, metrics.clone())?;
    start_messages(&cashier, alerts, Arc::new(mailer));
    start_background_tasks(&application, cashier, metrics);
    let start = http_server::bind(&configuration, &application, secret)?;
    let password_file = first_administrator::file(&configuration);
    let first = first_administrator::create(application.house(), &password_file).await?;
    let first = first.map(|password| first_administrator::announcement(&password, &password_file));
    rt::spawn(first_administrator::delete_when_used(
        application.house().clone(),
        password_file,
    ));
    // Starts before the banner, so that a signal after the banner shuts the server down gracefully.
    let signals = StopSignals::listen().map_err(Failure::running)?;
    let server = start();
    rt::spawn(signals.stop(server.handle(), application.clone(), configuration.drain()));
    let serving = rt::spawn(server);
    rt::task::yield_now().await;
    print_banner(&configuration, first, provider.sandbox.as_ref());
    let outcome = match serving.await {
        Ok(ended) => ended.map_err(Failure::running),
        Err(stopped) => Err(Failure::running(stopped)),
    };
    rt::time::sleep(LAST_WRITES).await;
    // The provider is dropped last, because the casino's remaining work may have needed it.
    drop(provider);
    outcome
}

/// Opens the house with everything that must be known before the first bet.
async fn open_for_players(configuration: &Configuration) -> Result<House, Failure> {
    let house = open_house(configuration).await?;
    // A log that contradicts what was signed before must be noticed.
    advance_public_log(&house).await;
    publish_first_terms(&house)
        .await
        .map_err(Failure::running)?;
    Ok(house)
}

fn alert_options(configuration: &Configuration) -> Result<AlertOptions, Failure> {
    let options = configuration.alerts.options();
    options.map_err(Failure::Configuration)
}

fn open_cashier(house: House, configuration: &Configuration, provider: &ProviderSetUp) -> Cashier {
    let public_url = configuration.public_url.trim_end_matches('/');
    Cashier::new(
        house,
        CashierOptions {
            client: provider.client.clone(),
            ipn_secret: provider.ipn_secret.clone(),
            callback_url: format!("{public_url}{CALLBACK_PATH}"),
            return_url: format!("{public_url}{RETURN_PATH}"),
            overpayment_cap_percent: configuration.payments.overpayment_cap_percent.into(),
            rates: configuration.payments.rates(),
            limits: configuration.payments.limits(),
            outcome_currency: configuration.payments.outcome_currency.clone(),
        },
    )
}

fn api_settings(configuration: &Configuration) -> Settings {
    Settings {
        public_url: configuration.public_url.clone(),
        is_rate_limited: configuration.rate_limit.is_on(),
        is_behind_proxy: configuration.behind_proxy.is_on(),
        hosts: configuration.hosts.clone(),
        is_documented: configuration.is_documented(),
        security_contact: configuration.security_contact.clone(),
        body_timeout: configuration.connections.body_timeout(),
    }
}

/// Loads the provider's terms for each coin, so that they are available to the first player.
async fn load_currencies(cashier: Cashier) {
    refresh_coins(&cashier).await;
}

fn warn_of_lost_callbacks(can_list: bool) {
    if !can_list {
        tracing::warn!(
            "without GLASSHOUSE_PAYMENTS_EMAIL and _PASSWORD, a payment is not found if all its \
             callbacks are lost"
        );
    }
}

/// Starts the background tasks.
fn start_background_tasks(application: &Application, cashier: Cashier, metrics: PrometheusHandle) {
    let house = application.house();
    rt::spawn(run_maintenance(application.clone(), metrics));
    rt::spawn(follow_clock(application.clone()));
    rt::spawn(watch_database(house.clone()));
    rt::spawn(keep_public_log(house.clone()));
    rt::spawn(ask_witnesses(house.clone()));
    rt::spawn(end_rounds(house.clone()));
    rt::spawn(end_streams(house.clone()));
    rt::spawn(publish_bets(house.clone()));
    rt::spawn(load_currencies(cashier.clone()));
    rt::spawn(reconcile(cashier.clone()));
    rt::spawn(pay_withdrawals(cashier));
    rt::spawn(watch_returns(application.clone()));
}

/// Starts the background tasks that send mails and alerts.
fn start_messages(cashier: &Cashier, alerts: AlertOptions, mailer: Arc<Mailer>) {
    let house = cashier.house();
    rt::spawn(deliver_mails(house.clone(), Arc::clone(&mailer)));
    let alert_after = alerts.thresholds.provider_failure;
    rt::spawn(watch_provider(cashier.clone(), alert_after));
    rt::spawn(watch_house(house.clone(), alerts.clone()));
    rt::spawn(deliver_alerts(house.clone(), alerts, mailer));
}

/// Raises the limit of open files: every player in a live game keeps a connection open, and the
/// default limit of a process is 1,024.
fn allow_many_connections() {
    match rlimit::increase_nofile_limit(u64::MAX) {
        Ok(limit) => tracing::debug!(limit, "limit of open files"),
        Err(error) => tracing::warn!(%error, "failed to raise the limit of open files"),
    }
}

fn print_banner(configuration: &Configuration, first: Option<String>, sandbox: Option<&Sandbox>) {
    // Only now: if the start fails, the error message alone is enough.
    for warning in configuration.warnings() {
        tracing::warn!("{warning}");
    }
    print_line(&format!("Database: {}", configuration.database_url));
    if let Some(first) = first {
        print_line(&first);
    }
    if let Some(sandbox) = sandbox {
        print_line(&format!(
            "Sandbox payment provider: {}, money there is not real",
            sandbox.address()
        ));
    } else if let Some(url) = &configuration.payments.url {
        print_line(&format!("Payment provider: {url}"));
    }
    print_line(&format!(
        "Glasshouse is open on http://{}",
        configuration.bind
    ));
}

/// Serves the metrics for Prometheus on a separate address, which need not be public.
fn serve_metrics(configuration: &Configuration, handle: PrometheusHandle) -> Result<(), Failure> {
    let address = configuration.metrics_bind;
    let server = HttpServer::new(move || {
        let handle = handle.clone();
        App::new().route(
            "/metrics",
            web::get().to(move || {
                let text = handle.render();
                async move {
                    HttpResponse::Ok()
                        .content_type("text/plain; version=0.0.4")
                        .body(text)
                }
            }),
        )
    })
    .workers(1)
    .disable_signals()
    .bind(address)
    .map_err(|error| listen_failure(&address, &error))?;
    rt::spawn(server.run());
    Ok(())
}

/// Publishes the games' returns in the metrics and, if necessary, the log.
async fn watch_returns(application: Application) {
    let mut ticks = interval(RETURNS_PERIOD);
    loop {
        ticks.tick().await;
        if let Err(error) = publish_returns(application.house()).await {
            tracing::warn!(%error, "failed to compute the games' returns");
        }
    }
}

/// Keeps the clock synchronized with the one that all servers share.
async fn follow_clock(application: Application) {
    let mut ticks = interval(CLOCK_PERIOD);
    loop {
        ticks.tick().await;
        if let Err(error) = application.house().follow_shared_clock().await {
            tracing::warn!(%error, "failed to read the database's clock");
        }
    }
}

/// Runs periodic maintenance; a failure is logged and retried at the next tick.
async fn run_maintenance(application: Application, metrics: PrometheusHandle) {
    let mut ticks = interval(MAINTENANCE_PERIOD);
    let mut last_account = None;
    loop {
        ticks.tick().await;
        metrics.run_upkeep();
        application.evict_idle_clients();
        forget_closed_streams(application.house());
        match purge_sessions(application.house()).await {
            Ok(0) => {}
            Ok(purged) => tracing::info!(purged, "idle sessions removed"),
            Err(error) => tracing::warn!(%error, "failed to remove idle sessions"),
        }
        if let Err(error) = purge_attempts(application.house()).await {
            tracing::warn!(%error, "failed to remove expired attempt counters");
        }
        if let Err(error) = purge_passkey_ceremonies(application.house()).await {
            tracing::warn!(%error, "failed to remove expired passkey ceremonies");
        }
        if let Err(error) = purge_security_events(application.house()).await {
            tracing::warn!(%error, "failed to remove old security events");
        }
        if let Err(error) = purge_mails(application.house()).await {
            tracing::warn!(%error, "failed to remove old mails");
        }
        if let Err(error) = purge_alerts(application.house()).await {
            tracing::warn!(%error, "failed to remove old alerts");
        }
        if let Err(error) = purge_email(application.house()).await {
            tracing::warn!(%error, "failed to remove old e-mail addresses and links");
        }
        match pseudonymise_accounts(application.house(), last_account).await {
            Ok(pass) => {
                last_account = pass.next;
                if pass.pseudonymised > 0 {
                    tracing::info!(pass.pseudonymised, "closed accounts pseudonymised");
                }
            }
            Err(error) => tracing::warn!(%error, "failed to pseudonymise closed accounts"),
        }
    }
}
