//! Closes an account at its owner's request, once nothing is left to settle.

use glasshouse_domain::{
    AuditAction, LedgerReference, MINIMUM_WITHDRAWAL, Money, Role, SecurityEventKind, Timestamp,
    UserId,
};
use glasshouse_persistence::accounts::RequestOrigin;
use glasshouse_persistence::audit::NewAuditRecord;
use glasshouse_persistence::{Scope, Transaction};

use crate::accounts::security_events::{add_event, count_event};
use crate::administration::operator::operator_record;
use crate::email::forget::forget_email;
use crate::error::{AccountRefusal, CasinoError, ClosureRefusal, Refusal};
use crate::house::House;
use crate::limits::rules::rewrite_rules;

/// A user's request to close the account.
#[derive(Debug, Clone)]
pub struct Closure {
    /// The user.
    pub user: UserId,
    /// The balance that the user gives up, if it is less than can be withdrawn.
    pub given_up: Option<Money>,
    /// Where the request comes from.
    pub origin: RequestOrigin,
}

/// Closes an account: all sessions end, nobody can sign in, play, deposit or withdraw any more, and the
/// e-mail address is removed after a last notice. The name stays taken, an exclusion stays in force, for the
/// address as well, and payments of earlier invoices are still credited. An administrator also loses the
/// role. The caller has checked the password.
///
/// # Errors
/// [`AccountRefusal::Closed`], a [`ClosureRefusal`], or a fault.
pub async fn close_account(house: &House, closure: Closure) -> Result<(), CasinoError> {
    let at = house.now();
    let user = closure.user;
    house
        .database
        // Bets, deposits and withdrawals lock the same account.
        .write(Scope::player(user), move |transaction| {
            close(transaction, &closure, at)
        })
        .await?;
    count_event(SecurityEventKind::AccountClosed);
    house.events.close(user);
    Ok(())
}

fn close(
    transaction: &mut Transaction<'_, '_>,
    closure: &Closure,
    at: Timestamp,
) -> Result<(), CasinoError> {
    let user = closure.user;
    let mut account = transaction.account(user)?;
    let found = transaction.lock_user(user)?.ok_or(Refusal::NotFound)?;
    if found.closed_at.is_some() {
        return Err(AccountRefusal::Closed.into());
    }
    if found.role == Role::Owner {
        transaction.lock_audit_log()?;
        if !transaction.has_other_owner(user)? {
            return Err(ClosureRefusal::LastOwner.into());
        }
    }
    require_settled(transaction, user)?;
    let balance = account.wallet.balance();
    check_remainder(balance, closure.given_up)?;
    if let Some(posting) = account.wallet.adjust_to(Money::ZERO)? {
        let reference = LedgerReference::Adjustment {
            player: user,
            entry: account.next_entry(),
        };
        transaction.add_entry(&mut account, posting, reference, at);
        transaction.save_account(account);
    }
    if found.is_administrator() {
        transaction.set_role(user, Role::Player)?;
        let roles = (found.role.as_str(), Role::Player.as_str());
        let record = own_record(AuditAction::AdministratorRevoked, user, roles, at);
        transaction.add_audit_record(&record)?;
    }
    transaction.close_user(user, at)?;
    transaction.end_sessions_of(user)?;
    rewrite_rules(transaction, user, at)?;
    let kind = SecurityEventKind::AccountClosed;
    // While the e-mail address is still there, so that it is told.
    add_event(transaction, user, kind, &closure.origin, at)?;
    forget_email(transaction, user, at)?;
    let balances = (&*balance.to_string(), &*Money::ZERO.to_string());
    let record = own_record(AuditAction::AccountClosed, user, balances, at);
    Ok(transaction.add_audit_record(&record)?)
}

/// Refuses while something of the account is not settled.
fn require_settled(transaction: &mut Transaction<'_, '_>, user: UserId) -> Result<(), CasinoError> {
    let open = transaction.open_business(user)?;
    if open.has_open_round {
        Err(ClosureRefusal::RoundOpen.into())
    } else if open.has_pending_withdrawal {
        Err(ClosureRefusal::WithdrawalPending.into())
    } else if open.has_payable_invoice {
        Err(ClosureRefusal::InvoicePayable.into())
    } else {
        Ok(())
    }
}

/// Refuses a balance that can be withdrawn, and one that the user does not give up to the cent.
fn check_remainder(balance: Money, given_up: Option<Money>) -> Result<(), ClosureRefusal> {
    if balance >= MINIMUM_WITHDRAWAL {
        return Err(ClosureRefusal::BalanceLeft(balance));
    }
    match given_up {
        None if balance.is_zero() => Ok(()),
        None => Err(ClosureRefusal::RemainderLeft(balance)),
        Some(amount) if amount == balance => Ok(()),
        Some(_) => Err(ClosureRefusal::RemainderChanged(balance)),
    }
}

/// The audit record of what a user did to their own account. It has no network address, because it can
/// never be removed from the log.
fn own_record(
    action: AuditAction,
    user: UserId,
    (old, new): (&str, &str),
    at: Timestamp,
) -> NewAuditRecord {
    NewAuditRecord {
        actor: Some(user),
        old_value: Some(old.to_owned()),
        new_value: Some(new.to_owned()),
        ..operator_record(action, Some(user), at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_exact_remainder_below_the_minimum_can_be_given_up() {
        let check = |balance, given_up: Option<i64>| {
            let given_up = given_up.map(Money::from_cents);
            check_remainder(Money::from_cents(balance), given_up)
        };
        let left = |cents| Money::from_cents(cents);
        assert_eq!(check(0, None), Ok(()));
        assert_eq!(check(0, Some(0)), Ok(()));
        assert_eq!(check(1_999, Some(1_999)), Ok(()));
        let remainder = ClosureRefusal::RemainderLeft(left(1));
        assert_eq!(check(1, None), Err(remainder));
        for given_up in [0, 1_998, 2_000] {
            let changed = ClosureRefusal::RemainderChanged(left(1_999));
            assert_eq!(check(1_999, Some(given_up)), Err(changed));
        }
        let changed = ClosureRefusal::RemainderChanged(left(0));
        assert_eq!(check(0, Some(5)), Err(changed));
        for given_up in [None, Some(2_000)] {
            let balance = ClosureRefusal::BalanceLeft(left(2_000));
            assert_eq!(check(2_000, given_up), Err(balance));
        }
    }
}
