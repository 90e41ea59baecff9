//! Refusals for the sake of a player's own limits and exclusion.

use glasshouse_domain::{LimitKind, LimitReached, Timestamp};

use self::RefusalCode as Code;
use crate::error::code::{RefusalCode, RefusalKind};
use crate::error::limit_text::{excluded_text, limit_text, minute_text};

/// A refusal that follows from a player's own limits, exclusion or reality check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LimitRefusal {
    /// The bet or deposit does not fit into a limit of the player's own.
    #[error("{}", limit_text(.0))]
    LimitReached(LimitReached),
    /// The player is excluded until then.
    #[error("{}", excluded_text(*.0))]
    Excluded(Timestamp),
    /// The player is already excluded for as long, until then.
    #[error("You are already excluded for as long as this. An exclusion cannot be shortened.")]
    AlreadyExcluded(Timestamp),
    /// The kind of exclusion has no such duration.
    #[error("A cool-off lasts a day, a week or a month; a self-exclusion six months or longer")]
    ExclusionDuration,
    /// A limit on session time that the period cannot have; the value is the maximum.
    #[error("Please enter a whole number of minutes from 1 to {0}")]
    LimitMinutes(i64),
    /// There is no limit to remove.
    #[error("There is no such limit")]
    NoLimit,
    /// No raise or removal of the limit is pending.
    #[error("No change of this limit is waiting for your confirmation")]
    NoPendingChange,
    /// The raise or removal cannot be confirmed before then.
    #[error("You can confirm this change from {}", minute_text(*.0))]
    NotYetConfirmable(Timestamp),
    /// The interval of the reality check is not offered.
    #[error("Please choose one of the offered intervals")]
    RealityCheckInterval,
}

impl LimitRefusal {
    /// When what was refused becomes possible, if that is only a matter of time.
    #[must_use]
    pub const fn until(self) -> Option<Timestamp> {
        match self {
            Self::LimitReached(reached) => Some(reached.resets_at),
            Self::Excluded(until)
            | Self::AlreadyExcluded(until)
            | Self::NotYetConfirmable(until) => Some(until),
            Self::ExclusionDuration
            | Self::LimitMinutes(_)
            | Self::NoLimit
            | Self::NoPendingChange
            | Self::RealityCheckInterval => None,
        }
    }

    pub(super) const fn kind(self) -> RefusalKind {
        match self {
            Self::ExclusionDuration | Self::LimitMinutes(_) | Self::RealityCheckInterval => {
                RefusalKind::Invalid
            }
            Self::AlreadyExcluded(_)
            | Self::NoLimit
            | Self::NoPendingChange
            | Self::NotYetConfirmable(_) => RefusalKind::Conflict,
            Self::LimitReached(_) | Self::Excluded(_) => RefusalKind::Unprocessable,
        }
    }

    pub(super) const fn code(self) -> RefusalCode {
        match self {
            Self::LimitReached(reached) => limit_code(reached.kind),
            Self::Excluded(_) => Code::Excluded,
            Self::AlreadyExcluded(_) => Code::AlreadyExcluded,
            Self::ExclusionDuration => Code::InvalidExclusion,
            Self::LimitMinutes(_) => Code::InvalidLimit,
            Self::NoLimit => Code::NoLimit,
            Self::NoPendingChange => Code::NoPendingChange,
            Self::NotYetConfirmable(_) => Code::NotYetConfirmable,
            Self::RealityCheckInterval => Code::InvalidInterval,
        }
    }
}

const fn limit_code(kind: LimitKind) -> RefusalCode {
    match kind {
        LimitKind::Deposit => Code::DepositLimitReached,
        LimitKind::Loss => Code::LossLimitReached,
        LimitKind::Stake => Code::StakeLimitReached,
        LimitKind::SessionTime => Code::SessionTimeReached,
    }
}
