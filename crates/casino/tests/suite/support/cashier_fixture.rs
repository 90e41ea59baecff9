//! A cashier for each test: a house on either database, a sandbox provider beside it, and an HTTP
//! server that receives the provider's callbacks.

use std::num::NonZeroU32;
use std::time::Duration;

use actix_web::{HttpRequest, HttpResponse, web};
use glasshouse_casino::administration::list;
use glasshouse_casino::money::deposits::{
    DepositRequest, DepositView, await_deposit, create_deposit, reconcile_due,
};
use glasshouse_casino::money::payments::{IpnOutcome, handle_ipn};
use glasshouse_casino::money::{Cashier, CashierOptions, RateTerms, TransferLimits};
use glasshouse_casino::{CasinoError, Deposit, House, Refusal, ReviewEntry, ReviewQuery};
use glasshouse_domain::{Currency, Money, PayoutMethod, Timestamp, UserId};
use glasshouse_payments::signature::IpnSecret;
use glasshouse_payments::{Client, Decimal, InvoiceId, PaymentId, Secret};
use glasshouse_persistence::money::{DepositKey, PaymentRecord};
use glasshouse_persistence::{DatabaseError, queries};
use glasshouse_sandbox::{Action, Sandbox, SandboxOptions};
use glasshouse_testing::TestHttpServer;
use tokio::sync::watch;

use super::Fixture;

/// Where the fixture's server takes callbacks.
pub(crate) const CALLBACK_PATH: &str = "/callbacks";

/// The most that is credited automatically, in percent of the price.
pub(crate) const CAP_PERCENT: u32 = 150;

/// Rates hold for an hour, and the provider keeps 1 %.
pub(crate) const RATES: RateTerms = RateTerms {
    is_fixed: false,
    life: Duration::from_hours(1),
    provider_fee_basis_points: 100,
};
pub(crate) const LIMITS: TransferLimits = TransferLimits {
    minimum_deposit: Money::from_cents(1),
    maximum_deposit: Money::from_cents(10_000_000),
    maximum_withdrawal: Money::from_cents(10_000_000),
};

/// A house, its payment provider and a player.
pub(crate) struct CashierFixture<'t> {
    pub(crate) test: &'t Fixture,
    pub(crate) sandbox: Sandbox,
    pub(crate) cashier: Cashier,
    pub(crate) player: UserId,
    target: watch::Sender<Option<Cashier>>,
    callbacks: TestHttpServer,
}

async fn receive_callback(
    target: web::Data<watch::Receiver<Option<Cashier>>>,
    request: HttpRequest,
    body: web::Bytes,
) -> HttpResponse {
    let cashier = target.borrow().clone();
    let Some(cashier) = cashier else {
        return HttpResponse::ServiceUnavailable().finish();
    };
    let header = request.headers().get("x-nowpayments-sig");
    let signature = header.and_then(|value| value.to_str().ok());
    match handle_ipn(&cashier, signature, &body).await {
        Ok(_) => HttpResponse::Ok().finish(),
        Err(CasinoError::Refused(Refusal::CallbackSignature)) => {
            HttpResponse::Unauthorized().finish()
        }
        Err(_) => HttpResponse::InternalServerError().finish(),
    }
}

/// Starts a server that passes callbacks on to the current cashier.
fn start_callback_server(target: watch::Receiver<Option<Cashier>>) -> TestHttpServer {
    TestHttpServer::start(move |services| {
        services
            .app_data(web::Data::new(target.clone()))
            .route(CALLBACK_PATH, web::post().to(receive_callback));
    })
}

pub(crate) fn client_of(sandbox: &Sandbox) -> Client {
    let mut options = sandbox.client_options().unwrap();
    options.timeout = Duration::from_secs(1);
    // The tests do not wait for the rate limit.
    options.calls_per_second = NonZeroU32::MAX;
    Client::new(options).unwrap()
}

pub(crate) const fn dollars(cents: i64) -> Money {
    Money::from_cents(cents)
}

impl<'t> CashierFixture<'t> {
    pub(crate) async fn open(test: &'t Fixture) -> Self {
        let sandbox = Sandbox::start(SandboxOptions::for_tests()).unwrap();
        let (target, listener) = watch::channel(None);
        let callbacks = start_callback_server(listener);
        // The sandbox uses the system clock.
        let now = std::time::SystemTime::UNIX_EPOCH
            .elapsed()
            .unwrap()
            .as_micros();
        test.clock
            .set(Timestamp::from_micros(i64::try_from(now).unwrap()));
        let player = test.player("depositor", 0).await;
        let cashier = Cashier::new(test.house.clone(), options_of(&sandbox, &callbacks.url));
        target.send_replace(Some(cashier.clone()));
        Self {
            test,
            sandbox,
            cashier,
            player,
            target,
            callbacks,
        }
    }

