//! What an alert is about, as it is stored. It names users by their IDs only.

use glasshouse_domain::{AlertKind, RoundId, UserId};
use glasshouse_persistence::alerts::Alert;
use serde::{Deserialize, Serialize};

/// What an alert is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "about", rename_all = "snake_case")]
pub(crate) enum Facts {
    /// A round had a large profit.
    LargeWin {
        round: i64,
        game: String,
        /// In US dollars, as are the other amounts.
        stake: String,
        payout: String,
        profit: String,
    },
    /// A game's measured RTP over the last days is too improbable.
    Rtp {
        game: String,
        /// The UTC date of the alert.
        date: String,
        days: u16,
        measured_percent: String,
        exact_percent: String,
        p_value: String,
    },
    /// No call to the provider succeeds.
    ProviderFailure { since_micros: i64 },
    /// A payment needs a review.
    Review {
        review: String,
        payment: String,
        deposit: Option<i64>,
        opened_at_micros: i64,
    },
    /// Too much waits, or for too long.
    Queue {
        queue: Queue,
        waiting: u64,
        oldest_hours: Option<u64>,
    },
    /// Sign-ins to one administrator's account were refused.
    AdministratorRefused {
        attempts: i64,
        /// When the first of them was refused.
        since_micros: i64,
    },
    /// Many sign-ins to any accounts were refused.
    ManyRefused { attempts: i64, minutes: u64 },
    /// The operator tries out whether alerts arrive.
    Test { at_micros: i64 },
}

/// Something that waits for a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Queue {
    /// Withdrawals that wait for a decision.
    Withdrawals,
    /// Approved withdrawals that are not sent yet.
    Payouts,
    /// Withdrawals whose payment has failed and was not returned yet.
    FailedPayouts,
    /// Payments that need review.
    Reviews,
    /// Proposals that wait for a second person.
    Proposals,
}

impl Queue {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Withdrawals => "withdrawals",
            Self::Payouts => "payouts",
            Self::FailedPayouts => "failed_payouts",
            Self::Reviews => "reviews",
            Self::Proposals => "proposals",
        }
    }
}

impl Facts {
    pub(crate) const fn kind(&self) -> AlertKind {
        match self {
            Self::LargeWin { .. } => AlertKind::LargeWin,
            Self::Rtp { .. } => AlertKind::Rtp,
            Self::ProviderFailure { .. } => AlertKind::ProviderFailure,
            Self::Review { .. } => AlertKind::Review,
            Self::Queue { .. } => AlertKind::Queue,
            Self::AdministratorRefused { .. } | Self::ManyRefused { .. } => {
                AlertKind::FailedSignIns
            }
            Self::Test { .. } => AlertKind::Test,
        }
    }

    /// Whether it holds until it is resolved. Otherwise it has happened.
    pub(crate) const fn is_condition(&self) -> bool {
        matches!(
            self,
            Self::ProviderFailure { .. } | Self::Queue { .. } | Self::ManyRefused { .. }
        )
    }

    /// The same for whatever is alerted to once.
    pub(crate) fn key(&self, user: Option<UserId>) -> String {
        let kind = self.kind().as_str();
        match self {
            Self::LargeWin { round, .. } => format!("{kind}:{round}"),
            Self::Rtp { game, date, .. } => format!("{kind}:{game}:{date}"),
            Self::ProviderFailure { .. } => PROVIDER_KEY.to_owned(),
            Self::Review {
                review,
                payment,
                opened_at_micros,
                ..
            } => format!("{kind}:{payment}:{review}:{opened_at_micros}"),
            Self::Queue { queue, .. } => queue_key(*queue),
            Self::AdministratorRefused {
                attempts,
                since_micros,
            } => {
                let user = user.map_or(0, UserId::get);
                format!("{kind}:{user}:{since_micros}:{attempts}")
            }
            Self::ManyRefused { .. } => MANY_REFUSED_KEY.to_owned(),
            Self::Test { at_micros } => format!("{kind}:{at_micros}"),
        }
    }
}

/// The round that an alert is about; `None` if it is about something else.
#[must_use]
pub fn round_of_alert(alert: &Alert) -> Option<RoundId> {
    match serde_json::from_str(&alert.facts) {
        Ok(Facts::LargeWin { round, .. }) => Some(RoundId::new(round)),
        _ => None,
    }
}

/// The key of the alert that no call to the provider succeeds.
pub(crate) const PROVIDER_KEY: &str = "provider_failure";
/// The key of the alert that many sign-ins are refused.
pub(crate) const MANY_REFUSED_KEY: &str = "failed_sign_ins:all";

/// The key of the alert that too much waits.
pub(crate) fn queue_key(queue: Queue) -> String {
    format!("queue:{}", queue.as_str())
}
