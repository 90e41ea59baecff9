//! An administrator sets a player's balance: a ledger entry and an audit record, or nothing.

use glasshouse_domain::{AuditAction, LedgerReference, Money, UserId};
use glasshouse_persistence::Scope;
use glasshouse_persistence::admin::UserEntry;

use crate::administration::actor::{AdminContext, AuditEvent};
use crate::error::{CasinoError, Refusal};
use crate::house::House;

/// Sets a player's balance, if it still is what the administrator saw where that is told. The same
/// key with the same input changes nothing more.
///
/// # Errors
/// [`Refusal::NotFound`] if there is no such user, [`Refusal::BalanceChanged`],
/// [`Refusal::IdempotencyConflict`] if the key has answered another call, or a fault.
pub async fn adjust_balance(
    house: &House,
    context: AdminContext,
    player: UserId,
    (balance, expected): (Money, Option<Money>),
) -> Result<UserEntry, CasinoError> {
    let at = house.now();
    house
        .database
        .write(Scope::player(player), move |transaction| {
            let user = transaction.user(player)?.ok_or(Refusal::NotFound)?;
            let mut account = transaction.account(player)?;
            let old = account.wallet.balance();
            let event = AuditEvent {
                action: AuditAction::BalanceOverride,
                target: Some(player),
                subject: None,
                old_value: Some(old.to_string()),
                new_value: Some(balance.to_string()),
            };
            if context.find_replay(transaction, &event)?.is_some() {
                let wallet = account.wallet;
                return Ok(UserEntry { user, wallet });
            }
            if expected.is_some_and(|expected| expected != old) {
                return Err(Refusal::BalanceChanged(old).into());
            }
            if let Some(movement) = account.wallet.adjust_to(balance)? {
                let reference = LedgerReference::Adjustment {
                    player,
                    entry: account.next_entry(),
                };
                transaction.add_entry(&mut account, movement, reference, at);
            }
            let wallet = account.wallet;
            transaction.save_account(account);
            context.record(transaction, event, at)?;
            Ok(UserEntry { user, wallet })
        })
        .await
}
