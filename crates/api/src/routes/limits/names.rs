//! The names of limits and exclusions on the wire.

use glasshouse_casino::ChangeAction;
use glasshouse_domain::{ExclusionDuration, ExclusionKind, LimitKind, LimitPeriod};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What a limit bounds: credited deposits, stakes less payouts, stakes, or the time of activity.
#[derive(Clone, Copy, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = LimitKind)]
pub(crate) enum LimitKindName {
    Deposit,
    Loss,
    Stake,
    SessionTime,
}

impl From<LimitKind> for LimitKindName {
    fn from(kind: LimitKind) -> Self {
        match kind {
            LimitKind::Deposit => Self::Deposit,
            LimitKind::Loss => Self::Loss,
            LimitKind::Stake => Self::Stake,
            LimitKind::SessionTime => Self::SessionTime,
        }
    }
}

impl From<LimitKindName> for LimitKind {
    fn from(name: LimitKindName) -> Self {
        match name {
            LimitKindName::Deposit => Self::Deposit,
            LimitKindName::Loss => Self::Loss,
            LimitKindName::Stake => Self::Stake,
            LimitKindName::SessionTime => Self::SessionTime,
        }
    }
}

/// The period of a limit: a calendar day, a week from Monday to Sunday, or a calendar month, in UTC.
#[derive(Clone, Copy, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = LimitPeriod)]
pub(crate) enum LimitPeriodName {
    Day,
    Week,
    Month,
}

impl From<LimitPeriod> for LimitPeriodName {
    fn from(period: LimitPeriod) -> Self {
        match period {
            LimitPeriod::Day => Self::Day,
            LimitPeriod::Week => Self::Week,
            LimitPeriod::Month => Self::Month,
        }
    }
}

impl From<LimitPeriodName> for LimitPeriod {
    fn from(name: LimitPeriodName) -> Self {
        match name {
            LimitPeriodName::Day => Self::Day,
            LimitPeriodName::Week => Self::Week,
            LimitPeriodName::Month => Self::Month,
        }
    }
}

/// What happened to a limit: it was `set` or lowered, at once; a raise or removal was `requested`,
/// `confirmed` or `withdrawn`.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = LimitChangeAction)]
pub(crate) enum ChangeActionName {
    Set,
    Requested,
    Confirmed,
    Withdrawn,
}

impl From<ChangeAction> for ChangeActionName {
    fn from(action: ChangeAction) -> Self {
        match action {
            ChangeAction::Set => Self::Set,
            ChangeAction::Requested => Self::Requested,
            ChangeAction::Confirmed => Self::Confirmed,
            ChangeAction::Withdrawn => Self::Withdrawn,
        }
    }
}

/// The kind of an exclusion: a short break, or a long or permanent exclusion.
#[derive(Clone, Copy, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ExclusionKind)]
pub(crate) enum ExclusionKindName {
    CoolOff,
    SelfExclusion,
}

impl From<ExclusionKind> for ExclusionKindName {
    fn from(kind: ExclusionKind) -> Self {
        match kind {
            ExclusionKind::CoolOff => Self::CoolOff,
            ExclusionKind::SelfExclusion => Self::SelfExclusion,
        }
    }
}

impl From<ExclusionKindName> for ExclusionKind {
    fn from(name: ExclusionKindName) -> Self {
        match name {
            ExclusionKindName::CoolOff => Self::CoolOff,
            ExclusionKindName::SelfExclusion => Self::SelfExclusion,
        }
    }
}

/// How long an exclusion lasts: a cool-off a day, a week or a month, a self-exclusion six months or
/// longer.
#[derive(Clone, Copy, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ExclusionDuration)]
pub(crate) enum ExclusionDurationName {
    Day,
    Week,
    Month,
    SixMonths,
    Year,
    FiveYears,
    Permanent,
}

impl From<ExclusionDuration> for ExclusionDurationName {
    fn from(duration: ExclusionDuration) -> Self {
        match duration {
            ExclusionDuration::Day => Self::Day,
            ExclusionDuration::Week => Self::Week,
            ExclusionDuration::Month => Self::Month,
            ExclusionDuration::SixMonths => Self::SixMonths,
            ExclusionDuration::Year => Self::Year,
            ExclusionDuration::FiveYears => Self::FiveYears,
            ExclusionDuration::Permanent => Self::Permanent,
        }
    }
}

impl From<ExclusionDurationName> for ExclusionDuration {
    fn from(name: ExclusionDurationName) -> Self {
        match name {
            ExclusionDurationName::Day => Self::Day,
            ExclusionDurationName::Week => Self::Week,
            ExclusionDurationName::Month => Self::Month,
            ExclusionDurationName::SixMonths => Self::SixMonths,
            ExclusionDurationName::Year => Self::Year,
            ExclusionDurationName::FiveYears => Self::FiveYears,
            ExclusionDurationName::Permanent => Self::Permanent,
        }
    }
}
