//! Restricts players from betting or withdrawing.

use glasshouse_domain::{AuditAction, AuditSubject, Restriction, Timestamp, UserId};
use glasshouse_persistence::admin::UserEntry;
use glasshouse_persistence::{Scope, Transaction};

use crate::administration::actor::{AdminContext, AuditEvent, note};
use crate::administration::house_switch::require_permission;
use crate::administration::lists::read_user;
use crate::error::{ApprovalRefusal, CasinoError, Refusal};
use crate::house::House;
use crate::limits::rules::rewrite_rules;

/// How a player is to be restricted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RestrictionChange {
    /// What is to be blocked, or no longer.
    pub restriction: Restriction,
    /// Whether it is to be blocked.
    pub is_blocked: bool,
    /// The reason, which the player is not shown.
    pub reason: String,
}

impl RestrictionChange {
    /// The reason that is stored.
    fn stored_reason(&self) -> Option<&str> {
        self.is_blocked.then_some(self.reason.as_str())
    }

    fn event(&self, user: UserId, old: Option<&str>) -> AuditEvent {
        let action = match (self.restriction, self.is_blocked) {
            (Restriction::Betting, true) => AuditAction::BettingBlocked,
            (Restriction::Betting, false) => AuditAction::BettingUnblocked,
            (Restriction::Withdrawing, true) => AuditAction::WithdrawingBlocked,
            (Restriction::Withdrawing, false) => AuditAction::WithdrawingUnblocked,
        };
        let subject = AuditSubject::Reason(self.reason.clone());
        AuditEvent {
            action,
            target: Some(user),
            subject: (!self.is_blocked).then_some(subject),
            old_value: old.map(str::to_owned),
            new_value: self.stored_reason().map(str::to_owned),
        }
    }
}

/// Blocks betting or withdrawing for a player, or lifts that. Rounds in play can be finished in any case,
/// and withdrawals be rejected. If the player is restricted so already, for the same reason, nothing changes
/// and nothing is recorded.
///
/// # Errors
/// [`Refusal::StatusReasonRequired`], [`Refusal::NoteTooLong`], [`crate::OperatingRefusal::NotPermitted`],
/// [`ApprovalRefusal::OwnAccount`], [`Refusal::NotFound`], [`Refusal::IdempotencyConflict`], or a fault.
pub async fn restrict(
    house: &House,
    context: AdminContext,
    user: UserId,
    change: RestrictionChange,
) -> Result<UserEntry, CasinoError> {
    let reason = note(&change.reason)?.ok_or(Refusal::StatusReasonRequired)?;
    let change = RestrictionChange { reason, ..change };
    if user == context.administrator {
        return Err(ApprovalRefusal::OwnAccount.into());
    }
    // The account is in the scope of the transaction only if it exists.
    read_user(house, user).await?;
    let at = house.now();
    house
        .database
        .write(Scope::player(user), move |transaction| {
            restrict_in_transaction(transaction, &context, user, &change, at)
        })
        .await?;
    read_user(house, user).await
}

fn restrict_in_transaction(
    transaction: &mut Transaction<'_, '_>,
    context: &AdminContext,
    user: UserId,
    change: &RestrictionChange,
    at: Timestamp,
) -> Result<(), CasinoError> {
    transaction.account(user)?;
    transaction.lock_user(user)?.ok_or(Refusal::NotFound)?;
    transaction.lock_audit_log()?;
    let restrictions = transaction.restrictions_of(user)?;
    let old = restrictions.reason(change.restriction);
    let event = change.event(user, old);
    if context.find_replay(transaction, &event)?.is_some() {
        return Ok(());
    }
    let permission = change.restriction.permission();
    require_permission(transaction, context.administrator, permission)?;
    if old == change.stored_reason() {
        return Ok(());
    }
    transaction.set_restriction(user, change.restriction, change.stored_reason())?;
    rewrite_rules(transaction, user, at)?;
    context.record(transaction, event, at)
}
