//! The steps of one payment through the provider.

use std::time::Duration;

use glasshouse_domain::{HouseSwitch, PayoutState, Timestamp, UserId, WithdrawalId};
use glasshouse_payments::{
    BatchId, ClientError, Decimal, Payout as ProviderPayout, PayoutId, PayoutRequest, PayoutStatus,
};
use glasshouse_persistence::money::{
    Payout, PayoutStop, ProviderPayout as KnownPayout, Withdrawal,
};
use glasshouse_persistence::{Scope, Transaction};

use crate::clock::date_of;
use crate::error::{CasinoError, Fault};
use crate::money::cashier::Cashier;
use crate::money::payouts::plan::{Step, look_again_after, next_step, retry_after};
use crate::money::payouts::progress::LockedPayout;
use crate::money::payouts::quote::request_quote;

/// How long after a payment was stopped its last code may still be on its way. Codes are valid for half a minute.
const LAST_CALL: Duration = Duration::from_mins(10);
/// How much earlier than the first request the provider's list is searched, in case its clock is behind.
const SEARCH_MARGIN: Duration = Duration::from_hours(24);

/// How many refused codes of the authenticator are enough. The provider accepts ten attempts for a batch; with a wrong
/// secret or clock, all of them would be refused.
const MAXIMUM_REFUSED_CODES: i64 = 5;

/// How often it is looked whether payments can start again.
const LOOK_AGAIN_WHILE_STOPPED: Duration = Duration::from_secs(10);

/// Whether this server is the one that asks for a payment.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Start {
    Ours,
    Others,
    /// Nobody may ask for it now.
    Stopped,
}

/// What a step has led to.
pub(crate) enum Outcome {
    /// The next step can follow at once.
    GoOn,
    /// The next step follows later.
    Wait,
}

/// A payment that is worked on, as it was read.
pub(crate) struct Job<'j> {
    pub(crate) cashier: &'j Cashier,
    pub(crate) withdrawal: &'j Withdrawal,
    pub(crate) payout: &'j Payout,
}

