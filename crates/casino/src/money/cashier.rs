//! The cashier: the house together with the payment provider.

use std::collections::HashMap;
use std::fmt;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use glasshouse_domain::{Currency, Money, Timestamp, UserId};
use glasshouse_payments::signature::IpnSecret;
use glasshouse_payments::{
    BatchId, Client, ClientError, Decimal, MinimumAmount, Payment, PaymentFilter, PaymentId,
    Payout, PayoutCode, PayoutId, PayoutRequest,
};
use governor::{DefaultDirectRateLimiter, DefaultKeyedRateLimiter, Quota, RateLimiter};
use lru::LruCache;
use nonzero_ext::nonzero;
use tokio::sync::Semaphore;

use crate::house::House;
use crate::money::balance_cache::BalanceCache;
use crate::money::coin_book::CoinBook;

/// The maximum number of concurrent requests to the provider caused by its own callbacks.
const CONCURRENT_CALLBACK_CALLS: usize = 8;
/// The same for waiting players and administrators. It is separate, so that they never delay a
/// callback.
const CONCURRENT_USER_CALLS: usize = 8;
/// The same for the reconciliation, which must not delay anybody.
const CONCURRENT_BACKGROUND_CALLS: usize = 4;
/// How often one payment is fetched because of callbacks: a burst of twenty, then once per second.
const FETCHES: Quota = Quota::per_second(nonzero!(1_u32)).allow_burst(nonzero!(20_u32));
/// How often a callback with an invalid signature is logged.
const LOGGED_REFUSALS: Quota = Quota::per_minute(nonzero!(6_u32)).allow_burst(nonzero!(20_u32));
/// The maximum number of players whose last check is remembered.
const MAXIMUM_REMEMBERED_CHECKS: NonZeroUsize = nonzero!(4096_usize);
/// The minimum time between two requests to the provider for one waiting player, over all their
/// deposits.
const CHECK_PERIOD: Duration = Duration::from_secs(3);

/// How long the price of a coin is shown without asking the provider again.
const PRICE_LIFETIME: Duration = Duration::from_secs(15);

/// How long a payment's rate is valid, and the deductions that apply (`docs/payments.md#rule-17`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateTerms {
    /// Whether the provider is asked to guarantee its rates for a while, at its own risk.
    pub is_fixed: bool,
    /// How long a rate is valid, counted from the payment's creation.
    pub life: Duration,
    /// The provider's fee on a payment in hundredths of a percent.
    pub provider_fee_basis_points: u32,
}

/// The operator's limits per deposit and withdrawal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TransferLimits {
    /// The minimum deposit.
    pub minimum_deposit: Money,
    /// The maximum deposit.
    pub maximum_deposit: Money,
    /// The maximum withdrawal per request.
    pub maximum_withdrawal: Money,
}

/// The cashier's configuration.
#[derive(Debug, Clone)]
pub struct CashierOptions {
    /// The client for the provider's API.
    pub client: Client,
    /// The secret that the provider signs its callbacks with.
    pub ipn_secret: IpnSecret,
    /// The address that the provider sends its callbacks to.
    pub callback_url: String,
    /// The address that a payer returns to. Visiting it credits nothing.
    pub return_url: String,
    /// The maximum that is credited automatically, in percent of a deposit's price: 150 accepts an
    /// overpayment of half the price.
    pub overpayment_cap_percent: u32,
    /// The validity of rates.
    pub rates: RateTerms,
    /// The limits per deposit and withdrawal.
    pub limits: TransferLimits,
    /// The provider's code of the coin that it converts payments into. The provider's minimums
    /// depend on it.
    pub outcome_currency: String,
}

/// On whose behalf the provider is called. Each has its own permits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Caller {
    /// A user who waits for the answer.
    User,
    /// The provider's own callback.
    Callback,
    /// A background job.
    Background,
}

/// The house and its payment provider. Cheap to clone.
#[derive(Clone)]
pub struct Cashier {
    pub(crate) house: House,
    shared: Arc<Shared>,
    caller: Caller,
}

