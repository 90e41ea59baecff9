//! The payment of an approved withdrawal.

use glasshouse_domain::{PayoutMethod, PayoutState, Timestamp, UserId, WithdrawalId};

/// The provider's IDs of a payment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderPayout {
    /// The payment.
    pub id: String,
    /// The batch that it belongs to alone, and that is verified.
    pub batch: String,
}

/// A person's wish that the provider is not told again to pay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PayoutStop {
    /// When it was recorded.
    pub at: Timestamp,
    /// The administrator.
    pub by: UserId,
    /// Why.
    pub reason: String,
}

/// The payment of an approved withdrawal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Payout {
    /// The withdrawal.
    pub withdrawal: WithdrawalId,
    /// Who pays it.
    pub method: PayoutMethod,
    /// How far it has come.
    pub state: PayoutState,
    /// Our ID of the payment at the provider.
    pub external_id: String,
    /// The amount in the coin.
    pub coin_amount: Option<String>,
    /// The price of a coin in US dollars.
    pub rate: Option<String>,
    /// The network's fee, in the coin.
    pub network_fee: Option<String>,
    /// The transaction's ID in the network.
    pub transaction_id: Option<String>,
    /// When the provider was first asked to create the payment.
    pub requested_at: Option<Timestamp>,
    /// What the provider calls the payment.
    pub provider: Option<ProviderPayout>,
    /// When the provider was first asked to carry it out.
    pub verified_at: Option<Timestamp>,
    /// The last problem, or why it failed.
    pub problem: Option<String>,
    /// The number of calls that have failed in a row.
    pub failed_calls: i64,
    /// When the next step is due; `None` if there is none without a person.
    pub next_step_at: Option<Timestamp>,
    /// When it was taken up.
    pub claimed_at: Timestamp,
    /// When it was sent.
    pub sent_at: Option<Timestamp>,
    /// When it was known to have arrived.
    pub confirmed_at: Option<Timestamp>,
    /// When it was known to have failed.
    pub failed_at: Option<Timestamp>,
    /// When the amount was returned.
    pub returned_at: Option<Timestamp>,
    /// The administrator who recorded that it was sent.
    pub sent_by: Option<UserId>,
    /// The administrator who recorded that it arrived.
    pub confirmed_by: Option<UserId>,
    /// The administrator who recorded that it failed.
    pub failed_by: Option<UserId>,
    /// The administrator who returned the amount.
    pub returned_by: Option<UserId>,
    /// Whether it was stopped after the provider was told to pay it.
    pub stop: Option<PayoutStop>,
    /// How often the provider has refused the code that verifies it.
    pub refused_codes: i64,
}

impl Payout {
    /// A payment that was just taken up.
    #[must_use]
    pub const fn claimed(
        withdrawal: WithdrawalId,
        method: PayoutMethod,
        external_id: String,
        at: Timestamp,
    ) -> Self {
        Self {
            withdrawal,
            method,
            state: PayoutState::Claimed,
            external_id,
            coin_amount: None,
            rate: None,
            network_fee: None,
            transaction_id: None,
            requested_at: None,
            provider: None,
            verified_at: None,
            problem: None,
            failed_calls: 0,
            next_step_at: match method {
                PayoutMethod::Provider => Some(at),
                PayoutMethod::Manual => None,
            },
            claimed_at: at,
            sent_at: None,
            confirmed_at: None,
            failed_at: None,
            returned_at: None,
            sent_by: None,
            confirmed_by: None,
            failed_by: None,
            returned_by: None,
            stop: None,
            refused_codes: 0,
        }
    }

    /// Whether a person can still stop it: a person pays it, or the provider is not known to have paid it.
    #[must_use]
    pub const fn can_be_stopped(&self) -> bool {
        self.state.can_become(PayoutState::Failed)
            && match self.verified_at {
                None => true,
                Some(_) => matches!(self.state, PayoutState::Claimed) && self.stop.is_none(),
            }
    }

    /// The text of the audit record that it was sent by hand.
    #[must_use]
    pub fn sent_text(&self) -> String {
        let fee = self.network_fee.as_ref();
        let fee = fee.map_or_else(String::new, |fee| format!("; network_fee={fee}"));
        format!(
            "sent; transaction={}; coins={}{fee}",
            self.transaction_id.as_deref().unwrap_or_default(),
            self.coin_amount.as_deref().unwrap_or_default()
        )
    }
}
