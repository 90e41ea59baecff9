//! Payouts as a test or another program sees them.

use glasshouse_payments::{BatchId, Decimal, PayoutId, PayoutStatus};

use crate::payout_store::PayoutStore;

/// A payout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PayoutView {
    /// Its ID.
    pub id: PayoutId,
    /// The ID of its batch.
    pub batch: BatchId,
    /// The house's own ID of it.
    pub external_id: Option<String>,
    /// The address that is paid.
    pub address: String,
    /// The provider's code of the coin.
    pub currency: String,
    /// The amount in the coin.
    pub amount: Decimal,
    /// The current status.
    pub status: PayoutStatus,
    /// Whether its batch was verified.
    pub verified: bool,
    /// Whether the money was paid.
    pub paid: bool,
}

impl PayoutView {
    /// All payouts in the order in which they were created.
    pub(crate) fn all(store: &PayoutStore) -> Vec<Self> {
        let payouts = store.payouts.iter();
        payouts
            .filter_map(|payout| {
                let batch = store.batches.get(&payout.batch);
                let status = payout.status();
                Some(Self {
                    id: PayoutId::parse(&payout.id.to_string())?,
                    batch: BatchId::parse(&payout.batch.to_string())?,
                    external_id: payout.external_id.clone(),
                    address: payout.address.clone(),
                    currency: payout.currency.clone(),
                    amount: payout.amount.clone(),
                    verified: batch.is_some_and(|batch| batch.is_verified),
                    paid: status == PayoutStatus::Finished,
                    status,
                })
            })
            .collect()
    }
}
