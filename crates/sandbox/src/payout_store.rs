//! The state of payouts: batches, their payouts with scheduled status changes, and what they have
//! taken from the account's balance.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use glasshouse_domain::Currency;
use glasshouse_payments::{Decimal, PayoutStatus, SANDBOX_TRANSACTION, currency_of, provider_code};
use serde::{Deserialize, Serialize};

use crate::as_text;
use crate::error::SandboxError;
use crate::fault_injection::PayoutFate;
use crate::random::{random_hex, random_id};
use crate::rates;

/// How many wrong codes a batch survives.
const MAXIMUM_WRONG_CODES: u32 = 10;
/// What a failed payout reports.
const FAILURE: &str = "The network has refused the transaction";

/// All payouts.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct PayoutStore {
    pub(crate) batches: BTreeMap<u64, BatchRecord>,
    /// The payouts in the order in which they were created.
    pub(crate) payouts: Vec<PayoutRecord>,
    /// What payouts have taken, by the provider's code of the coin.
    taken: BTreeMap<String, Amount>,
    /// The payouts whose scripts are running.
    #[serde(skip)]
    pub(crate) running: BTreeSet<u64>,
}

/// Payouts that are verified together.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct BatchRecord {
    pub(crate) is_verified: bool,
    wrong_codes: u32,
}

/// A payout.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct PayoutRecord {
    pub(crate) id: u64,
    pub(crate) batch: u64,
    pub(crate) external_id: Option<String>,
    /// The status, in upper case.
    pub(crate) status: String,
    /// The provider's code of the coin.
    pub(crate) currency: String,
    #[serde(with = "as_text")]
    pub(crate) amount: Decimal,
    pub(crate) address: String,
    pub(crate) hash: Option<String>,
    pub(crate) fee: Option<Amount>,
    pub(crate) error: Option<String>,
    pub(crate) created_at: String,
    pub(crate) updated_at: String,
    /// The scheduled statuses.
    script: VecDeque<String>,
}

/// An amount of a coin, stored as a string.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Amount(#[serde(with = "as_text")] pub(crate) Decimal);

/// A payout as requested.
#[derive(Debug, Clone)]
pub(crate) struct NewPayout {
    pub(crate) address: String,
    pub(crate) currency: Currency,
    pub(crate) amount: Decimal,
    pub(crate) external_id: Option<String>,
}

/// The outcome of an attempt to verify a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verification {
    UnknownBatch,
    /// There were too many wrong codes.
    Closed,
    WrongCode,
    InsufficientBalance,
    /// The batch is verified, now or since an earlier attempt.
    Verified,
}

/// What a step of a script has led to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StepOutcome {
    Continues,
    /// The script is no longer running.
    Ended,
}

impl PayoutRecord {
    pub(crate) fn status(&self) -> PayoutStatus {
        PayoutStatus::parse(&self.status)
    }

    pub(crate) fn is_unfinished(&self) -> bool {
        !self.script.is_empty()
    }
}

impl PayoutStore {
    /// The account's balance of a coin.
    pub(crate) fn balance(&self, currency: Currency) -> Decimal {
        let initial = rates::initial_balance(currency);
        match self.taken.get(provider_code(currency)) {
            Some(taken) => initial.minus_at_most(&taken.0),
            None => initial,
        }
    }

