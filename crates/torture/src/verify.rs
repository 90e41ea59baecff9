//! Compares what the house has stored, and what the provider has done, with what the players were told.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use crate::cents;
use crate::house::House;
use crate::players::{Player, id_of};

/// How long rounds may take to end by themselves, and payments to be settled, once nothing goes wrong any more.
const SETTLING_LIMIT: Duration = Duration::from_mins(4);
const POLL_INTERVAL: Duration = Duration::from_millis(500);

/// What was compared.
#[derive(Debug, Default)]
pub(crate) struct Verified {
    pub(crate) rounds: usize,
    pub(crate) deposits: usize,
    pub(crate) withdrawals: usize,
    pub(crate) paid_withdrawals: usize,
}

/// What the provider has done.
#[derive(Debug, Default)]
struct Provider {
    /// The price in cents of each paid invoice, by the order's ID.
    paid: HashMap<String, i64>,
    /// The amounts of finished payouts, by their address.
    payouts: HashMap<String, Vec<String>>,
}

/// Waits until everything under way has come to its end, and compares it, for all players.
pub(crate) async fn verify(house: &House, players: &mut [Player]) -> Result<Verified> {
    let mut verified = Verified::default();
    for player in players {
        let started = Instant::now();
        loop {
            let provider = Provider::read(&house.provider_state()?)?;
            match compare(player, &provider).await {
                Ok(one) => {
                    verified.add(&one);
                    break;
                }
                Err(error) if started.elapsed() > SETTLING_LIMIT => {
                    return Err(error.context(format!("player {}", player.number)));
                }
                Err(_) => tokio::time::sleep(POLL_INTERVAL).await,
            }
        }
    }
    Ok(verified)
}

async fn compare(player: &mut Player, provider: &Provider) -> Result<Verified> {
    let rounds = player.stored_rounds().await?;
    player.book.compare(&rounds)?;
    let credited = compare_deposits(player, provider).await?;
    let (withdrawals, paid, held_cents) = compare_withdrawals(player, provider).await?;
    let won: i64 = rounds.values().map(|(stake, payout)| payout - stake).sum();
    let expected = player.book.initial_cents + credited + won - held_cents;
    let balance = player.balance().await?;
    ensure!(
        balance == expected,
        "the balance is {}, and should be {}",
        cents::format(balance),
        cents::format(expected)
    );
    Ok(Verified {
        rounds: rounds.len(),
        deposits: player.book.deposits.len(),
        withdrawals,
        paid_withdrawals: paid,
    })
}

/// Each deposit that the player paid is credited once, and nothing else is. Returns the sum.
async fn compare_deposits(player: &mut Player, provider: &Provider) -> Result<i64> {
    let stored = player.caller.list("/api/deposits?limit=100").await?;
    let mut sum_cents = 0;
    let mut credited = HashMap::new();
    for deposit in &stored {
        let order = text(deposit, "orderId")?;
        let cents = cents::field(deposit, "creditedAmount")?;
        let paid = provider.paid.get(order).copied().unwrap_or_default();
        ensure!(cents == paid, "paid: {paid} cents, credited: {deposit}");
        credited.insert(order.to_owned(), cents);
        sum_cents += cents;
    }
    for (order, cents) in &player.book.deposits {
        let found = credited.get(order);
        ensure!(
            found == Some(cents),
            "deposit {order} of {cents} cents: {found:?}"
        );
    }
    Ok(sum_cents)
}

/// Each withdrawal was paid once or not at all. Returns how many there are, how many were paid, and the sum that was
/// taken from the balance.
async fn compare_withdrawals(
    player: &mut Player,
    provider: &Provider,
) -> Result<(usize, usize, i64)> {
    let stored = player
        .caller
        .list("/api/withdraw-requests?limit=100")
        .await?;
    let mut seen = HashMap::new();
    let (mut paid, mut held_cents) = (0, 0);
    for withdrawal in &stored {
        let id = id_of(withdrawal, "id")?;
        let amount_cents = cents::field(withdrawal, "amount")?;
        let payouts = provider.payouts.get(text(withdrawal, "walletAddress")?);
        let is_paid = is_paid(withdrawal, payouts.map_or(&[], Vec::as_slice))?;
        paid += usize::from(is_paid);
        held_cents += i64::from(is_paid) * amount_cents;
        seen.insert(id, (amount_cents, text(withdrawal, "status")?));
    }
    for (id, amount_cents) in &player.book.withdrawals {
        let found = seen.get(id).map(|(amount_cents, _)| amount_cents);
        ensure!(
            found == Some(amount_cents),
            "withdrawal {id} of {amount_cents} cents: {found:?}"
        );
    }
    for id in &player.book.cancelled {
        let found = seen.get(id).map(|(_, status)| *status);
        ensure!(
            found == Some("cancelled"),
            "withdrawal {id} was cancelled, and is {found:?}"
        );
    }
    if let Some(id) = seen
        .keys()
        .find(|id| !player.book.withdrawals.contains_key(id))
    {
        bail!("withdrawal {id} is stored, but nobody was told of it");
    }
    Ok((stored.len(), paid, held_cents))
}

