//! What can happen with a player, as the player's page of the panel shows it.

use glasshouse_casino::play::outcome_text;
use glasshouse_casino::{
    Deposit, LedgerEntry, PaidWithdrawal, Round, TimelineEvent as Event, TimelinePlace,
};
use glasshouse_domain::{EntryKind, TimelineKind, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::routes::account::security_events::SecurityEvent;
use crate::routes::admin::audit_log::AdminLog;
use crate::routes::games::wire::GameType;
use crate::routes::limits::LimitChange;
use crate::routes::limits::exclusion::Exclusion;
use crate::routes::wallet::deposits::DepositState;
use crate::routes::wallet::withdrawals::WithdrawalState;
use crate::wire::payout::PayoutState;
use crate::wire::time::iso;

/// A kind of what can happen with a player.
#[derive(Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = TimelineKind)]
pub(crate) enum TimelineKindName {
    /// What happened to the access to the account.
    Security,
    /// A request for a deposit.
    Deposit,
    /// A request for a withdrawal.
    Withdrawal,
    /// A settled round.
    Round,
    /// A ledger entry that is not of a round.
    Ledger,
    /// A change of one of the player's own limits.
    Limit,
    /// The beginning of an exclusion.
    Exclusion,
    /// A record of the audit log about the player.
    Audit,
}

impl From<TimelineKindName> for TimelineKind {
    fn from(name: TimelineKindName) -> Self {
        match name {
            TimelineKindName::Security => Self::Security,
            TimelineKindName::Deposit => Self::Deposit,
            TimelineKindName::Withdrawal => Self::Withdrawal,
            TimelineKindName::Round => Self::Round,
            TimelineKindName::Ledger => Self::Ledger,
            TimelineKindName::Limit => Self::Limit,
            TimelineKindName::Exclusion => Self::Exclusion,
            TimelineKindName::Audit => Self::Audit,
        }
    }
}

/// Something that happened with a player.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TimelineEntry {
    /// Its ID among those of its kind.
    id: i64,
    /// When it happened: a round at its end, deposits and withdrawals when they were requested.
    #[schema(format = "date-time")]
    at: String,
    #[serde(flatten)]
    event: TimelineEvent,
}

/// What happened, by its kind.
#[derive(Serialize, ToSchema)]
#[serde(tag = "kind", content = "event", rename_all = "snake_case")]
pub(crate) enum TimelineEvent {
    Security(SecurityEvent),
    Deposit(TimelineDeposit),
    Withdrawal(TimelineWithdrawal),
    Round(TimelineRound),
    Ledger(TimelineLedgerEntry),
    Limit(LimitChange),
    Exclusion(Exclusion),
    Audit(AdminLog),
}

/// A deposit as it stands now.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TimelineDeposit {
    #[schema(example = "100.00")]
    amount: String,
    #[schema(example = "50.00")]
    credited_amount: String,
    #[schema(example = "usdtsol")]
    currency: &'static str,
    status: DepositState,
}

/// A withdrawal as it stands now.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TimelineWithdrawal {
    #[schema(example = "25.00")]
    amount: String,
    #[schema(example = "0.25")]
    fee: String,
    #[schema(example = "btc")]
    currency: &'static str,
    wallet_address: String,
    status: WithdrawalState,
    /// The reason for the rejection.
    reason: Option<String>,
    /// How far its payment has come, once it was approved.
    payout: Option<PayoutState>,
}

/// A settled round.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TimelineRound {
    game_type: GameType,
    #[schema(example = "10.00")]
    bet_amount: String,
    #[schema(example = "19.80")]
    win_amount: String,
    /// Starts with `win` for wins.
    #[schema(example = "win")]
    outcome: String,
    /// The balance after the round.
    #[schema(example = "109.80")]
    balance_after: String,
}

/// The kind of a ledger entry that is not of a round.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum LedgerKindName {
    Deposit,
    Withdrawal,
    WithdrawalReturned,
    Adjustment,
    /// A stake, which a timeline shows with its round.
    Stake,
    /// A payout, which a timeline shows with its round.
    Payout,
}

impl From<EntryKind> for LedgerKindName {
    fn from(kind: EntryKind) -> Self {
        match kind {
            EntryKind::Deposit => Self::Deposit,
            EntryKind::Withdrawal => Self::Withdrawal,
            EntryKind::WithdrawalReturned => Self::WithdrawalReturned,
            EntryKind::Adjustment => Self::Adjustment,
            EntryKind::Stake => Self::Stake,
            EntryKind::Payout => Self::Payout,
        }
    }
}

