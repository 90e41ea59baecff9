//! Removes everything personal from accounts that were closed long ago. What the money and the proofs of
//! rounds need stays, under a name that says nothing.

use glasshouse_domain::{AuditAction, Role, Timestamp, UserId};
use glasshouse_persistence::accounts::{ClosedAccount, User};
use glasshouse_persistence::{DatabaseError, Scope, Transaction, queries};

use crate::accounts::login_attempts::all_failures;
use crate::accounts::second_factor::throttle::wrong_codes;
use crate::administration::operator::operator_record;
use crate::error::CasinoError;
use crate::house::House;
use crate::limits::rules::rewrite_rules;

/// How many accounts are looked at per call.
const ACCOUNTS_PER_PASS: usize = 20;

/// What a call has done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PseudonymisationPass {
    /// The number of accounts that were pseudonymised.
    pub pseudonymised: usize,
    /// Behind which account the next call continues; `None` to begin again with the first.
    pub next: Option<ClosedAccount>,
}

/// Pseudonymises the next accounts behind `after` that have been closed for as long as the house keeps
/// closed accounts, each in a transaction of its own. Accounts with something left to settle are passed
/// over until a later round, so that they do not hold up the others. Any number of servers can do this at
/// the same time.
///
/// # Errors
/// If the accounts cannot be read. An account that fails is logged and tried again in a later round.
pub async fn pseudonymise_accounts(
    house: &House,
    after: Option<ClosedAccount>,
) -> Result<PseudonymisationPass, CasinoError> {
    let at = house.now();
    let closed_until = at.saturating_sub(house.closed_account_retention);
    let due: Vec<ClosedAccount> = house
        .database
        .read::<_, DatabaseError, _>(move |connection| {
            queries::accounts_to_pseudonymise(connection, closed_until, after, ACCOUNTS_PER_PASS)
        })
        .await?;
    let mut pseudonymised = 0;
    for account in &due {
        let user = account.user;
        let is_done = house
            .database
            // Credits of late payments lock the same account.
            .write::<_, CasinoError, _>(Scope::player(user), move |transaction| {
                pseudonymise(transaction, user, closed_until, at)
            })
            .await;
        match is_done {
            Ok(is_done) => pseudonymised += usize::from(is_done),
            // The others must not wait for this one.
            Err(error) => tracing::warn!(%error, %user, "failed to pseudonymise an account"),
        }
    }
    let is_full = due.len() == ACCOUNTS_PER_PASS;
    Ok(PseudonymisationPass {
        pseudonymised,
        next: due.last().copied().filter(|_| is_full),
    })
}

/// Pseudonymises an account if it still can be. Since it was found, it may have been opened again, or
/// another server may have been faster.
fn pseudonymise(
    transaction: &mut Transaction<'_, '_>,
    id: UserId,
    closed_until: Timestamp,
    at: Timestamp,
) -> Result<bool, CasinoError> {
    let Some(user) = transaction.lock_user(id)? else {
        return Ok(false);
    };
    let is_due = user.closed_at.is_some_and(|closed| closed <= closed_until);
    if !is_due || transaction.is_pseudonymised(id)? || !is_settled(transaction, &user)? {
        return Ok(false);
    }
    transaction.end_sessions_of(id)?;
    transaction.delete_personal_rows(id)?;
    transaction.delete_addresses(id, at)?;
    let name = user.username.to_ascii_lowercase();
    transaction.delete_attempts(&[all_failures(&name), wrong_codes(id)])?;
    transaction.pseudonymise_user(id, at)?;
    // The playing time that was counted for its limits is gone.
    rewrite_rules(transaction, id, at)?;
    let record = operator_record(AuditAction::AccountPseudonymised, Some(id), at);
    transaction.add_audit_record(&record)?;
    Ok(true)
}

/// Whether nobody has to be asked about the account any more. Its rows are locked. The operator may have
/// made its user an administrator to open the account again.
fn is_settled(transaction: &mut Transaction<'_, '_>, user: &User) -> Result<bool, CasinoError> {
    let open = transaction.open_business(user.id)?;
    Ok(transaction.account(user.id)?.wallet.balance().is_zero()
        && user.role == Role::Player
        && !open.has_open_round
        && !open.has_pending_withdrawal
        && !open.has_payable_invoice
        && !transaction.has_open_review(user.id)?)
}
