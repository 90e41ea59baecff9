//! The cashier: the house together with the payment provider that money comes in through.

use std::fmt;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use glasshouse_domain::{Currency, Money, Timestamp, UserId};
use glasshouse_payments::signature::IpnSecret;
use glasshouse_payments::{Client, ClientError, MinimumAmount, Payment, PaymentFilter, PaymentId};
use governor::{DefaultDirectRateLimiter, DefaultKeyedRateLimiter, Quota, RateLimiter};
use lru::LruCache;
use nonzero_ext::nonzero;
use tokio::sync::Semaphore;

use crate::house::House;
use crate::money::coin_book::CoinBook;

/// Where the provider calls back.
pub const CALLBACK_PATH: &str = "/api/payments/ipn";
/// Where a payer goes on to, which credits nothing.
const RETURN_PATH: &str = "/dashboard?tab=account";
/// How many questions the provider is asked at once because of its own callbacks.
const PARALLEL_CALLBACKS: usize = 8;
/// The same for players and administrators who wait: they never hold up a callback.
const PARALLEL_CALLS: usize = 8;
/// The same for the reconciliation, which must not stand in anybody's way.
const PARALLEL_BACKGROUND_CALLS: usize = 4;
/// How often one payment is fetched because of callbacks: twenty times at once, then once a second.
const FETCHES: Quota = Quota::per_second(nonzero!(1_u32)).allow_burst(nonzero!(20_u32));
/// How often a callback that is not the provider's is told of in the log.
const LOGGED_REFUSALS: Quota = Quota::per_minute(nonzero!(6_u32)).allow_burst(nonzero!(20_u32));
/// How many players are remembered as having asked just now.
const MAXIMUM_REMEMBERED_CHECKS: NonZeroUsize = nonzero!(4096_usize);
/// How often the provider is asked because one player waits, for however many deposits.
const CHECK_PERIOD: Duration = Duration::from_secs(3);

/// How long a payment's rate holds, and what it is worth after that
/// (`docs/payments.md#rule-17`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateTerms {
    /// Whether the provider is asked to keep its rates for a while, at its own risk.
    pub is_fixed: bool,
    /// How long a rate holds from the moment at which the payment was opened.
    pub life: Duration,
    /// What the provider keeps of a payment, in hundredths of a percent.
    pub provider_fee_basis_points: u32,
}

/// The least and the most that is moved at a time, by the operator's word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TransferLimits {
    /// The least that can be deposited.
    pub minimum_deposit: Money,
    /// The most that can be deposited.
    pub maximum_deposit: Money,
    /// The most that can be withdrawn in one request.
    pub maximum_withdrawal: Money,
}

/// How the cashier works with the provider.
#[derive(Debug, Clone)]
pub struct CashierOptions {
    /// The way to the provider.
    pub client: Client,
    /// What its callbacks are signed with.
    pub ipn_secret: IpnSecret,
    /// Where provider and players reach the house, such as `https://play.example`.
    pub public_url: String,
    /// Up to how much of a deposit's price is credited by itself, in percent: 150 lets half as
    /// much again come in.
    pub overpayment_cap_percent: u32,
    /// How long rates hold.
    pub rates: RateTerms,
    /// The least and the most that is moved at a time.
    pub limits: TransferLimits,
    /// The provider's code of the coin that it converts payments into: its minima depend on it.
    pub outcome_currency: String,
}

/// For whom the provider is asked: each has permits of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Caller {
    /// Somebody who waits.
    Person,
    /// The provider itself, which has called back.
    Callback,
    /// Nobody.
    Background,
}

/// The house and its payment provider. Cheap to clone.
#[derive(Clone)]
pub struct Cashier {
    pub(crate) house: House,
    desk: Arc<Desk>,
    caller: Caller,
}

struct Desk {
    options: CashierOptions,
    calls: Semaphore,
    callback_calls: Semaphore,
    background_calls: Semaphore,
    fetches: DefaultKeyedRateLimiter<PaymentId>,
    refusals_told: DefaultDirectRateLimiter,
    checked: Mutex<LruCache<UserId, Timestamp>>,
    coins: CoinBook,
}

impl fmt::Debug for Cashier {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Cashier")
            .field("options", &self.desk.options)
            .finish_non_exhaustive()
    }
}