/// The state that all clones share.
struct Shared {
    options: CashierOptions,
    calls: Semaphore,
    callback_calls: Semaphore,
    background_calls: Semaphore,
    fetches: DefaultKeyedRateLimiter<PaymentId>,
    logged_refusals: DefaultDirectRateLimiter,
    checked: Mutex<LruCache<UserId, Timestamp>>,
    coins: CoinBook,
    prices: Mutex<HashMap<Currency, (Decimal, Timestamp)>>,
    balance: BalanceCache,
}

impl fmt::Debug for Cashier {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Cashier")
            .field("options", &self.shared.options)
            .finish_non_exhaustive()
    }
}

impl Cashier {
    /// Opens the cashier. Provider calls are not retried: a waiting user should not wait longer,
    /// and background jobs repeat their calls later anyway.
    #[must_use]
    pub fn new(house: House, mut options: CashierOptions) -> Self {
        options.client = options.client.without_retries();
        Self {
            house,
            caller: Caller::User,
            shared: Arc::new(Shared {
                options,
                calls: Semaphore::new(CONCURRENT_USER_CALLS),
                callback_calls: Semaphore::new(CONCURRENT_CALLBACK_CALLS),
                background_calls: Semaphore::new(CONCURRENT_BACKGROUND_CALLS),
                fetches: RateLimiter::keyed(FETCHES),
                logged_refusals: RateLimiter::direct(LOGGED_REFUSALS),
                checked: Mutex::new(LruCache::new(MAXIMUM_REMEMBERED_CHECKS)),
                coins: CoinBook::default(),
                prices: Mutex::default(),
                balance: BalanceCache::default(),
            }),
        }
    }

    /// The house.
    #[must_use]
    pub const fn house(&self) -> &House {
        &self.house
    }

    /// The client, which makes a single attempt per call: a waiting user should not wait longer,
    /// and background jobs repeat their calls later anyway.
    pub(crate) fn client(&self) -> &Client {
        &self.shared.options.client
    }

    pub(crate) fn ipn_secret(&self) -> &IpnSecret {
        &self.shared.options.ipn_secret
    }

    pub(crate) fn callback_url(&self) -> &str {
        &self.shared.options.callback_url
    }

    pub(crate) fn return_url(&self) -> &str {
        &self.shared.options.return_url
    }

    /// The maximum that is credited for a price without manual review, rounded down to the cent.
    pub(crate) fn overpayment_cap(&self, price: Money) -> Money {
        let percent = i128::from(self.shared.options.overpayment_cap_percent.max(100));
        let cap = i128::from(price.cents()) * percent / 100;
        Money::from_cents(i64::try_from(cap).unwrap_or(i64::MAX))
    }

    /// The validity of rates.
    pub(crate) fn rates(&self) -> RateTerms {
        self.shared.options.rates
    }

    /// The limits per deposit and withdrawal.
    #[must_use]
    pub fn limits(&self) -> TransferLimits {
        self.shared.options.limits
    }

    /// The cached terms of the coins.
    pub(crate) fn coins(&self) -> &CoinBook {
        &self.shared.coins
    }

    /// The same cashier, calling the provider on behalf of another caller.
    #[must_use]
    pub(crate) fn calling_as(&self, caller: Caller) -> Self {
        Self {
            caller,
            ..self.clone()
        }
    }

    fn calls(&self) -> &Semaphore {
        match self.caller {
            Caller::User => &self.shared.calls,
            Caller::Callback => &self.shared.callback_calls,
            Caller::Background => &self.shared.background_calls,
        }
    }

    /// Requests the codes of the coins that the provider accepts.
    pub(crate) async fn currencies(&self) -> Result<Vec<String>, ClientError> {
        let _permit = self.calls().acquire().await;
        self.client().currencies().await
    }

    /// Requests the minimum payment in a coin.
    pub(crate) async fn min_amount(&self, coin: Currency) -> Result<MinimumAmount, ClientError> {
        let _permit = self.calls().acquire().await;
        let to = &self.shared.options.outcome_currency;
        self.client().min_amount(coin, to).await
    }

    /// Requests how much of a coin an amount buys.
    pub(crate) async fn estimate(
        &self,
        dollars: Money,
        coin: Currency,
    ) -> Result<Decimal, ClientError> {
        let _permit = self.calls().acquire().await;
        self.client().estimate(dollars, coin).await
    }

