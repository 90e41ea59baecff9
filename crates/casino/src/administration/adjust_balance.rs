//! Sets a player's balance: writes a ledger entry and an audit record together.

use glasshouse_domain::{AuditAction, LedgerReference, Money, UserId};
use glasshouse_persistence::Scope;
use glasshouse_persistence::admin::UserEntry;

use crate::administration::actor::{AdminContext, AuditEvent};
use crate::error::{CasinoError, Refusal};
use crate::house::House;

/// Sets a player's balance. If an expected balance is given, the current one must equal it. A
/// repeated request with the same key and input changes nothing.
///
/// # Errors
/// [`Refusal::NotFound`] if the user does not exist, [`Refusal::BalanceChanged`],
/// [`Refusal::IdempotencyConflict`] if the key was used for a different request, or a fault.
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
            if let Some(posting) = account.wallet.adjust_to(balance)? {
                let reference = LedgerReference::Adjustment {
                    player,
                    entry: account.next_entry(),
                };
                transaction.add_entry(&mut account, posting, reference, at);
            }
            let wallet = account.wallet;
            transaction.save_account(account);
            context.record(transaction, event, at)?;
            Ok(UserEntry { user, wallet })
        })
        .await
}