/// Whether a withdrawal was paid, which must be over and agree with what the provider did.
fn is_paid(withdrawal: &Value, payouts: &[String]) -> Result<bool> {
    let state = withdrawal.pointer("/payout/state").and_then(Value::as_str);
    match (text(withdrawal, "status")?, state, payouts) {
        ("rejected" | "cancelled", _, []) | ("approved", Some("returned"), []) => Ok(false),
        ("approved", Some("confirmed"), [amount]) => {
            let told = withdrawal
                .pointer("/payout/coinAmount")
                .and_then(Value::as_str);
            ensure!(
                told == Some(amount),
                "the provider has sent {amount}: {withdrawal}"
            );
            Ok(true)
        }
        _ => bail!("the provider has sent {payouts:?}: {withdrawal}"),
    }
}

impl Verified {
    fn add(&mut self, other: &Self) {
        self.rounds += other.rounds;
        self.deposits += other.deposits;
        self.withdrawals += other.withdrawals;
        self.paid_withdrawals += other.paid_withdrawals;
    }
}

impl Provider {
    /// Reads the sandbox's file.
    fn read(state: &Value) -> Result<Self> {
        let mut provider = Self::default();
        let invoices = state
            .get("invoices")
            .and_then(Value::as_object)
            .context("no invoices")?;
        let payments = state
            .get("payments")
            .and_then(Value::as_object)
            .context("no payments")?;
        for payment in payments
            .values()
            .filter(|payment| status(payment) == "finished")
        {
            let number = payment
                .get("invoice")
                .and_then(Value::as_u64)
                .context("no invoice")?;
            let invoice = invoices
                .get(&number.to_string())
                .context("an unknown invoice")?;
            let cents = cents::parse(text(invoice, "price")?).context("no price")?;
            *provider
                .paid
                .entry(text(invoice, "order_id")?.to_owned())
                .or_default() += cents;
        }
        let payouts = state.pointer("/payouts/payouts").and_then(Value::as_array);
        for payout in payouts.into_iter().flatten() {
            if status(payout) == "FINISHED" {
                let address = text(payout, "address")?.to_owned();
                let amounts = provider.payouts.entry(address).or_default();
                amounts.push(text(payout, "amount")?.to_owned());
            }
        }
        Ok(provider)
    }
}

fn status(record: &Value) -> &str {
    record
        .get("status")
        .and_then(Value::as_str)
        .unwrap_or_default()
}

fn text<'a>(record: &'a Value, name: &str) -> Result<&'a str> {
    let text = record.get(name).and_then(Value::as_str);
    text.with_context(|| format!("`{name}` is missing: {record}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_withdrawal_is_paid_once_or_not_at_all() {
        let check =
            |status: &str, state: Option<&str>, payouts: &[&str], expected: Option<bool>| {
                let payout = state.map(|state| json!({ "state": state, "coinAmount": "0.01" }));
                let withdrawal = json!({ "status": status, "payout": payout });
                let payouts: Vec<String> =
                    payouts.iter().map(|&amount| amount.to_owned()).collect();
                assert_eq!(
                    is_paid(&withdrawal, &payouts).ok(),
                    expected,
                    "{withdrawal} {payouts:?}"
                );
            };
        check("approved", Some("confirmed"), &["0.01"], Some(true));
        check("approved", Some("confirmed"), &["0.01", "0.01"], None);
        check("approved", Some("confirmed"), &["0.02"], None);
        check("approved", Some("confirmed"), &[], None);
        check("approved", Some("sent"), &["0.01"], None);
        check("approved", Some("returned"), &[], Some(false));
        check("approved", Some("returned"), &["0.01"], None);
        check("rejected", None, &[], Some(false));
        check("cancelled", None, &["0.01"], None);
        check("pending", None, &[], None);
    }

    #[test]
    fn the_file_of_the_provider_is_read() {
        let state = json!({
            "invoices": { "7": { "price": "25.5", "order_id": "one" }, "8": { "price": "9", "order_id": "two" } },
            "payments": {
                "1": { "invoice": 7, "status": "finished" },
                "2": { "invoice": 8, "status": "waiting" },
            },
            "payouts": { "payouts": [
                { "status": "FINISHED", "address": "a", "amount": "0.1" },
                { "status": "FAILED", "address": "a", "amount": "0.1" },
                { "status": "FINISHED", "address": "b", "amount": "0.2" },
            ] },
        });
        let provider = Provider::read(&state).unwrap();
        assert_eq!(provider.paid, HashMap::from([("one".to_owned(), 2550)]));
        assert_eq!(provider.payouts["a"], ["0.1"]);
        assert_eq!(provider.payouts["b"], ["0.2"]);
    }
}
