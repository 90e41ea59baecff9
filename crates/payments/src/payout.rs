//! Payouts: the request to the provider, and a payout as the provider reports it.

use std::fmt;

use glasshouse_domain::Currency;
use serde::Serialize;
use serde_json::value::RawValue;

use crate::codes::provider_code;
use crate::decimal::Decimal;
use crate::fields::{Fields, Malformed};
use crate::identifier::{BatchId, PayoutId};

/// The number of decimals that the provider accepts in the amount of a payout.
const AMOUNT_DECIMALS: u32 = 6;
/// Unknown statuses are truncated to this length.
const MAXIMUM_STATUS: usize = 64;
/// The maximum length of the provider's error texts, in characters.
const MAXIMUM_ERROR: usize = 200;

/// The provider's status of a payout.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum PayoutStatus {
    /// The payout was created and is not verified yet.
    Creating,
    /// The payout waits, usually for its verification.
    Waiting,
    /// The provider is preparing the transaction.
    Processing,
    /// The provider has sent the transaction, which is not confirmed yet.
    Sending,
    /// The money was paid.
    Finished,
    /// The payout failed permanently: nothing was paid.
    Failed,
    /// The provider rejected the payout: nothing was paid.
    Rejected,
    /// An unknown status, in lower case. The payout has not ended.
    Other(String),
}

impl PayoutStatus {
    /// Parses the provider's name, in either case.
    #[must_use]
    pub fn parse(name: &str) -> Self {
        let name: String = name.chars().take(MAXIMUM_STATUS).collect();
        let name = name.to_ascii_lowercase();
        match name.as_str() {
            "creating" => Self::Creating,
            "waiting" => Self::Waiting,
            "processing" => Self::Processing,
            "sending" => Self::Sending,
            "finished" => Self::Finished,
            "failed" => Self::Failed,
            "rejected" => Self::Rejected,
            _ => Self::Other(name),
        }
    }

    /// The provider's name in lower case.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Creating => "creating",
            Self::Waiting => "waiting",
            Self::Processing => "processing",
            Self::Sending => "sending",
            Self::Finished => "finished",
            Self::Failed => "failed",
            Self::Rejected => "rejected",
            Self::Other(name) => name,
        }
    }

    /// Whether the payout may still wait for its verification, without which nothing is paid.
    #[must_use]
    pub const fn is_unverified(&self) -> bool {
        matches!(self, Self::Creating | Self::Waiting)
    }

    /// Whether the payout has ended and nothing was paid.
    #[must_use]
    pub const fn is_lost(&self) -> bool {
        matches!(self, Self::Failed | Self::Rejected)
    }

    /// How far a payout with this status has got. Of several with the same external ID, the one
    /// that has got furthest decides: one that may be paid before one that was lost, and that
    /// before one that nobody has verified.
    const fn progress(&self) -> u8 {
        match self {
            Self::Creating => 0,
            Self::Waiting => 1,
            Self::Failed | Self::Rejected => 2,
            Self::Other(_) => 3,
            Self::Processing => 4,
            Self::Sending => 5,
            Self::Finished => 6,
        }
    }
}

impl fmt::Display for PayoutStatus {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// The payment that the provider is to make.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PayoutRequest {
    /// The address that is paid.
    pub address: String,
    /// The coin.
    pub currency: Currency,
    /// The amount in the coin, with at most six decimals (see [`payout_amount`]).
    pub amount: Decimal,
    /// Our own ID of the payout, by which it can be found.
    pub external_id: String,
}

/// A payout as the provider reports it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Payout {
    /// The provider's ID of the payout.
    pub id: PayoutId,
    /// The provider's ID of its batch, which is verified as a whole.
    pub batch: BatchId,
    /// Our own ID of the payout.
    pub external_id: Option<String>,
    /// The current status.
    pub status: PayoutStatus,
    /// The provider's code of the coin, in lower case.
    pub currency: String,
    /// The amount in the coin.
    pub amount: Decimal,
    /// The address that is paid.
    pub address: String,
    /// The hash of the transaction, once there is one.
    pub hash: Option<String>,
    /// The fee of the network in the coin, once it is known.
    pub fee: Option<Decimal>,
    /// Why the payout failed, in the provider's words.
    pub error: Option<String>,
}

/// The amount to request of the provider for an estimated one, both in the coin: rounded down to
/// the six decimals that it accepts. Zero if the estimate is less than that.
#[must_use]
pub fn payout_amount(estimate: &Decimal) -> Decimal {
    estimate.rounded_down(AMOUNT_DECIMALS)
}

#[derive(Serialize)]
struct Body<'a> {
    withdrawals: [Withdrawal<'a>; 1],
}

#[derive(Serialize)]
struct Withdrawal<'a> {
    address: &'a str,
    currency: &'a str,
    amount: &'a RawValue,
    unique_external_id: &'a str,
}

impl PayoutRequest {
    /// The body of the call. The amount is written as a number, with all of its decimals.
    pub(crate) fn to_json(&self) -> Result<String, serde_json::Error> {
        let amount = RawValue::from_string(self.amount.to_string())?;
        serde_json::to_string(&Body {
            withdrawals: [Withdrawal {
                address: &self.address,
                currency: provider_code(self.currency),
                amount: &amount,
                unique_external_id: &self.external_id,
            }],
        })
    }

