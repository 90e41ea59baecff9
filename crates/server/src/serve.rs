//! `glasshouse serve`: the house, the front door, the metrics, and the chores in between.

use std::num::NonZeroUsize;
use std::thread::available_parallelism;
use std::time::Duration;

use actix_web::middleware::from_fn;
use actix_web::rt::time::interval;
use actix_web::{App, HttpResponse, HttpServer, rt, web};
use glasshouse_api::{
    Application, Connections, RequestSpan, Settings, configure, count_refused_cookies, observe,
    refuse_crowds, refuse_foreign_hosts, refuse_foreign_origins, refuse_without_database,
    security_headers, session_middleware,
};
use glasshouse_casino::accounts::{purge_attempts, purge_sessions};
use glasshouse_casino::administration::{FirstAdministrator, first_administrator};
use glasshouse_casino::books::publish_returns;
use glasshouse_casino::money::deposits::reconcile;
use glasshouse_casino::money::{Cashier, CashierOptions, refresh_coins};
use glasshouse_casino::play::timed::{end_rounds, end_streams, forget_closed_streams};
use glasshouse_casino::{House, watch_database};
use glasshouse_sandbox::Sandbox;
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use tracing_actix_web::TracingLogger;

use crate::configuration::Configuration;
use crate::output::print_line;
use crate::provider::{self, ProviderSetUp};
use crate::secret::{device_key, signing_key};
use crate::{Failure, open_house, private_data};

/// How long open requests may take when the server is told to stop.
const SHUTDOWN_SECONDS: u64 = 10;
/// Longer than the usual 60 s of a proxy, so that it is the proxy that closes.
const KEEP_ALIVE: Duration = Duration::from_secs(75);
const MAINTENANCE_PERIOD: Duration = Duration::from_mins(1);
/// The clock's own drift in between is far below what servers' clocks may differ by.
const CLOCK_PERIOD: Duration = Duration::from_secs(10);
/// What a game has returned over a month changes slowly.
const RETURNS_PERIOD: Duration = Duration::from_mins(10);

pub(crate) async fn serve(configuration: Configuration) -> Result<(), Failure> {
    configuration.check().map_err(Failure::Configuration)?;
    allow_many_connections();
    // Before a secret is read or written there.
    private_data::refuse_open(&configuration)?;
    // First, so that a configuration that means no provider leaves nothing behind.
    let provider = provider::set_up(&configuration)?;
    let secret = signing_key(&configuration)?;
    let metrics = PrometheusBuilder::new()
        .install_recorder()
        .map_err(Failure::running)?;
    let house = open_house(&configuration).await?;
    let settings = front_door(&configuration);
    warn_of_lost_callbacks(provider.client.can_list());
    let cashier = open_cashier(house, &configuration, &provider);
    let application = Application::new(cashier.clone(), settings, &device_key(&secret));
    serve_metrics(&configuration, metrics.clone())?;
    work_in_background(&application, cashier, metrics);
    let connections = crowd_limit(&configuration);
    let workers = available_parallelism().map_or(1, NonZeroUsize::get);
    let server = {
        let application = application.clone();
        HttpServer::new(move || {
            let session =
                session_middleware(application.house().clone(), application.settings(), &secret);
            let shared = application.clone();
            // The last one wrapped is the first to see a request.
            App::new()
                .configure(|config| configure(config, shared))
                .wrap(from_fn(count_refused_cookies))
                .wrap(session)
                .wrap(from_fn(refuse_without_database))
                .wrap(from_fn(refuse_foreign_origins))
                .wrap(from_fn(refuse_foreign_hosts))
                .wrap(from_fn(security_headers))
                .wrap(from_fn(refuse_crowds))
                .wrap(from_fn(observe))
                .wrap(TracingLogger::<RequestSpan>::new())
        })
        .on_connect(move |stream, data| {
            let stream = stream.downcast_ref::<rt::net::TcpStream>();
            let peer = stream.and_then(|stream| stream.peer_addr().ok());
            if let (Some(connections), Some(peer)) = (&connections, peer) {
                data.insert(connections.opened(peer.ip()));
            }
        })
        .workers(workers)
        .max_connections(configuration.max_connections.div_ceil(workers).max(1))
        .keep_alive(KEEP_ALIVE)
        .shutdown_timeout(SHUTDOWN_SECONDS)
        .bind(configuration.bind)
        .map_err(|error| busy_address(&configuration.bind, &error))?
    };
    let first = first_administrator(application.house()).await;
    let first = first.map_err(Failure::running)?;
    // Before anybody is told that it is open, so that a signal then ends it in order.
    let serving = rt::spawn(server.run());
    rt::task::yield_now().await;
    print_banner(&configuration, first, provider.sandbox.as_ref());
    let outcome = match serving.await {
        Ok(ended) => ended.map_err(Failure::running),
        Err(stopped) => Err(Failure::running(stopped)),
    };
    // Last, because what the casino still had to do may have needed it.
    drop(provider);
    outcome
}