    /// A second server on the same data.
    pub(crate) fn another_cashier(&self) -> Cashier {
        self.cashier_with(|_| {})
    }

    /// A second server with changed options.
    pub(crate) fn cashier_with(&self, change: impl FnOnce(&mut CashierOptions)) -> Cashier {
        let mut options = options_of(&self.sandbox, &self.callbacks.url);
        change(&mut options);
        Cashier::new(self.test.another_house(), options)
    }

    /// A second server on the same data, whose approved withdrawals the provider pays.
    pub(crate) fn paying_cashier(&self) -> Cashier {
        let house = self.test.another_house().paying_by(PayoutMethod::Provider);
        Cashier::new(house, options_of(&self.sandbox, &self.callbacks.url))
    }

    /// A server with another secret of the authenticator that verifies payments, or without one.
    pub(crate) fn cashier_with_payout_secret(&self, secret: Option<&str>) -> Cashier {
        let house = self.test.another_house().paying_by(PayoutMethod::Provider);
        let mut client = self.sandbox.client_options().unwrap();
        client.payout_secret = secret.map(|secret| Secret::new(secret.to_owned()).unwrap());
        let options = CashierOptions {
            client: Client::new(client).unwrap(),
            ..options_of(&self.sandbox, &self.callbacks.url)
        };
        Cashier::new(house, options)
    }

    /// Takes the house offline: callbacks get 503.
    pub(crate) fn close(&self) {
        self.target.send_replace(None);
    }

    /// Replaces the server by another on the same data, as after a restart.
    pub(crate) fn restart(&mut self) {
        self.cashier = self.another_cashier();
        self.target.send_replace(Some(self.cashier.clone()));
    }

    pub(crate) fn deposit_request(&self, cents: i64, currency: Currency) -> DepositRequest {
        DepositRequest {
            player: self.player,
            amount: dollars(cents),
            currency,
            key: None,
        }
    }

    pub(crate) async fn deposit_of(
        &self,
        cents: i64,
        currency: Currency,
    ) -> Result<Deposit, CasinoError> {
        create_deposit(&self.cashier, self.deposit_request(cents, currency)).await
    }

    /// Creates `count` deposits of 100 dollars in bitcoin, three for each new player.
    pub(crate) async fn deposits_of_many(&self, count: usize) -> Vec<(Deposit, InvoiceId)> {
        let mut deposits = Vec::new();
        let mut request = self.deposit_request(10_000, Currency::Btc);
        for number in 0..count {
            if number % 3 == 0 {
                request.player = self.test.player(&format!("depositor{number}"), 0).await;
            }
            let deposit = create_deposit(&self.cashier, request.clone())
                .await
                .unwrap();
            let invoice = InvoiceId::parse(deposit.invoice_id.as_deref().unwrap()).unwrap();
            deposits.push((deposit, invoice));
        }
        deposits
    }

    /// Advances the clocks of the provider and of the house.
    pub(crate) fn pass_time(&self, passed: Duration) {
        self.sandbox.pass_time(passed).unwrap();
        self.test.clock.advance(passed);
    }

    /// Creates a deposit of 100 dollars in bitcoin, and returns it with its invoice.
    pub(crate) async fn deposit(&self) -> (Deposit, InvoiceId) {
        let deposit = self.deposit_of(10_000, Currency::Btc).await.unwrap();
        let invoice = InvoiceId::parse(deposit.invoice_id.as_deref().unwrap()).unwrap();
        (deposit, invoice)
    }

    /// Pays an invoice in full and waits until the callbacks have been delivered, or refused if the
    /// cashier is closed.
    pub(crate) async fn pay_in_full(&self, invoice: &InvoiceId) -> PaymentId {
        let payment = self.sandbox.pay(invoice, Currency::Btc, &Action::PayFull);
        self.sandbox.rest().await.unwrap();
        payment.unwrap()
    }

    /// Opens a payment of an invoice and pays `percent` of the requested amount.
    pub(crate) async fn pay_percent(&self, invoice: &InvoiceId, percent: u32) -> PaymentId {
        let payment = self.sandbox.open(invoice, Currency::Btc).unwrap();
        self.pay_more(&payment, percent).await;
        payment
    }

    /// Pays another `percent` of a payment's requested amount.
    pub(crate) async fn pay_more(&self, payment: &PaymentId, percent: u32) {
        let requested = self.sandbox.asked(payment).unwrap();
        self.act(payment, &Action::Pay(part(&requested, percent)))
            .await;
    }

    /// Performs an action on a payment and waits until its callbacks have been delivered.
    pub(crate) async fn act(&self, payment: &PaymentId, action: &Action) -> PaymentId {
        let acted = self.sandbox.act(payment, action).unwrap();
        self.sandbox.rest().await.unwrap();
        acted
    }