impl Job<'_> {
    /// Fixes the amount, stores that the provider is asked now, and asks.
    pub(crate) async fn create(&self) -> Result<Outcome, CasinoError> {
        let net = self.withdrawal.net();
        let quote = request_quote(self.cashier, net, self.withdrawal.currency)
            .await
            .map_err(Fault::Provider)?;
        let Some(quote) = quote else {
            self.retry_later("the amount is too small for this coin".to_owned())
                .await?;
            return Ok(Outcome::Wait);
        };
        let now = self.cashier.house.now();
        let amount = quote.amount.to_string();
        let start = self
            .change(move |transaction, locked| {
                let payout = &mut locked.payout;
                if payout.state != PayoutState::Claimed || payout.requested_at.is_some() {
                    return Ok(Start::Others);
                }
                if let Some(problem) = stopped(transaction, locked)? {
                    let payout = &mut locked.payout;
                    payout.problem = Some(problem.to_owned());
                    payout.next_step_at = Some(now.saturating_add(LOOK_AGAIN_WHILE_STOPPED));
                    return Ok(Start::Stopped);
                }
                let payout = &mut locked.payout;
                payout.coin_amount = Some(quote.amount.to_string());
                payout.rate = Some(quote.rate.to_string());
                payout.requested_at = Some(now);
                Ok(Start::Ours)
            })
            .await?;
        if start == Start::Stopped {
            return Ok(Outcome::Wait);
        }
        if start == Start::Ours {
            let request = self.request(&amount)?;
            let created = self.cashier.create_payout(&request).await;
            self.adopt(created.map_err(Fault::Provider)?).await?;
        }
        Ok(Outcome::GoOn)
    }

    /// Looks for the payment that an unanswered request may have created. If there is none, a new one is
    /// created: should the earlier one turn up after all, it is never verified and thus never paid.
    pub(crate) async fn search(&self) -> Result<Outcome, CasinoError> {
        let amount = self.payout.coin_amount.clone().unwrap_or_default();
        let request = self.request(&amount)?;
        let since = self.payout.requested_at.unwrap_or(self.payout.claimed_at);
        let from = date_of(since.saturating_sub(SEARCH_MARGIN));
        let found = self.cashier.find_payout(&request.external_id, from).await;
        match found.map_err(Fault::Provider)? {
            Some(found) if found.status.is_lost() => self.forget_request().await?,
            Some(found) if found.matches(&request) => self.adopt(found).await?,
            Some(found) if found.status.is_unverified() => self.forget_request().await?,
            Some(_) => {
                return Err(Fault::Provider(ClientError::OutcomeUnknown(
                    "the provider pays something else under the ID of this payment".to_owned(),
                ))
                .into());
            }
            None => self.forget_request().await?,
        }
        Ok(Outcome::GoOn)
    }

    /// Stores the provider's payment, if none is stored yet. One that another server has asked for at another
    /// rate is left alone: it is never verified.
    async fn adopt(&self, created: ProviderPayout) -> Result<(), CasinoError> {
        if !created.status.is_unverified() {
            tracing::error!(
                withdrawal = %self.withdrawal.id,
                status = created.status.as_str(),
                "the provider pays without verification: switch it on in the provider's account"
            );
        }
        let now = self.cashier.house.now();
        self.change(move |_, locked| {
            let payout = &mut locked.payout;
            let is_asked_for = payout.requested_at.is_some()
                && payout.coin_amount == Some(created.amount.to_string());
            if payout.state == PayoutState::Claimed && payout.provider.is_none() && is_asked_for {
                payout.provider = Some(KnownPayout {
                    id: created.id.to_string(),
                    batch: created.batch.to_string(),
                });
                if !created.status.is_unverified() {
                    // It may be under way already, so nobody can stop it any more.
                    payout.verified_at = Some(now);
                }
                payout.failed_calls = 0;
                payout.problem = None;
            }
            Ok(())
        })
        .await
    }

    /// The provider has no payment, so it can be asked again, at the rate of then.
    async fn forget_request(&self) -> Result<(), CasinoError> {
        self.change(|_, locked| {
            let payout = &mut locked.payout;
            if payout.provider.is_none() && payout.state == PayoutState::Claimed {
                payout.requested_at = None;
            }
            Ok(())
        })
        .await
    }

    /// Stores that the payment may be under way from now on, and has it carried out.
    pub(crate) async fn verify(&self) -> Result<Outcome, CasinoError> {
        let now = self.cashier.house.now();
        let is_ours = self
            .change(move |_, locked| {
                let payout = &mut locked.payout;
                let is_free = payout.state == PayoutState::Claimed && payout.verified_at.is_none();
                if is_free {
                    payout.verified_at = Some(now);
                }
                Ok(is_free)
            })
            .await?;
        if is_ours {
            self.order_payment().await?;
        }
        Ok(Outcome::GoOn)
    }

    /// Tells the provider to pay, unless it was stopped. The code is made before that is looked up: whatever holds
    /// this server up in between, the code is worthless long before a stopped payment fails.
    async fn order_payment(&self) -> Result<(), CasinoError> {
        let (_, batch) = self.provider_ids()?;
        let code = self.cashier.client().payout_code();
        let code = code.map_err(Fault::Provider)?;
        let may_be_paid = self
            .change(|_, locked| {
                let payout = &locked.payout;
                Ok(payout.state == PayoutState::Claimed && payout.stop.is_none())
            })
            .await?;
        if !may_be_paid {
            return Ok(());
        }
        let verified = self.cashier.verify_payout(&batch, &code).await;
        if let Err(ClientError::Refused { .. }) = &verified {
            self.change(|_, locked| {
                let refused = &mut locked.payout.refused_codes;
                *refused = refused.saturating_add(1);
                Ok(())
            })
            .await?;
        }
        verified.map_err(Fault::Provider)?;
        let now = self.cashier.house.now();
        self.change(move |transaction, locked| {
            if locked.payout.state == PayoutState::Claimed {
                locked.payout.failed_calls = 0;
                locked.send(transaction, (now, None))?;
            }
            Ok(())
        })
        .await
    }

    /// Asks what has become of the payment, and records it.
    pub(crate) async fn follow(&self) -> Result<Outcome, CasinoError> {
        let (id, _) = self.provider_ids()?;
        let asked_at = self.cashier.house.now();
        let fetched = self.cashier.fetch_payout(&id).await;
        let fetched = fetched.map_err(Fault::Provider)?;
        if fetched.status.is_unverified() && self.payout.state == PayoutState::Claimed {
            return self.order_again(asked_at).await;
        }
        let now = self.cashier.house.now();
        let (id, player) = (self.withdrawal.id, self.withdrawal.player);
        self.cashier
            .house
            .database
            .write::<_, CasinoError, _>(Scope::player(player), move |transaction| {
                record_status(transaction, (player, id), &fetched, now)
            })
            .await?;
        Ok(Outcome::Wait)
    }

    /// The provider was told to pay at `asked_at` or before and has not understood it: the call was refused or lost.
    /// Unless the payment was stopped, it is told again.
    async fn order_again(&self, asked_at: Timestamp) -> Result<Outcome, CasinoError> {
        if let Some(stop) = &self.payout.stop {
            return self.fail_after_stop(stop, asked_at).await;
        }
        if self.payout.refused_codes >= MAXIMUM_REFUSED_CODES {
            let problem = "the provider refuses the codes of the authenticator, so that it is given no more of them";
            self.retry_later(problem.to_owned()).await?;
            return Ok(Outcome::Wait);
        }
        self.order_payment().await?;
        Ok(Outcome::GoOn)
    }

    /// Marks a stopped payment as failed, if the provider had not paid it when no call that tells it to could be
    /// under way any more.
    async fn fail_after_stop(
        &self,
        stop: &PayoutStop,
        asked_at: Timestamp,
    ) -> Result<Outcome, CasinoError> {
        let certain_from = stop.at.saturating_add(LAST_CALL);
        let reason = format!("stopped: {}", stop.reason);
        let now = self.cashier.house.now();
        self.change(move |transaction, locked| {
            if next_step(&locked.payout) != Some(Step::Follow) {
                return Ok(());
            }
            if asked_at < certain_from {
                locked.payout.next_step_at = Some(certain_from);
                return Ok(());
            }
            locked.fail(transaction, reason.clone(), (now, None))
        })
        .await?;
        Ok(Outcome::Wait)
    }

    fn request(&self, amount: &str) -> Result<PayoutRequest, CasinoError> {
        let amount: Decimal = amount
            .parse()
            .map_err(|_| self.corrupt("the amount in the coin"))?;
        Ok(PayoutRequest {
            address: self.withdrawal.address.clone(),
            currency: self.withdrawal.currency,
            amount,
            external_id: self.payout.external_id.clone(),
        })
    }

    fn provider_ids(&self) -> Result<(PayoutId, BatchId), CasinoError> {
        self.payout
            .provider
            .as_ref()
            .and_then(|known| PayoutId::parse(&known.id).zip(BatchId::parse(&known.batch)))
            .ok_or_else(|| self.corrupt("the provider's IDs"))
    }

    fn corrupt(&self, what: &str) -> CasinoError {
        CasinoError::corrupt(format!("payout {}: {what}", self.withdrawal.id))
    }

    /// Notes a problem, and when the step is repeated.
    pub(crate) async fn retry_later(&self, problem: String) -> Result<(), CasinoError> {
        let now = self.cashier.house.now();
        self.change(move |_, locked| {
            let payout = &mut locked.payout;
            if next_step(payout).is_some() {
                let wait = retry_after(payout);
                payout.failed_calls = payout.failed_calls.saturating_add(1);
                payout.next_step_at = Some(now.saturating_add(wait));
                payout.problem = Some(problem.clone());
            }
            Ok(())
        })
        .await
    }

    /// Changes the payment under its locks, and saves it unless its state is final.
    async fn change<T: Send + 'static>(
        &self,
        change: impl Fn(&mut Transaction<'_, '_>, &mut LockedPayout) -> Result<T, CasinoError>
        + Send
        + 'static,
    ) -> Result<T, CasinoError> {
        let (id, player) = (self.withdrawal.id, self.withdrawal.player);
        self.cashier
            .house
            .database
            .write::<_, CasinoError, _>(Scope::player(player), move |transaction| {
                let mut locked = LockedPayout::lock(transaction, player, id)?;
                let before = locked.payout.clone();
                let changed = change(transaction, &mut locked)?;
                // A change of the state is saved with its consequences.
                if locked.payout != before && locked.payout.state == before.state {
                    transaction.save_payout(&locked.payout)?;
                }
                Ok(changed)
            })
            .await
    }
}

