//! Alerts: what the operator is told about without having to look.

use strum::{EnumString, IntoStaticStr, VariantArray};

use crate::Money;
use crate::stored_names::stored_names;

/// The smallest profit of a round that is noted for an alert. Operators can only ask for alerts of larger
/// ones.
pub const LARGE_WIN_FLOOR: Money = Money::from_cents(10_000);

/// What an alert is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum AlertKind {
    /// A round had a large profit for its player.
    LargeWin,
    /// A game's measured RTP does not match its rules.
    Rtp,
    /// No call to the payment provider succeeds.
    ProviderFailure,
    /// A payment needs a person's review.
    Review,
    /// Too much waits for a person, or for too long.
    Queue,
    /// Sign-ins were refused, to an administrator's account or in large numbers.
    FailedSignIns,
    /// The operator tries out whether alerts arrive.
    Test,
}

/// What the receivers are told about an alert.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum AlertMessage {
    /// Something has happened, or has begun to hold.
    Raised,
    /// What held does not hold any more.
    Resolved,
}

/// How an alert is sent.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    EnumString,
    IntoStaticStr,
    VariantArray,
)]
#[strum(serialize_all = "snake_case")]
pub enum AlertChannel {
    /// As a call to the operator's own address.
    Webhook,
    /// As an e-mail.
    Mail,
}

stored_names!(AlertKind, AlertMessage, AlertChannel);