fn open_cashier(house: House, configuration: &Configuration, provider: &ProviderSetUp) -> Cashier {
    Cashier::new(
        house,
        CashierOptions {
            client: provider.client.clone(),
            ipn_secret: provider.ipn_secret.clone(),
            public_url: configuration.public_url.clone(),
            overpayment_cap_percent: configuration.payments.overpayment_cap_percent.into(),
            rates: configuration.payments.rates(),
            limits: configuration.payments.limits(),
            outcome_currency: configuration.payments.outcome_currency.clone(),
        },
    )
}

fn front_door(configuration: &Configuration) -> Settings {
    Settings {
        public_url: configuration.public_url.clone(),
        is_rate_limited: configuration.rate_limit.is_on(),
        is_behind_proxy: configuration.behind_proxy.is_on(),
        hosts: configuration.hosts.clone(),
        is_documented: configuration.is_documented(),
        security_contact: configuration.security_contact.clone(),
        body_timeout: Duration::from_secs(configuration.body_timeout_seconds),
    }
}

/// What one network may open. A proxy's own connections are the proxy's to limit.
fn crowd_limit(configuration: &Configuration) -> Option<Connections> {
    let is_limited = configuration.rate_limit.is_on() && !configuration.behind_proxy.is_on();
    is_limited.then(|| Connections::new(configuration.max_connections_per_address))
}

/// So that the first player is told what each coin takes.
async fn load_currencies(cashier: Cashier) {
    refresh_coins(&cashier).await;
}

fn warn_of_lost_callbacks(can_list: bool) {
    if !can_list {
        tracing::warn!(
            "without GLASSHOUSE_PAYMENTS_EMAIL and _PASSWORD, a payment whose callbacks are all lost \
             is not found"
        );
    }
}

/// What the house does by itself for as long as it is open.
fn work_in_background(application: &Application, cashier: Cashier, metrics: PrometheusHandle) {
    let house = application.house();
    rt::spawn(run_maintenance(application.clone(), metrics));
    rt::spawn(follow_clock(application.clone()));
    rt::spawn(watch_database(house.clone()));
    rt::spawn(end_rounds(house.clone()));
    rt::spawn(end_streams(house.clone()));
    rt::spawn(load_currencies(cashier.clone()));
    rt::spawn(reconcile(cashier));
    rt::spawn(watch_returns(application.clone()));
}

/// Every player in a live game keeps a connection open; the usual limit of a process is 1,024.
fn allow_many_connections() {
    match rlimit::increase_nofile_limit(u64::MAX) {
        Ok(limit) => tracing::debug!(limit, "open files"),
        Err(error) => tracing::warn!(%error, "the limit of open files stays as it is"),
    }
}

fn busy_address(address: &impl std::fmt::Display, error: &std::io::Error) -> Failure {
    Failure::Running(format!("Cannot listen on {address}: {error}"))
}

fn print_banner(
    configuration: &Configuration,
    first: Option<FirstAdministrator>,
    sandbox: Option<&Sandbox>,
) {
    // Only now: where the house does not open, the one sentence that says why is enough.
    for warning in configuration.warnings() {
        tracing::warn!("{warning}");
    }
    print_line(&format!("Database: {}", configuration.database_url));
    if let Some(first) = first {
        print_line(&format!(
            "First administrator: {}, with this password, shown this once: {}",
            first.username, first.password
        ));
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

/// Prometheus asks on an address of its own, which need not be public.
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
    .map_err(|error| busy_address(&address, &error))?;
    rt::spawn(server.run());
    Ok(())
}

/// Tells the metrics, and if need be the log, what the games have returned.
async fn watch_returns(application: Application) {
    let mut turns = interval(RETURNS_PERIOD);
    loop {
        turns.tick().await;
        if let Err(error) = publish_returns(application.house()).await {
            tracing::warn!(%error, "what the games returned could not be read");
        }
    }
}

/// Keeps the clock with the one that all servers share.
async fn follow_clock(application: Application) {
    let mut turns = interval(CLOCK_PERIOD);
    loop {
        turns.tick().await;
        if let Err(error) = application.house().follow_shared_clock().await {
            tracing::warn!(%error, "the database's clock could not be read");
        }
    }
}

/// What has to be done now and then; a failure is logged and the next turn tries again.
async fn run_maintenance(application: Application, metrics: PrometheusHandle) {
    let mut turns = interval(MAINTENANCE_PERIOD);
    loop {
        turns.tick().await;
        metrics.run_upkeep();
        application.evict_idle_clients();
        forget_closed_streams(application.house());
        match purge_sessions(application.house()).await {
            Ok(0) => {}
            Ok(purged) => tracing::info!(purged, "idle sessions removed"),
            Err(error) => tracing::warn!(%error, "idle sessions could not be removed"),
        }
        if let Err(error) = purge_attempts(application.house()).await {
            tracing::warn!(%error, "expired counters of attempts could not be removed");
        }
    }
}
