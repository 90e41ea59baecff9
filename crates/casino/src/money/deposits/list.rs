//! A player's deposits: the list, a single deposit, and the wagering progress.

use std::time::Duration;

use glasshouse_domain::{DepositId, Money, UserId, WageredDeposit, Wallet, wagered_deposits};
use glasshouse_payments::InvoiceId;
use glasshouse_persistence::money::{Deposit, DepositKey, PaymentRecord};
use glasshouse_persistence::{AnyConnection, DatabaseError, Page, queries};
use tokio::time::timeout;

use crate::error::{CasinoError, Refusal};
use crate::house::House;
use crate::money::cashier::Cashier;
use crate::money::deposits::reconcile::check_deposit;

/// How long a waiting player waits for the provider; after that, our own record is returned.
const PROVIDER_CHECK_TIMEOUT: Duration = Duration::from_secs(2);
/// The maximum number of deposits considered for the wagering progress.
const MAXIMUM_LINES: i64 = 50;
/// The maximum number of fully wagered deposits shown.
const WAGERED_LINES: usize = 3;

/// A deposit as shown to its player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DepositView {
    /// The deposit.
    pub deposit: Deposit,
    /// Whether one of its payments is under manual review.
    pub is_under_review: bool,
}

/// A deposit with its wagering progress.
#[derive(Debug, Clone)]
pub struct WageringLine {
    /// The deposit.
    pub deposit: Deposit,
    /// The wagering progress.
    pub wagered: WageredDeposit,
}

/// What a player can withdraw, and what must still be wagered.
#[derive(Debug, Clone)]
pub struct Wagering {
    /// The balance and the wagering requirement.
    pub wallet: Wallet,
    /// The deposits that must still be wagered, and a few that are fully wagered; newest first.
    pub lines: Vec<WageringLine>,
    /// What must still be wagered of older deposits.
    pub older_remaining: Money,
}

/// Reads a page of a player's deposits.
///
/// # Errors
/// If the database fails.
pub async fn read_deposits(
    house: &House,
    player: UserId,
    before: Option<DepositId>,
    limit: usize,
) -> Result<Page<DepositView, DepositId>, CasinoError> {
    house
        .database
        .read(move |connection| {
            let deposits = queries::deposits_of(connection, player, before, limit)?;
            let Page { entries, next } = Page::new(deposits, limit, |deposit| deposit.id);
            let entries = with_reviews(connection, entries)?;
            Ok(Page { entries, next })
        })
        .await
        .map_err(|error: DatabaseError| error.into())
}

/// Reads the payments of a page of a player's deposits. Each deposit has only a few.
///
/// # Errors
/// If the database fails.
pub async fn read_payments(
    house: &House,
    player: UserId,
    before: Option<DepositId>,
    limit: usize,
) -> Result<Page<PaymentRecord, DepositId>, CasinoError> {
    house
        .database
        .read(move |connection| {
            let deposits = queries::deposits_of(connection, player, before, limit)?;
            let page = Page::new(deposits, limit, |deposit| deposit.id);
            let mut entries = Vec::new();
            for deposit in page.entries {
                entries.extend(queries::payments_of(connection, deposit.id)?);
            }
            Ok(Page {
                entries,
                next: page.next,
            })
        })
        .await
        .map_err(|error: DatabaseError| error.into())
}

fn with_reviews(
    connection: &mut AnyConnection,
    deposits: Vec<Deposit>,
) -> Result<Vec<DepositView>, DatabaseError> {
    let ids: Vec<DepositId> = deposits.iter().map(|deposit| deposit.id).collect();
    let reviewed = queries::deposits_under_review(connection, &ids)?;
    let view = |deposit: Deposit| DepositView {
        is_under_review: reviewed.contains(&deposit.id),
        deposit,
    };
    Ok(deposits.into_iter().map(view).collect())
}

/// Reads a deposit that its player waits for. The provider is asked first, unless it was asked
/// recently; if it takes too long, our own record is returned.
///
/// # Errors
/// [`Refusal::NotFound`] if the player has no such deposit, or if the database fails.
pub async fn await_deposit(
    cashier: &Cashier,
    player: UserId,
    invoice: String,
) -> Result<DepositView, CasinoError> {
    // The provider's IDs have a known form; any other text cannot be an invoice's ID.
    if InvoiceId::parse(&invoice).is_none() {
        return Err(Refusal::NotFound.into());
    }
    let current = find_deposit(&cashier.house, player, invoice.clone()).await?;
    let deposit = &current.deposit;
    if deposit.next_check_at.is_none() || !cashier.may_check(player) {
        return Ok(current);
    }
    match timeout(PROVIDER_CHECK_TIMEOUT, check_deposit(cashier, deposit.id)).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::warn!(deposit = %deposit.id, %error, "a deposit check failed"),
        Err(_) => tracing::warn!(deposit = %deposit.id, "a deposit check timed out"),
    }
    find_deposit(&cashier.house, player, invoice).await
}

async fn find_deposit(
    house: &House,
    player: UserId,
    invoice: String,
) -> Result<DepositView, CasinoError> {
    let found = house
        .database
        .read::<_, CasinoError, _>(move |connection| {
            let found = queries::deposit(connection, DepositKey::Invoice(&invoice))?;
            let of_player = found.filter(|deposit| deposit.player == player);
            with_reviews(connection, of_player.into_iter().collect())
        })
        .await?;
    found
        .into_iter()
        .next()
        .ok_or_else(|| Refusal::NotFound.into())
}

/// Reads what a player can withdraw, and what must still be wagered of each deposit.
///
/// # Errors
/// If the database fails.
pub async fn read_wagering(house: &House, player: UserId) -> Result<Wagering, CasinoError> {
    house
        .database
        .read(move |connection| {
            let wallet = queries::account_of(connection, player)?.wallet;
            let deposits = queries::credited_deposits(connection, player, MAXIMUM_LINES)?;
            Ok(wagering_of(wallet, deposits))
        })
        .await
        .map_err(|error: DatabaseError| error.into())
}

fn wagering_of(wallet: Wallet, deposits: Vec<Deposit>) -> Wagering {
    let credited: Vec<Money> = deposits.iter().map(|deposit| deposit.credited).collect();
    let (wagered, older_remaining) = wagered_deposits(wallet.unwagered(), &credited);
    let mut done = 0;
    let lines = deposits
        .into_iter()
        .zip(wagered)
        .map(|(deposit, wagered)| WageringLine { deposit, wagered })
        .filter(|line| {
            done += usize::from(line.wagered.remaining.is_zero());
            line.wagered.remaining.is_positive() || done <= WAGERED_LINES
        })
        .collect();
    Wagering {
        wallet,
        lines,
        older_remaining,
    }
}
