//! An administrator sets a player's balance: a ledger entry and an audit record, or nothing.

use glasshouse_domain::{Money, UserId, Wallet};
use glasshouse_persistence::{AuditRecord, NewAuditRecord, Scope, Transaction, User};

use crate::error::{CasinoError, Refusal};
use crate::house::House;
use crate::idempotency::IdempotencyKey;

const ACTION: &str = "balance_override";

/// Who sets whose balance to what.
#[derive(Debug, Clone)]
pub struct BalanceOverride {
    /// The administrator.
    pub administrator: UserId,
    /// The player.
    pub player: UserId,
    /// The new balance.
    pub balance: Money,
    /// Where the request came from.
    pub address: Option<String>,
    /// For repeating the call.
    pub key: Option<IdempotencyKey>,
}

/// A user as administrators see one.
#[derive(Debug, Clone)]
pub struct AdministratorView {
    /// Who.
    pub user: User,
    /// How much.
    pub wallet: Wallet,
}

/// Sets a balance. The same key with the same input changes nothing more.
///
/// # Errors
/// [`Refusal::NotFound`] if there is no such user, [`Refusal::IdempotencyConflict`] if the key has
/// answered another call, or a fault.
pub async fn override_balance(
    house: &House,
    command: BalanceOverride,
) -> Result<AdministratorView, CasinoError> {
    let at = house.now();
    let key = command.key.clone().map(IdempotencyKey::into_text);
    house
        .database
        .write(Scope::player(command.player), move |transaction| {
            let user = transaction.user(command.player)?.ok_or(Refusal::NotFound)?;
            let mut account = transaction.account(command.player)?;
            if let Some(key) = &key
                && let Some(record) = transaction.audit_record_by_key(command.administrator, key)?
            {
                refuse_other_input(&record, &command)?;
                return Ok(AdministratorView {
                    user,
                    wallet: account.wallet,
                });
            }
            let old = account.wallet.balance();
            if let Some(movement) = account.wallet.adjust_to(command.balance)? {
                // By the entry's own number: two adjustments can fall into one moment.
                let reference = format!("adjustment:{}:{}", command.player, account.next_entry());
                transaction.add_entry(&mut account, movement, reference, at);
            }
            let wallet = account.wallet;
            transaction.save_account(account);
            record(transaction, &command, key.clone(), old, at)?;
            Ok(AdministratorView { user, wallet })
        })
        .await
}

fn refuse_other_input(record: &AuditRecord, command: &BalanceOverride) -> Result<(), Refusal> {
    let is_same = record.action == ACTION
        && record.target_user_id == Some(command.player.get())
        && record.new_value.as_deref() == Some(command.balance.to_string().as_str());
    if is_same {
        Ok(())
    } else {
        Err(Refusal::IdempotencyConflict)
    }
}

fn record(
    transaction: &mut Transaction<'_, '_>,
    command: &BalanceOverride,
    idempotency_key: Option<String>,
    old: Money,
    at: glasshouse_domain::Timestamp,
) -> Result<(), CasinoError> {
    Ok(transaction.add_audit_record(&NewAuditRecord {
        actor: Some(command.administrator),
        action: ACTION,
        target: Some(command.player),
        old_value: Some(old.to_string()),
        new_value: Some(command.balance.to_string()),
        address: command.address.clone(),
        idempotency_key,
        at,
    })?)
}
