//! Bans and unbans users.

use glasshouse_domain::{AuditAction, UserId, UserStatus};
use glasshouse_persistence::Scope;
use glasshouse_persistence::admin::UserEntry;

use crate::administration::actor::{AdminContext, AuditEvent, note};
use crate::administration::lists::read_user;
use crate::error::{CasinoError, Refusal};
use crate::house::House;

/// Whether a user is banned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BanState {
    /// Refused at login and with every request, for the given reason.
    Banned(String),
    /// Not banned.
    Active,
}

/// Bans or unbans a user. A ban refuses all sessions and closes all event streams at once; open
/// rounds end by their own rules. If the user already is in the requested state, nothing changes
/// and nothing is recorded.
///
/// # Errors
/// [`Refusal::BanReasonRequired`], [`Refusal::AdministratorNotBannable`], [`Refusal::NotFound`],
/// [`Refusal::IdempotencyConflict`], or a fault.
pub async fn set_ban_state(
    house: &House,
    context: AdminContext,
    user: UserId,
    ban_state: BanState,
) -> Result<UserEntry, CasinoError> {
    let reason = match &ban_state {
        BanState::Banned(reason) => Some(note(reason)?.ok_or(Refusal::BanReasonRequired)?),
        BanState::Active => None,
    };
    let at = house.now();
    let is_ban = reason.is_some();
    house
        .database
        .write(Scope::nobody(), move |transaction| {
            let found = transaction.lock_user(user)?.ok_or(Refusal::NotFound)?;
            let old = match found.status {
                UserStatus::Active => None,
                UserStatus::Banned { reason } => Some(reason),
            };
            let event = AuditEvent {
                action: if reason.is_some() {
                    AuditAction::UserBanned
                } else {
                    AuditAction::UserUnbanned
                },
                target: Some(user),
                subject: None,
                old_value: old.clone(),
                new_value: reason.clone(),
            };
            if context.find_replay(transaction, &event)?.is_some() {
                return Ok(());
            }
            if found.role.is_administrator() && reason.is_some() {
                return Err(Refusal::AdministratorNotBannable.into());
            }
            if old == reason {
                return Ok::<_, CasinoError>(());
            }
            transaction.set_ban_reason(user, reason.as_deref())?;
            if reason.is_some() {
                transaction.refuse_sessions_of(user)?;
            } else {
                // Sessions from before the ban must not become valid again when it is lifted.
                transaction.end_sessions_of(user)?;
            }
            context.record(transaction, event, at)
        })
        .await?;
    if is_ban {
        house.events.close(user);
    }
    read_user(house, user).await
}