/// A ledger entry.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TimelineLedgerEntry {
    entry: LedgerKindName,
    /// The change of the balance; negative for debits.
    #[schema(example = "-25.00")]
    amount: String,
    #[schema(example = "75.00")]
    balance_after: String,
    /// The cause of the entry.
    #[schema(example = "withdrawal:7")]
    reference: String,
}

impl From<Event> for TimelineEntry {
    fn from(event: Event) -> Self {
        let place = event.place();
        Self {
            id: place.id,
            at: iso(place.at),
            event: event.into(),
        }
    }
}

impl From<Event> for TimelineEvent {
    fn from(event: Event) -> Self {
        match event {
            Event::Security(event) => Self::Security((&event).into()),
            Event::Deposit(deposit) => Self::Deposit(deposit.into()),
            Event::Withdrawal(paid) => Self::Withdrawal((*paid).into()),
            Event::Round(round) => Self::Round((&round).into()),
            Event::Ledger(entry) => Self::Ledger(entry.into()),
            Event::Limit(id, change) => Self::Limit((id, change).into()),
            Event::Exclusion(_, exclusion) => Self::Exclusion(exclusion.into()),
            Event::Audit(entry) => Self::Audit(entry.into()),
        }
    }
}

impl From<Deposit> for TimelineDeposit {
    fn from(deposit: Deposit) -> Self {
        Self {
            amount: deposit.price.to_string(),
            credited_amount: deposit.credited.to_string(),
            currency: deposit.currency.code(),
            status: deposit.status.into(),
        }
    }
}

impl From<PaidWithdrawal> for TimelineWithdrawal {
    fn from(PaidWithdrawal { withdrawal, payout }: PaidWithdrawal) -> Self {
        Self {
            amount: withdrawal.amount.to_string(),
            fee: withdrawal.fee.to_string(),
            currency: withdrawal.currency.code(),
            wallet_address: withdrawal.address,
            status: withdrawal.status.into(),
            reason: withdrawal.reason,
            payout: payout.map(|payout| payout.state.into()),
        }
    }
}

impl From<&Round> for TimelineRound {
    fn from(round: &Round) -> Self {
        Self {
            game_type: GameType::of(round.game),
            bet_amount: round.stake.to_string(),
            win_amount: round.payout.to_string(),
            outcome: outcome_text(round),
            balance_after: round.balance_after.to_string(),
        }
    }
}

impl From<LedgerEntry> for TimelineLedgerEntry {
    fn from(entry: LedgerEntry) -> Self {
        Self {
            entry: entry.kind.into(),
            amount: entry.amount.to_string(),
            balance_after: entry.balance_after.to_string(),
            reference: entry.reference,
        }
    }
}

/// The cursor of the page after a place: its time in microseconds, its kind and its ID.
pub(crate) fn place_text(place: TimelinePlace) -> String {
    let micros = place.at.as_micros();
    format!("{micros}-{}-{}", place.kind.as_str(), place.id)
}

/// Parses a cursor.
pub(crate) fn parse_place(text: &str) -> Option<TimelinePlace> {
    let mut parts = text.split('-');
    let number = |part: Option<&str>| {
        let digits = part?;
        let is_plain = digits.bytes().all(|byte| byte.is_ascii_digit());
        digits.parse::<i64>().ok().filter(|_| is_plain)
    };
    let place = TimelinePlace {
        at: Timestamp::from_micros(number(parts.next())?),
        kind: TimelineKind::parse(parts.next()?)?,
        id: number(parts.next())?,
    };
    parts.next().is_none().then_some(place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_says_the_place_exactly() {
        for kind in TimelineKind::ALL {
            let place = TimelinePlace {
                at: Timestamp::from_micros(1_764_158_400_000_001),
                kind: *kind,
                id: 17,
            };
            assert_eq!(parse_place(&place_text(place)), Some(place));
        }
        for text in [
            "",
            "17",
            "1-round",
            "1-rounds-2",
            "1-Round-2",
            "x-round-2",
            "1-round-x",
            "1-round-2-3",
            "-1-round-2",
            "1-round--2",
            "1-round-+2",
            "99999999999999999999-round-1",
        ] {
            assert_eq!(parse_place(text), None, "{text}");
        }
    }
}