impl Cashier {
    /// Opens the cashier's desk.
    #[must_use]
    pub fn new(house: House, mut options: CashierOptions) -> Self {
        let length = options.public_url.trim_end_matches('/').len();
        options.public_url.truncate(length);
        options.client = options.client.without_retries();
        Self {
            house,
            caller: Caller::Person,
            desk: Arc::new(Desk {
                options,
                calls: Semaphore::new(PARALLEL_CALLS),
                callback_calls: Semaphore::new(PARALLEL_CALLBACKS),
                background_calls: Semaphore::new(PARALLEL_BACKGROUND_CALLS),
                fetches: RateLimiter::keyed(FETCHES),
                refusals_told: RateLimiter::direct(LOGGED_REFUSALS),
                checked: Mutex::new(LruCache::new(MAXIMUM_REMEMBERED_CHECKS)),
                coins: CoinBook::default(),
            }),
        }
    }

    /// The house.
    #[must_use]
    pub const fn house(&self) -> &House {
        &self.house
    }

    /// Asks once: whoever waits is not kept waiting, and whoever does not asks again later.
    pub(crate) fn client(&self) -> &Client {
        &self.desk.options.client
    }

    pub(crate) fn ipn_secret(&self) -> &IpnSecret {
        &self.desk.options.ipn_secret
    }

    pub(crate) fn callback_url(&self) -> String {
        format!("{}{CALLBACK_PATH}", self.desk.options.public_url)
    }

    pub(crate) fn return_url(&self) -> String {
        format!("{}{RETURN_PATH}", self.desk.options.public_url)
    }

    /// The most that is credited for a price without a person, rounded down to the cent.
    pub(crate) fn overpayment_cap(&self, price: Money) -> Money {
        let percent = i128::from(self.desk.options.overpayment_cap_percent.max(100));
        let cap = i128::from(price.cents()) * percent / 100;
        Money::from_cents(i64::try_from(cap).unwrap_or(i64::MAX))
    }

    /// How long rates hold.
    pub(crate) fn rates(&self) -> RateTerms {
        self.desk.options.rates
    }

    /// The least and the most that is moved at a time.
    #[must_use]
    pub fn limits(&self) -> TransferLimits {
        self.desk.options.limits
    }

    /// What is known of the coins.
    pub(crate) fn coins(&self) -> &CoinBook {
        &self.desk.coins
    }

    /// The same cashier, asking the provider for somebody else.
    #[must_use]
    pub(crate) fn calling_as(&self, caller: Caller) -> Self {
        Self {
            caller,
            ..self.clone()
        }
    }

    fn calls(&self) -> &Semaphore {
        match self.caller {
            Caller::Person => &self.desk.calls,
            Caller::Callback => &self.desk.callback_calls,
            Caller::Background => &self.desk.background_calls,
        }
    }

    /// The provider's codes of the coins that it takes.
    pub(crate) async fn currencies(&self) -> Result<Vec<String>, ClientError> {
        let _permit = self.calls().acquire().await;
        self.client().currencies().await
    }

    /// The least payment in a coin.
    pub(crate) async fn min_amount(&self, coin: Currency) -> Result<MinimumAmount, ClientError> {
        let _permit = self.calls().acquire().await;
        let to = &self.desk.options.outcome_currency;
        self.client().min_amount(coin, to).await
    }

    /// Fetches a payment, a few at a time.
    pub(crate) async fn fetch(&self, id: &PaymentId) -> Result<Payment, ClientError> {
        // Nobody ever closes it.
        let _permit = self.calls().acquire().await;
        self.client().payment(id).await
    }

    /// Lists payments, a few lists at a time.
    pub(crate) async fn list(&self, filter: &PaymentFilter) -> Result<Vec<Payment>, ClientError> {
        let _permit = self.calls().acquire().await;
        self.client().payments(filter).await
    }

    /// Whether the payments of an invoice can be listed.
    pub(crate) fn can_list(&self) -> bool {
        self.client().can_list()
    }

    /// Whether a payment was not fetched all too often just now because of callbacks.
    pub(crate) fn may_fetch(&self, payment: &PaymentId) -> bool {
        self.desk.fetches.check_key(payment).is_ok()
    }

    /// Whether the log should publish of one more callback that is not the provider's.
    pub(crate) fn may_tell_of_refusal(&self) -> bool {
        self.desk.refusals_told.check().is_ok()
    }

    /// Forgets which payments were fetched long ago. To be called now and then.
    pub fn evict_idle_payments(&self) {
        self.desk.fetches.retain_recent();
    }

    /// Whether a player has not asked just now; from now on that player has.
    pub(crate) fn may_check(&self, player: UserId) -> bool {
        let now = self.house.now();
        let mut checked = self
            .desk
            .checked
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let is_fresh = checked
            .get(&player)
            .is_some_and(|last| now.saturating_since(*last) < CHECK_PERIOD);
        if !is_fresh {
            checked.put(player, now);
        }
        !is_fresh
    }
}