    /// A recent answer to what the sample of a quote buys of a coin.
    pub(crate) fn known_price(&self, coin: Currency, now: Timestamp) -> Option<Decimal> {
        let prices = self.shared.prices.lock();
        let prices = prices.unwrap_or_else(PoisonError::into_inner);
        let (coins, at) = prices.get(&coin)?;
        (now.saturating_since(*at) < PRICE_LIFETIME).then(|| coins.clone())
    }

    /// Remembers such an answer.
    pub(crate) fn remember_price(&self, coin: Currency, coins: Decimal, now: Timestamp) {
        let prices = self.shared.prices.lock();
        let mut prices = prices.unwrap_or_else(PoisonError::into_inner);
        prices.insert(coin, (coins, now));
    }

    /// Requests the balance at the provider in each coin.
    pub(crate) async fn balances(&self) -> Result<Vec<(String, Decimal)>, ClientError> {
        let _permit = self.calls().acquire().await;
        self.client().balances().await
    }

    /// The last answer about that balance.
    pub(crate) fn balance_cache(&self) -> &BalanceCache {
        &self.shared.balance
    }

    /// Has a payment of a withdrawal created, without retries.
    pub(crate) async fn create_payout(
        &self,
        request: &PayoutRequest,
    ) -> Result<Payout, ClientError> {
        let _permit = self.calls().acquire().await;
        self.client().create_payout(request).await
    }

    /// Looks for the payment of a withdrawal by our ID of it.
    pub(crate) async fn find_payout(
        &self,
        external_id: &str,
        from: jiff::civil::Date,
    ) -> Result<Option<Payout>, ClientError> {
        let _permit = self.calls().acquire().await;
        self.client().find_payout(external_id, from).await
    }

    /// Has the payment of a withdrawal carried out, without retries.
    pub(crate) async fn verify_payout(
        &self,
        batch: &BatchId,
        code: &PayoutCode,
    ) -> Result<(), ClientError> {
        let _permit = self.calls().acquire().await;
        self.client().verify_payout(batch, code).await
    }

    /// Fetches the payment of a withdrawal.
    pub(crate) async fn fetch_payout(&self, id: &PayoutId) -> Result<Payout, ClientError> {
        let _permit = self.calls().acquire().await;
        self.client().payout(id).await
    }

    /// Fetches a payment, with bounded concurrency.
    pub(crate) async fn fetch(&self, id: &PaymentId) -> Result<Payment, ClientError> {
        // The semaphore is never closed.
        let _permit = self.calls().acquire().await;
        self.client().payment(id).await
    }

    /// Lists payments, with bounded concurrency.
    pub(crate) async fn list(&self, filter: &PaymentFilter) -> Result<Vec<Payment>, ClientError> {
        let _permit = self.calls().acquire().await;
        self.client().payments(filter).await
    }

    /// Whether the provider's API can list the payments of an invoice.
    pub(crate) fn can_list(&self) -> bool {
        self.client().can_list()
    }

    /// Whether a payment may be fetched now because of a callback, within the rate limit.
    pub(crate) fn may_fetch(&self, payment: &PaymentId) -> bool {
        self.shared.fetches.check_key(payment).is_ok()
    }

    /// Whether one more callback with an invalid signature should be logged, within the rate limit.
    pub(crate) fn may_log_refusal(&self) -> bool {
        self.shared.logged_refusals.check().is_ok()
    }

    /// Removes rate limits of payments that have not been fetched recently. Call it periodically.
    pub fn evict_idle_payments(&self) {
        self.shared.fetches.retain_recent();
    }

    /// Whether the provider may be asked for this player now. If so, the check is recorded.
    pub(crate) fn may_check(&self, player: UserId) -> bool {
        let now = self.house.now();
        let mut last_checks = self
            .shared
            .checked
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let was_just_checked = last_checks
            .get(&player)
            .is_some_and(|last| now.saturating_since(*last) < CHECK_PERIOD);
        if !was_just_checked {
            last_checks.put(player, now);
        }
        !was_just_checked
    }
}