    /// Whether the balance covers these amounts, each in its coin.
    fn covers<'a>(&self, amounts: impl Iterator<Item = (Currency, &'a Decimal)>) -> bool {
        let mut totals: BTreeMap<Currency, Decimal> = BTreeMap::new();
        for (currency, amount) in amounts {
            let total = totals.entry(currency).or_default();
            *total = total.plus(amount);
        }
        totals
            .iter()
            .all(|(currency, total)| *total <= self.balance(*currency))
    }

    /// Creates a batch, which is not verified. Returns its ID.
    pub(crate) fn create(
        &mut self,
        requested: &[NewPayout],
        now: &str,
    ) -> Result<u64, SandboxError> {
        let amounts = requested
            .iter()
            .map(|payout| (payout.currency, &payout.amount));
        if !self.covers(amounts) {
            return Err(SandboxError::NotPossible("Insufficient balance"));
        }
        let batch = random_id(5_000_000_000)?;
        let records = requested.iter().map(|payout| {
            Ok(PayoutRecord {
                id: random_id(5_000_000_000)?,
                batch,
                external_id: payout.external_id.clone(),
                status: "WAITING".to_owned(),
                currency: provider_code(payout.currency).to_owned(),
                amount: payout.amount.clone(),
                address: payout.address.clone(),
                hash: None,
                fee: None,
                error: None,
                created_at: now.to_owned(),
                updated_at: now.to_owned(),
                script: VecDeque::new(),
            })
        });
        let records: Vec<PayoutRecord> = records.collect::<Result<_, SandboxError>>()?;
        self.payouts.extend(records);
        self.batches.insert(batch, BatchRecord::default());
        Ok(batch)
    }

    /// Verifies a batch if the code is right: its payouts take their amounts from the balance, and
    /// their scripts begin.
    pub(crate) fn verify(
        &mut self,
        id: u64,
        is_right: bool,
        next_fate: impl Fn() -> PayoutFate,
        now: &str,
    ) -> Verification {
        let is_covered = self.covers(
            self.of_batch(id)
                .filter_map(|payout| Some((currency_of(&payout.currency)?, &payout.amount))),
        );
        let Some(batch) = self.batches.get_mut(&id) else {
            return Verification::UnknownBatch;
        };
        if batch.is_verified {
            return Verification::Verified;
        }
        if batch.wrong_codes >= MAXIMUM_WRONG_CODES {
            return Verification::Closed;
        }
        if !is_right {
            batch.wrong_codes += 1;
            return Verification::WrongCode;
        }
        if !is_covered {
            return Verification::InsufficientBalance;
        }
        batch.is_verified = true;
        for payout in self.payouts.iter_mut().filter(|payout| payout.batch == id) {
            let statuses: &[&str] = match next_fate() {
                PayoutFate::Finished => &["SENDING", "FINISHED"],
                PayoutFate::Failed => &["SENDING", "FAILED"],
                PayoutFate::Rejected => &["REJECTED"],
            };
            payout.script = statuses.iter().map(|&status| status.to_owned()).collect();
            "PROCESSING".clone_into(&mut payout.status);
            now.clone_into(&mut payout.updated_at);
            let taken = self.taken.entry(payout.currency.clone()).or_default();
            taken.0 = taken.0.plus(&payout.amount);
        }
        Verification::Verified
    }

    /// The payouts of a batch.
    pub(crate) fn of_batch(&self, batch: u64) -> impl Iterator<Item = &PayoutRecord> {
        let payouts = self.payouts.iter();
        payouts.filter(move |payout| payout.batch == batch)
    }

    /// Applies the next step of a payout's script. While payouts are held, one that is processed
    /// stays so.
    pub(crate) fn apply_next_step(&mut self, id: u64, is_held: bool, now: &str) -> StepOutcome {
        let payout = self.payouts.iter_mut().find(|payout| payout.id == id);
        let Some(payout) = payout.filter(|payout| !(is_held && payout.status == "PROCESSING"))
        else {
            self.running.remove(&id);
            return StepOutcome::Ended;
        };
        let Some(status) = payout.script.pop_front() else {
            self.running.remove(&id);
            return StepOutcome::Ended;
        };
        payout.status = status;
        now.clone_into(&mut payout.updated_at);
        match payout.status() {
            PayoutStatus::Finished => {
                payout.hash = random_hex()
                    .ok()
                    .map(|hex| format!("{SANDBOX_TRANSACTION}{}", hex.repeat(4)));
                let fee = currency_of(&payout.currency).map(rates::network_fee);
                payout.fee = fee.map(Amount);
            }
            PayoutStatus::Failed | PayoutStatus::Rejected => {
                if payout.status() == PayoutStatus::Failed {
                    payout.error = Some(FAILURE.to_owned());
                }
                if let Some(taken) = self.taken.get_mut(&payout.currency) {
                    taken.0 = taken.0.minus_at_most(&payout.amount);
                }
            }
            _ => {}
        }
        StepOutcome::Continues
    }
}