    /// Parses the answer, which must be a batch of this one payout.
    pub(crate) fn read_answer(&self, body: &[u8]) -> Result<Payout, Malformed> {
        let batch = Fields::parse(text_of(body)?)?;
        let id = batch.parsed("id", BatchId::parse)?;
        let entries = batch.list("withdrawals")?;
        let [entry] = entries.as_slice() else {
            return Err(Malformed::Different("withdrawals"));
        };
        let payout = Payout::read(&Fields::parse(entry.get())?, id.as_ref())?;
        if id.is_some_and(|id| id != payout.batch) {
            return Err(Malformed::Different("batch_withdrawal_id"));
        }
        match payout.difference(self) {
            Some(field) => Err(Malformed::Different(field)),
            None => Ok(payout),
        }
    }
}

impl Payout {
    /// Whether this is the payout that was requested: the same address, coin, amount and external
    /// ID.
    #[must_use]
    pub fn matches(&self, request: &PayoutRequest) -> bool {
        self.difference(request).is_none()
    }

    /// The first field that is not as requested.
    fn difference(&self, request: &PayoutRequest) -> Option<&'static str> {
        let is_same = [
            ("address", self.address == request.address),
            ("currency", self.currency == provider_code(request.currency)),
            ("amount", self.amount == request.amount),
            (
                "unique_external_id",
                self.external_id.as_deref() == Some(request.external_id.as_str()),
            ),
        ];
        is_same
            .into_iter()
            .find_map(|(field, is_same)| (!is_same).then_some(field))
    }

    /// Finds a payout by its ID in the answer to a call for it: an object, a list of objects, or
    /// the batch with its list.
    pub(crate) fn read_answer(body: &[u8], id: &PayoutId) -> Result<Self, Malformed> {
        let text = text_of(body)?;
        if let Ok(entries) = serde_json::from_str::<Vec<&RawValue>>(text) {
            return Self::with_id(&entries, None, id);
        }
        let fields = Fields::parse(text)?;
        if fields.has("withdrawals") {
            let batch = fields.parsed("id", BatchId::parse)?;
            return Self::with_id(&fields.list("withdrawals")?, batch.as_ref(), id);
        }
        let payout = Self::read(&fields, None)?;
        if payout.id != *id {
            return Err(Malformed::Different("id"));
        }
        Ok(payout)
    }

    fn with_id(
        entries: &[&RawValue],
        batch: Option<&BatchId>,
        id: &PayoutId,
    ) -> Result<Self, Malformed> {
        for entry in entries {
            let fields = Fields::parse(entry.get())?;
            if fields.parsed("id", PayoutId::parse)?.as_ref() == Some(id) {
                return Self::read(&fields, batch);
            }
        }
        Err(Malformed::Different("id"))
    }

    /// The payouts of a page of the list, as JSON literals.
    pub(crate) fn read_page(body: &[u8]) -> Result<Vec<&RawValue>, Malformed> {
        Fields::parse(text_of(body)?)?.list("payouts")
    }

    /// Parses a payout of the list if it has this external ID. One whose external ID cannot be
    /// parsed is an error, because it may be the one that is looked for.
    pub(crate) fn with_external_id(
        entry: &RawValue,
        external_id: &str,
    ) -> Result<Option<Self>, Malformed> {
        let fields = Fields::parse(entry.get())?;
        if fields.text("unique_external_id")?.as_deref() != Some(external_id) {
            return Ok(None);
        }
        Self::read(&fields, None).map(Some)
    }

    /// Whether this payout has got further than another one.
    pub(crate) const fn is_ahead_of(&self, other: &Self) -> bool {
        self.status.progress() > other.status.progress()
    }

    /// Parses a payout. What only informs may be missing or malformed.
    fn read(fields: &Fields<'_>, batch: Option<&BatchId>) -> Result<Self, Malformed> {
        let required = |name| fields.text(name)?.ok_or(Malformed::Missing(name));
        let error = fields
            .text("error")
            .unwrap_or_else(|_| Some("The provider's error cannot be read".to_owned()));
        Ok(Self {
            id: fields
                .parsed("id", PayoutId::parse)?
                .ok_or(Malformed::Missing("id"))?,
            batch: fields
                .parsed("batch_withdrawal_id", BatchId::parse)?
                .or_else(|| batch.cloned())
                .ok_or(Malformed::Missing("batch_withdrawal_id"))?,
            external_id: fields.text("unique_external_id")?,
            status: PayoutStatus::parse(&required("status")?),
            currency: required("currency")?.to_ascii_lowercase(),
            amount: fields
                .decimal("amount")?
                .ok_or(Malformed::Missing("amount"))?,
            address: required("address")?,
            hash: fields.text("hash").unwrap_or_default(),
            fee: fields.decimal("fee").unwrap_or_default(),
            error: error.map(|error| error.chars().take(MAXIMUM_ERROR).collect()),
        })
    }
}

fn text_of(body: &[u8]) -> Result<&str, Malformed> {
    std::str::from_utf8(body).map_err(|_| Malformed::NotAnObject)
}

#[cfg(test)]
mod tests;