/// Why no new payment of the player starts now.
fn stopped(
    transaction: &mut Transaction<'_, '_>,
    locked: &LockedPayout,
) -> Result<Option<&'static str>, CasinoError> {
    let switches = transaction.house_switches()?;
    Ok(if switches.stop(HouseSwitch::Withdrawals).is_some() {
        Some("withdrawals are paused")
    } else if locked.is_blocked() {
        Some("withdrawing is blocked for this player")
    } else {
        None
    })
}

/// Records what the provider reports.
fn record_status(
    transaction: &mut Transaction<'_, '_>,
    (player, id): (UserId, WithdrawalId),
    fetched: &ProviderPayout,
    now: Timestamp,
) -> Result<(), CasinoError> {
    let mut locked = LockedPayout::lock(transaction, player, id)?;
    if next_step(&locked.payout).is_none() {
        return Ok(());
    }
    let payout = &mut locked.payout;
    payout.failed_calls = 0;
    payout.problem = None;
    if let Some(hash) = &fetched.hash {
        payout.transaction_id.get_or_insert_with(|| hash.clone());
    }
    if let Some(fee) = &fetched.fee {
        payout.network_fee = Some(fee.to_string());
    }
    payout.next_step_at = Some(now.saturating_add(look_again_after(payout, now)));
    if fetched.status.is_lost() {
        let error = fetched.error.clone().filter(|error| !error.is_empty());
        let reason = error.unwrap_or_else(|| format!("the provider: {}", fetched.status.as_str()));
        return locked.fail(transaction, reason, (now, None));
    }
    if locked.payout.state == PayoutState::Claimed {
        locked.send(transaction, (now, None))?;
    }
    if fetched.status.is_unverified() {
        locked.payout.problem =
            Some("the provider waits for a verification that it has accepted".to_owned());
    }
    if fetched.status == PayoutStatus::Finished {
        return locked.confirm(transaction, (now, None));
    }
    Ok(transaction.save_payout(&locked.payout)?)
}