    /// Reads the deposit again.
    pub(crate) async fn find(&self, deposit: &Deposit) -> Deposit {
        let id = deposit.id;
        self.test
            .database
            .read(move |connection| queries::deposit(connection, DepositKey::Id(id)))
            .await
            .map_err(|error: DatabaseError| error)
            .unwrap()
            .unwrap()
    }

    pub(crate) async fn payment(&self, id: &PaymentId) -> Option<PaymentRecord> {
        let id = id.to_string();
        self.test
            .database
            .read(move |connection| queries::payment(connection, &id))
            .await
            .map_err(|error: DatabaseError| error)
            .unwrap()
    }

    /// The player's balance, in US cents.
    pub(crate) async fn balance(&self) -> i64 {
        let player = self.player;
        let account = self
            .test
            .database
            .read(move |connection| queries::account_of(connection, player))
            .await
            .map_err(|error: DatabaseError| error);
        account.unwrap().wallet.balance().cents()
    }

    /// Polls the deposit as the browser does, five seconds after the last poll.
    pub(crate) async fn poll(&self, invoice: &InvoiceId) -> DepositView {
        self.poll_as(self.player, invoice).await
    }

    /// The same as another player.
    pub(crate) async fn poll_as(&self, player: UserId, invoice: &InvoiceId) -> DepositView {
        self.test.clock.advance(Duration::from_secs(5));
        await_deposit(&self.cashier, player, invoice.to_string())
            .await
            .unwrap()
    }

    /// Advances the clock, then reconciles until nothing is due.
    pub(crate) async fn reconcile_after(&self, passed: Duration) {
        self.test.clock.advance(passed);
        for _ in 0..100 {
            let done = reconcile_due(&self.cashier).await.unwrap();
            if done.deposits + done.callbacks == 0 {
                return;
            }
        }
        panic!("reconciliation does not finish");
    }

    /// Delivers a callback with this body and the provider's signature.
    pub(crate) async fn send_callback(&self, body: &str) -> Result<IpnOutcome, CasinoError> {
        self.send_callback_to(&self.cashier, body).await
    }

    /// The same to another server.
    pub(crate) async fn send_callback_to(
        &self,
        cashier: &Cashier,
        body: &str,
    ) -> Result<IpnOutcome, CasinoError> {
        let secret = IpnSecret::new(self.sandbox.ipn_secret().to_owned()).unwrap();
        let signature = secret.sign(body.as_bytes()).unwrap();
        handle_ipn(cashier, Some(&signature), body.as_bytes()).await
    }

    /// The kinds of the open reviews, oldest first.
    pub(crate) fn reviews(&self) -> Vec<String> {
        self.test
            .texts("SELECT kind AS value FROM reviews WHERE resolved_at_micros IS NULL ORDER BY id")
    }
}

/// The newest open review.
pub(crate) async fn open_review(house: &House) -> ReviewEntry {
    let query = ReviewQuery {
        is_open: Some(true),
        limit: 10,
        ..ReviewQuery::default()
    };
    list(house, query).await.unwrap().entries.remove(0)
}

/// The body of a callback with a payment's ID and status.
pub(crate) fn callback_body(payment: &PaymentId, status: &str) -> String {
    format!(r#"{{"payment_id":{payment},"payment_status":"{status}"}}"#)
}

fn options_of(sandbox: &Sandbox, public_url: &str) -> CashierOptions {
    CashierOptions {
        client: client_of(sandbox),
        ipn_secret: IpnSecret::new(sandbox.ipn_secret().to_owned()).unwrap(),
        callback_url: format!("{public_url}{CALLBACK_PATH}"),
        return_url: format!("{public_url}/dashboard"),
        overpayment_cap_percent: CAP_PERCENT,
        rates: RATES,
        limits: LIMITS,
        outcome_currency: "usdterc20".to_owned(),
    }
}

/// `percent` of an amount, rounded down to a satoshi.
pub(crate) fn part(amount: &Decimal, percent: u32) -> Decimal {
    let units = amount.digits().clone() * percent;
    let text = format!("{units}e-{}", amount.scale() + 2);
    let exact: Decimal = text.parse().unwrap();
    let text = exact.to_string();
    let cut = text
        .split_once('.')
        .map_or(text.clone(), |(whole, decimals)| {
            format!("{whole}.{}", decimals.chars().take(8).collect::<String>())
        });
    cut.parse().unwrap()
}

/// Runs `count` tasks at once and returns their results in order.
pub(crate) async fn at_once<T: Send + 'static, F>(count: usize, task: impl Fn(usize) -> F) -> Vec<T>
where
    F: Future<Output = T> + Send + 'static,
{
    let tasks: Vec<_> = (0..count)
        .map(|number| tokio::spawn(task(number)))
        .collect();
    let mut outcomes = Vec::new();
    for task in tasks {
        outcomes.push(task.await.unwrap());
    }
    outcomes
}
